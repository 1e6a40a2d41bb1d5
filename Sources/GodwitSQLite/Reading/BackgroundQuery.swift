package import GodwitFiles
package import GodwitModel
internal import Synchronization

/// A query that runs on another thread, with its own reader of the same state.
///
/// If the thread has no answer for any reason, the caller's own reader decides. For a small store only that reader is
/// used, because starting a thread would take longer.
/// Invariant: the store must stay open as long as this object exists.
package final class BackgroundQuery<Answer: Sendable>: Sendable {
    /// The query; must give the same answer on every connection.
    package typealias Asking = @Sendable (SQLiteConnection) throws(GodwitError) -> Answer

    /// A separate object, so that the thread does not retain this one, whose deinit waits for the thread.
    private let shared = SharedAnswer()
    private let worker: Mutex<WorkerThread?>
    private let ask: Asking

    private final class SharedAnswer: Sendable {
        let answer = Mutex<Answer?>(nil)
    }

    /// Starts the query on a snapshot.
    package init(
        about store: borrowing StoreSnapshot, startThread: WorkerThread.Start = { WorkerThread($0) },
        _ ask: @escaping Asking
    ) {
        self.ask = ask
        worker = Mutex(nil)
        guard store.isLarge else { return }
        let readers = store.readers
        let thread = startThread { [shared] in
            WorkerThread.giveWay()
            guard let own = try? readers.open(StoreReaders.longestBesideOthers),
                let answer = try? ask(own.connection)
            else { return }
            shared.answer.withLock { $0 = answer }
        }
        worker.withLock { $0 = thread }
    }

    deinit { wait() }

    /// The answer, if it is known now; does not wait.
    package var answer: Answer? { shared.answer.withLock { $0 } }

    /// Waits for the answer.
    package func answer(of connection: SQLiteConnection) throws(GodwitError) -> Answer {
        wait()
        if let answer { return answer }
        let answer = try ask(connection)
        shared.answer.withLock { $0 = answer }
        return answer
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
