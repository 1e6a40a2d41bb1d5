internal import GodwitFiles
package import GodwitModel
internal import Synchronization

/// Checks a store's integrity while other work runs: on another thread, with its own connection to the same state.
///
/// The caller must call `require` before it uses data that it read during the check. A small store is checked at once
/// on the existing connection, because a thread would take longer to start, and needs descriptors that may be few.
/// Invariant: while other work runs, no large value is in memory twice. If a check meets one, or fails for any other
/// reason, it gives up and runs again after the other work; only the second result counts.
package final class IntegrityCheck: Sendable {
    /// A separate object, so that the thread does not retain this one, whose deinit waits for the thread.
    private let outcome = Outcome()
    /// Nil if there is nothing to do, or if the system gave no thread.
    private let worker: Mutex<WorkerThread?>
    private let check: @Sendable (_ isBesideOthers: Bool) throws(GodwitError) -> Void

    private final class Outcome: Sendable {
        /// Nil if the check has not ended, or gave up.
        let result = Mutex<Result<Void, GodwitError>?>(nil)
    }

    /// Starts to check a snapshot, unless its state is known to be sound or no check is asked for.
    package init(
        of store: borrowing StoreSnapshot, _ depth: IntegrityDepth = .quick, context: RunContext, isAsked: Bool = true
    ) {
        let (readers, state) = (store.readers, store.state)
        let check: @Sendable (Bool) throws(GodwitError) -> Void = { isBesideOthers throws(GodwitError) in
            try readers.checkIntegrity(depth, isBesideOthers: isBesideOthers)
            context.known.note(depth.fact, of: state)
        }
        self.check = check
        guard isAsked, !context.known.isKnown(depth.fact, of: state) else {
            worker = Mutex(nil)
            outcome.result.withLock { $0 = .success(()) }
            return
        }
        guard store.isLarge else {
            worker = Mutex(nil)
            let result = Result { () throws(GodwitError) in
                try store.reader.checkIntegrity(depth)
                context.known.note(depth.fact, of: state)
            }
            outcome.result.withLock { $0 = result }
            return
        }
        let thread = WorkerThread { [outcome] in
            WorkerThread.giveWay()
            let result = Result { () throws(GodwitError) in try check(true) }
            if case .success = result { outcome.result.withLock { $0 = result } }
        }
        worker = Mutex(thread)
    }

    deinit { wait() }

    /// Throws (65) if the store is not sound; completes the check if necessary.
    package func require() throws(GodwitError) {
        if let result = settled() { return try result.get() }
        let result = Result { () throws(GodwitError) in try check(false) }
        outcome.result.withLock { $0 = result }
        try result.get()
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

    /// Waits for the thread, which has then closed its connection.
    package func wait() {
        let thread = worker.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }
}
