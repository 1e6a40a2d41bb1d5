internal import GodwitFiles
internal import GodwitModel
internal import Libc
internal import GRDB
import Synchronization

/// The queue of an app's database, with a limit for the time to wait for it.
///
/// GRDB waits for its queue as long as the app works in it: forever, if that work waits for Godwit. So a separate
/// thread waits there and does the work when its turn comes. The calling thread waits for it until the lock timeout
/// ends or the run is cancelled. It waits at least one second, because GRDB cannot report if the queue is free.
/// Invariant: one thread does a piece of work, completely or not at all, and the calling thread does nothing during
/// that time.
final class AppQueue: Sendable {
    private let writer: any DatabaseWriter
    /// The thread that works in the queue; its nested calls run directly.
    private let inside = Mutex<Thread?>(nil)

    private struct Thread: @unchecked Sendable {
        let handle: pthread_t

        static var current: Thread { Thread(handle: pthread_self()) }

        func isSame(as other: Thread) -> Bool { pthread_equal(handle, other.handle) != 0 }
    }

    init(_ writer: any DatabaseWriter) { self.writer = writer }

    /// Does a piece of work while the app does not use its writing connection; rethrows its error.
    ///
    /// - Parameter context: throws 75 after its lock timeout, 130 or 143 if the run was cancelled during the wait.
    func enter(
        _ name: String, _ stage: GodwitError.Stage, _ context: RunContext, _ work: (Database) throws -> Void
    ) throws {
        if let thread = inside.withLock(\.self), thread.isSame(as: .current) {
            return try writer.unsafeReentrantWrite(work)
        }
        try withoutActuallyEscaping(work) { work in
            let entry = Entry(work)
            // With the system's usual stack size, because the work may recurse as deeply as on any thread.
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
                // The thread finds no work when its turn comes.
                thread.detach()
                try context.cancellation.check(stage)
                throw GodwitError(
                    stage, .busy,
                    "the app used its connection to `\(name)` for longer than the lock timeout",
                    hint: "Call Godwit when no write of the app waits for it, or raise the lock timeout.")
            }
            thread.join()
            try entry.result.get()
        }
    }
}

/// A piece of work that waits for its turn.
///
/// Invariant for `@unchecked Sendable`: mutable state is used only inside `monitor.locked`, and the result only after
/// the thread that sets it has ended.
private final class Entry: @unchecked Sendable {
    private enum State { case starting, waiting, begun, givenUp }

    private static let leastPatience = 1000

    private let monitor = Monitor()
    private var state = State.starting
    private var work: ((Database) throws -> Void)?
    private(set) var result: Result<Void, any Error> = .success(())

    init(_ work: @escaping (Database) throws -> Void) { self.work = work }

    /// Marks that the thread runs; the time to start it does not count as waiting for the app.
    func beginWaiting() {
        monitor.locked {
            if state == .starting { state = .waiting }
            monitor.announce(.result)
        }
    }

    /// The work; nil if the caller gave up.
    func begin() -> ((Database) throws -> Void)? {
        monitor.locked {
            guard state != .givenUp else { return nil }
            state = .begun
            monitor.announce(.result)
            return work.take()
        }
    }

    /// Sets the result, which may be that the work could not begin.
    func end(_ result: Result<Void, any Error>) {
        monitor.locked {
            guard state != .givenUp else { return }
            (self.result, state) = (result, .begun)
            monitor.announce(.result)
        }
    }

    /// Waits for the work to begin; if that takes too long, it never begins.
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
