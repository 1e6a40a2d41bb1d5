/// A thread that runs pieces of work in order, for the one thread that owns it.
///
/// The owner fills one buffer while the thread empties others. If the system gives no thread, the owner does the work
/// itself, with the same result.
/// Invariant for `@unchecked Sendable`: properties below "Under the lock" are used only inside `monitor.locked`, and
/// those below "Of the owner" only by the owning thread.
package final class BackgroundWorker: @unchecked Sendable {
    private let monitor = Monitor()

    // MARK: Under the lock

    private var waiting: [@Sendable () -> Void] = []
    /// Number of pieces that are not done.
    private var pending = 0
    /// The owner waits until `pending` is not above this number.
    private var awaited = 0
    private var isEnding = false

    // MARK: Of the owner

    private let depth: Int
    /// Number of waiting pieces that wakes the thread while the owner does not wait.
    private let batch: Int
    private let startThread: WorkerThread.Start
    private var thread: WorkerThread?
    private var isStarted = false

    /// The first piece of work starts the thread.
    ///
    /// - Parameter depth: the maximum number of pieces that are not done.
    package init(depth: Int = 1, startThread: @escaping WorkerThread.Start = { WorkerThread($0) }) {
        (self.depth, self.startThread) = (max(depth, 1), startThread)
        batch = max(depth / 8, 1)
    }

    /// Adds a piece of work, as soon as fewer than `depth` pieces are not done.
    ///
    /// Waking a thread takes as long as a small piece. So an owner that must wait does so until half of the pieces are
    /// done, and an idle thread sleeps until a batch of pieces exists or the owner waits.
    package func begin(_ work: @escaping @Sendable () -> Void) {
        if !isStarted {
            isStarted = true
            thread = startThread { [self] in workToTheEnd() }
        }
        guard thread != nil else { return work() }
        monitor.locked {
            if pending >= depth { waitUntilPending(depth / 2) }
            waiting.append(work)
            pending += 1
            if waiting.count >= batch { monitor.announce(.work) }
        }
    }

    package func wait() {
        monitor.locked { waitUntilPending(0) }
    }

    /// Waits for all work and ends the thread; the owner must call it, and must add nothing afterwards.
    package func end() {
        monitor.locked {
            waitUntilPending(0)
            isEnding = true
            monitor.announce(.work)
        }
        thread?.join()
        thread = nil
    }

    /// Call it under the lock, as the owner.
    private func waitUntilPending(_ count: Int) {
        awaited = count
        monitor.announce(.work)
        while pending > count { monitor.wait(for: .result) }
    }

    private func workToTheEnd() {
        while let next = monitor.locked({ nextOrEnd() }) {
            next()
            monitor.locked {
                pending -= 1
                if pending <= awaited { monitor.announce(.result) }
            }
        }
    }

    /// Call it under the lock; waits for the next piece, nil at the end.
    private func nextOrEnd() -> (@Sendable () -> Void)? {
        while waiting.isEmpty, !isEnding { monitor.wait(for: .work) }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }
}
