/// A thread that does one piece of work after the other for the one thread that owns it.
///
/// The owner fills one buffer while the thread empties another, or several. Where the system has no thread, the owner does
/// the work itself, and all is as if there had been one.
///
/// Invariant, for `@unchecked Sendable`: what stands below "Under the lock" is touched only inside `monitor.locked`;
/// what stands below "Of the owner" only by the owning thread.
package final class BackgroundWorker: @unchecked Sendable {
    private let monitor = Monitor()

    // MARK: Under the lock

    private var waiting: [@Sendable () -> Void] = []
    /// Pieces that were handed over and are not done.
    private var pending = 0
    /// How many may be left for the owner to go on, where it waits.
    private var awaited = 0
    private var isEnding = false

    // MARK: Of the owner

    private let depth: Int
    /// How many pieces have to be there for the thread to be woken, as long as the owner does not wait.
    private let batch: Int
    private let startThread: WorkerThread.Start
    private var thread: WorkerThread?
    private var isStarted = false

    /// The thread starts with the first piece of work.
    ///
    /// - Parameter depth: how many pieces may be handed over and not done.
    package init(depth: Int = 1, startThread: @escaping WorkerThread.Start = { WorkerThread($0) }) {
        (self.depth, self.startThread) = (max(depth, 1), startThread)
        batch = max(depth / 8, 1)
    }

    /// Hands over a piece of work, once fewer than `depth` others are left.
    ///
    /// To wake a thread takes as long as a small piece. So who has to wait for a place does so until half of them are free, and
    /// a thread that has nothing to do sleeps until there are some, or the owner waits for it.
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

    /// Waits until what was handed over is done.
    package func wait() {
        monitor.locked { waitUntilPending(0) }
    }

    /// Waits, and ends the thread; whoever made this calls it in the end, and hands nothing over afterwards.
    package func end() {
        monitor.locked {
            waitUntilPending(0)
            isEnding = true
            monitor.announce(.work)
        }
        thread?.join()
        thread = nil
    }

    /// Under the lock, the owner: until no more than so many pieces are left.
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

    /// Under the lock: the next piece of work, once there is one; nil at the end.
    private func nextOrEnd() -> (@Sendable () -> Void)? {
        while waiting.isEmpty, !isEnding { monitor.wait(for: .work) }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }
}
