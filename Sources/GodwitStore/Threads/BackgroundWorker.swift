/// A thread that does one piece of work after the other for the one thread that owns it.
///
/// The owner fills one buffer while the thread empties another. Where the system has no thread, the owner does the work
/// itself, and all is as if there had been one.
///
/// Invariant, for `@unchecked Sendable`: what stands below "Under the lock" is touched only inside `monitor.locked`;
/// what stands below "Of the owner" only by the owning thread.
package final class BackgroundWorker: @unchecked Sendable {
    private let monitor = Monitor()

    // MARK: Under the lock

    private var work: (@Sendable () -> Void)?
    private var isBusy = false
    private var isEnding = false

    // MARK: Of the owner

    private let startThread: WorkerThread.Start
    private var thread: WorkerThread?
    private var isStarted = false

    /// The thread starts with the first piece of work.
    package init(startThread: @escaping WorkerThread.Start = { WorkerThread($0) }) { self.startThread = startThread }

    /// Hands over a piece of work once the one before is done.
    package func begin(_ work: @escaping @Sendable () -> Void) {
        if !isStarted {
            isStarted = true
            thread = startThread { [self] in workToTheEnd() }
        }
        guard thread != nil else { return work() }
        monitor.locked {
            while isBusy { monitor.wait(for: .result) }
            (self.work, isBusy) = (work, true)
            monitor.announce(.work)
        }
    }

    /// Waits until what was handed over is done.
    package func wait() {
        monitor.locked {
            while isBusy { monitor.wait(for: .result) }
        }
    }

    /// Waits, and ends the thread; whoever made this calls it in the end, and hands nothing over afterwards.
    package func end() {
        monitor.locked {
            while isBusy { monitor.wait(for: .result) }
            isEnding = true
            monitor.announce(.work)
        }
        thread?.join()
        thread = nil
    }

    private func workToTheEnd() {
        while let next = monitor.locked({ nextOrEnd() }) {
            next()
            monitor.locked {
                isBusy = false
                monitor.announce(.result)
            }
        }
    }

    /// Under the lock: the next piece of work, once there is one; nil at the end.
    private func nextOrEnd() -> (@Sendable () -> Void)? {
        while work == nil, !isEnding { monitor.wait(for: .work) }
        defer { work = nil }
        return work
    }
}
