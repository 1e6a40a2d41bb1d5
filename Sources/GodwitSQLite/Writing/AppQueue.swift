internal import GodwitFiles
internal import GodwitModel
internal import Libc
internal import GRDB
import Synchronization

/// The queue of an app's database, entered by whoever may give up waiting for it.
///
/// GRDB waits for its queue for as long as the app is at work in it, which is for ever where that work waits for Godwit. So
/// a thread of its own waits there, and does the work once it is its turn; who asked for it waits beside the queue, no longer than
/// the lock timeout, and not after it was cancelled. Whether the queue is free can't be asked: a second is always waited.
///
/// Invariant: a piece of work is done by one thread, wholly or not at all, and whoever asked for it does nothing meanwhile.
final class AppQueue: Sendable {
    private let writer: any DatabaseWriter
    /// The thread that is in the queue, whose further work there is part of what it does.
    private let inside = Mutex<Thread?>(nil)

    private struct Thread: @unchecked Sendable {
        let handle: pthread_t

        static var current: Thread { Thread(handle: pthread_self()) }

        func isSame(as other: Thread) -> Bool { pthread_equal(handle, other.handle) != 0 }
    }

    init(_ writer: any DatabaseWriter) { self.writer = writer }

    /// Does a piece of work while the app does nothing with its writing connection; throws what it throws.
    ///
    /// - Parameter context: 75 once it has waited for its lock timeout; 130 or 143 where it was cancelled while waiting.
    func enter(
        _ name: String, _ stage: Stage, _ context: RunContext, _ work: (Database) throws -> Void
    ) throws {
        if let thread = inside.withLock(\.self), thread.isSame(as: .current) {
            return try writer.unsafeReentrantWrite(work)
        }
        try withoutActuallyEscaping(work) { work in
            let entry = Entry(work)
            // Of the usual size: what it does may go as deep as what any thread does.
            let thread = WorkerThread(stack: nil) { [self] in
                entry.beginWaiting()
                let result = Result {
                    try writer.unsafeReentrantWrite { database in
                        guard let work = entry.begin() else { return }
                        inside.withLock { $0 = .current }
                        defer { inside.withLock { $0 = nil } }
                        try work(database)
                    }
                }
                entry.end(result)
            }
            guard let thread else { return try writer.unsafeReentrantWrite(work) }
            guard entry.isBegun(upTo: context.lockTimeoutMilliseconds, context.cancellation) else {
                // It finds nothing to do when its turn comes.
                thread.detach()
                try context.cancellation.check(stage)
                throw GodwitError(
                    stage, .busy,
                    "The app was at work with its connection to \(name) for longer than the lock timeout.",
                    hint: "Call Godwit where no write of the app waits for it, or raise the lock timeout.")
            }
            thread.join()
            try entry.result.get()
        }
    }
}

/// A piece of work that waits for its turn.
///
/// Invariant, for `@unchecked Sendable`: what may change is touched inside `monitor.locked`, and the result only once the thread
/// that sets it has ended.
private final class Entry: @unchecked Sendable {
    private enum State { case starting, waiting, begun, givenUp }

    private static let leastPatience = 1000

    private let monitor = Monitor()
    private var state = State.starting
    private var work: ((Database) throws -> Void)?
    private(set) var result: Result<Void, any Error> = .success(())

    init(_ work: @escaping (Database) throws -> Void) { self.work = work }

    /// Says that there is a thread for it: how long that takes to begin is not the app's doing.
    func beginWaiting() {
        monitor.locked {
            if state == .starting { state = .waiting }
            monitor.announce(.result)
        }
    }

    /// The work; nil where nobody waits for it any more.
    func begin() -> ((Database) throws -> Void)? {
        monitor.locked {
            guard state != .givenUp else { return nil }
            state = .begun
            monitor.announce(.result)
            return work.take()
        }
    }

    /// Says what came of it, which may be that it could not begin.
    func end(_ result: Result<Void, any Error>) {
        monitor.locked {
            guard state != .givenUp else { return }
            (self.result, state) = (result, .begun)
            monitor.announce(.result)
        }
    }

    /// Waits for the work's turn; where that does not come in time, it never begins.
    func isBegun(upTo milliseconds: Int, _ cancellation: Cancellation) -> Bool {
        var end: ContinuousClock.Instant?
        return monitor.locked {
            while state == .starting || state == .waiting {
                if state == .waiting, end == nil {
                    end = .now + .milliseconds(max(milliseconds, Self.leastPatience))
                }
                if cancellation.isCancelled || end.map({ $0 <= .now }) == true {
                    (state, work) = (.givenUp, nil)
                    return false
                }
                monitor.wait(for: .result, milliseconds: 20)
            }
            return true
        }
    }
}
