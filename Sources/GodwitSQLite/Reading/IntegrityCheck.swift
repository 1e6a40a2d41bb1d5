internal import GodwitFiles
package import GodwitModel
internal import Synchronization

/// The check of a store's integrity beside other work: in a thread, with connections of its own to the same state.
///
/// Whoever makes one must wait for it (`require`) before what was read meanwhile is believed. A small store is checked at
/// once, by the connection that is there: a thread would take longer to begin, and descriptors that may be few.
///
/// Invariant: beside other work no large value is held in memory a second time. A check that meets one gives up, as it
/// does for any other reason, and is made anew when the others are through: that one decides, in its own words.
package final class IntegrityCheck: Sendable {
    /// The most threads of one beside other work, which has connections of its own; each has a cache of up to 2 MB.
    private static let mostThreads = 3

    /// Apart from this object, so that the thread does not keep it: it waits for the thread when it goes.
    private let outcome = Outcome()
    private let worker: Mutex<Worker>
    private let check: @Sendable (_ isBesideOthers: Bool, _ sums: RecordSums?) throws(GodwitError) -> Void
    /// What others who read the store meanwhile find out for the check; nil where it needs nothing of them.
    package let sums: RecordSums?

    private let findings: IndexFindings

    private enum Worker {
        /// Held back until somebody has it begin.
        case waiting
        /// Nil where there is nothing to do, or the system gave no thread.
        case begun(WorkerThread?)
    }

    private final class Outcome: Sendable {
        /// Whether it is through: nil for not yet, or for having given up.
        let result = Mutex<Result<Void, GodwitError>?>(nil)
    }

    /// Begins to check what a snapshot shows; where that is known already, or nobody asks, there is nothing to wait for.
    ///
    /// - Parameters:
    ///   - tables: those which others promise to read whole, in the same state of the store.
    ///   - spared: how many processors are left to whoever reads the store meanwhile.
    ///   - isHeldBack: whether it waits for `begin`.
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

    /// Begins what was held back, unless somebody has waited for it since.
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

    /// Throws (65) unless nothing was found; what is still to be checked then is.
    package func require() throws(GodwitError) {
        if let result = settled() { return try result.get() }
        let result = Result { () throws(GodwitError) in try check(false, nil) }
        outcome.result.withLock { $0 = result }
        try result.get()
    }

    /// Waits until what the thread finds out about indexes is known, not for what else it has to do.
    ///
    /// A check that was held back and has not begun finds out nothing, and is not waited for.
    package func waitForIndexes() {
        let isAtWork = worker.withLock { worker in
            if case .begun(let thread) = worker { thread != nil } else { false }
        }
        if isAtWork { findings.wait() }
    }

    /// Waits for the thread: whether it has come to its end, and found nothing.
    package func isSound() -> Bool {
        if case .success? = settled() { true } else { false }
    }

    /// Waits for the thread; nil where it gave up.
    private func settled() -> Result<Void, GodwitError>? {
        wait()
        return outcome.result.withLock { $0 }
    }

    /// Waits for the thread, which then has closed what it had open, and no more for what others had promised.
    ///
    /// One that was held back is never begun then: what it would have done is left to whoever requires it.
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
