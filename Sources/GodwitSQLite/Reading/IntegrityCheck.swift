internal import GodwitFiles
package import GodwitModel
internal import Synchronization

/// Checks a store's integrity while other work runs: on another thread, with its own connections to the same state.
///
/// The caller must call `require` before it uses data that it read during the check. A small store is checked at once
/// on the existing connection, because a thread would take longer to start, and needs descriptors that may be few.
/// Invariant: while other work runs, no large value is in memory twice. If a check meets one, or fails for any other
/// reason, it gives up and runs again after the other work; only the second result counts.
package final class IntegrityCheck: Sendable {
    /// Maximum number of threads, each with its own connection and a cache of up to 2 MB.
    private static let mostThreads = 3

    /// A separate object, so that the thread does not retain this one, whose deinit waits for the thread.
    private let outcome = Outcome()
    private let worker: Mutex<Worker>
    private let check: @Sendable (_ isBesideOthers: Bool, _ sums: RecordSums?) throws(GodwitError) -> Void
    /// Sums that readers of the store compute for the check; nil if it needs none.
    package let sums: RecordSums?

    private let findings: IndexFindings

    private enum Worker {
        /// Not started before `begin`.
        case waiting
        /// Nil if there is nothing to do, or if the system gave no thread.
        case begun(WorkerThread?)
    }

    private final class Outcome: Sendable {
        /// Nil if the check has not ended, or gave up.
        let result = Mutex<Result<Void, GodwitError>?>(nil)
    }

    /// Starts to check a snapshot, unless its state is known to be sound or no check is asked for.
    ///
    /// - Parameters:
    ///   - tables: tables that readers of the same state promise to read completely.
    ///   - spared: number of processors that are left to the readers.
    ///   - isHeldBack: whether to wait for `begin`.
    package init(
        of store: borrowing StoreSnapshot, context: RunContext, isAsked: Bool = true, promising tables: [String] = [],
        sparing spared: Int = 1, isHeldBack: Bool = false
    ) {
        var soundness = store.soundness
        soundness.threads = max(1, min(soundness.threads, Processors.count - spared, Self.mostThreads))
        let state = store.state
        findings = IndexFindings(context.known, of: state)
        let check: @Sendable (Bool, RecordSums?) throws(GodwitError) -> Void = {
            [soundness, findings] isBesideOthers, sums throws(GodwitError) in
            try soundness.run(isBesideOthers: isBesideOthers, sums: sums, findings: findings)
            context.known.note(.sound, of: state)
        }
        self.check = check
        let isNeeded = isAsked && !context.known.isKnown(.sound, of: state)
        sums = isNeeded && store.isLarge && !tables.isEmpty ? RecordSums(promising: tables) : nil
        worker = Mutex(isNeeded && store.isLarge ? .waiting : .begun(nil))
        guard isNeeded else {
            outcome.result.withLock { $0 = .success(()) }
            return
        }
        guard store.isLarge else {
            let result = Result { () throws(GodwitError) in
                try soundness.run(on: store.reader)
                context.known.note(.sound, of: state)
            }
            outcome.result.withLock { $0 = result }
            return
        }
        if !isHeldBack { begin() }
    }

    deinit { wait() }

    /// Starts a check that was held back, unless a caller has waited for it already.
    package func begin() {
        worker.withLock { worker in
            guard case .waiting = worker else { return }
            worker = .begun(
                WorkerThread { [outcome, sums, check, findings] in
                    defer { findings.end() }
                    WorkerThread.giveWay()
                    let result = Result { () throws(GodwitError) in try check(true, sums) }
                    if case .success = result { outcome.result.withLock { $0 = result } }
                })
        }
    }

    /// Throws (65) if the store is not sound; completes the check if necessary.
    package func require() throws(GodwitError) {
        if let result = settled() { return try result.get() }
        let result = Result { () throws(GodwitError) in try check(false, nil) }
        outcome.result.withLock { $0 = result }
        try result.get()
    }

    /// Waits until the findings about indexes are known, and not for the rest of the check.
    ///
    /// A check that was held back has no findings, so this does not wait for it.
    package func waitForIndexes() {
        let isAtWork = worker.withLock { worker in
            if case .begun(let thread) = worker { thread != nil } else { false }
        }
        if isAtWork { findings.wait() }
    }

    /// Waits for the thread; true if it has completed the check and found nothing.
    package func isSound() -> Bool {
        if case .success? = settled() { true } else { false }
    }

    /// Waits for the thread; nil if it gave up.
    private func settled() -> Result<Void, GodwitError>? {
        wait()
        return outcome.result.withLock { $0 }
    }

    /// Waits for the thread, which has then closed its connections, and withdraws open promises of sums.
    ///
    /// A check that was held back never starts afterwards; `require` does its work.
    package func wait() {
        sums?.withdraw()
        let thread = worker.withLock { worker -> WorkerThread? in
            defer { worker = .begun(nil) }
            if case .begun(let thread) = worker { return thread }
            return nil
        }
        thread?.join()
    }
}
