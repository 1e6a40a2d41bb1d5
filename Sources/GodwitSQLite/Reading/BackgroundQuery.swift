package import GodwitFiles
package import GodwitModel
internal import Synchronization

/// A question about a store that is answered beside other work: in a thread, by a reader of its own of the same state.
///
/// Where the thread has no answer, for whatever reason, whoever wants it asks the reader that is there: that one decides,
/// in its own words. The question about a small store waits for that anyway: a thread would take longer to begin.
///
/// Invariant: the store must stay open for as long as this object lives.
package final class BackgroundQuery<Answer: Sendable>: Sendable {
    /// Asks; must be the same whoever asks it.
    package typealias Asking = @Sendable (SQLiteConnection) throws(GodwitError) -> Answer

    /// Apart from this object, so that the thread does not keep it: it waits for the thread when it goes.
    private let found = Found()
    private let worker: Mutex<WorkerThread?>
    private let ask: Asking

    private final class Found: Sendable {
        let answer = Mutex<Answer?>(nil)
    }

    /// Begins to ask what a snapshot shows.
    package init(
        about store: borrowing StoreSnapshot, startThread: WorkerThread.Start = { WorkerThread($0) },
        _ ask: @escaping Asking
    ) {
        self.ask = ask
        worker = Mutex(nil)
        guard store.isLarge else { return }
        let readers = store.soundness
        let thread = startThread { [found] in
            WorkerThread.giveWay()
            guard let own = try? readers.open(SoundnessCheck.longestBesideOthers),
                let answer = try? ask(own.connection)
            else { return }
            found.answer.withLock { $0 = answer }
        }
        worker.withLock { $0 = thread }
    }

    deinit { wait() }

    /// The answer where there is one by now; waits for nothing.
    package var answer: Answer? { found.answer.withLock { $0 } }

    /// Waits for the answer.
    ///
    /// - Parameter connection: the reader that is there, of the same state.
    package func answer(of connection: SQLiteConnection) throws(GodwitError) -> Answer {
        wait()
        if let answer { return answer }
        let answer = try ask(connection)
        found.answer.withLock { $0 = answer }
        return answer
    }

    /// Waits for the thread, which then has closed what it had open.
    package func wait() {
        let thread = worker.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }
}
