internal import Libc
internal import CSystemShim

/// A thread of the system that runs one piece of work.
///
/// Not a Dispatch queue, which waits forever if the system gives no thread.
/// Invariant for `@unchecked Sendable`: any thread may join or detach another, pthread_join(3). `pthread_t` is a
/// pointer on Apple platforms.
package struct WorkerThread: @unchecked Sendable {
    /// Starts a thread; tests count threads, or refuse to start one.
    package typealias Start = (@escaping @Sendable () -> Void) -> WorkerThread?

    private let handle: pthread_t

    /// Starts the work; nil if the system gives no thread (`ulimit -u`, or no memory for the stack).
    ///
    /// - Parameter stack: its stack in bytes; nil for the system's usual size, often 8 MiB, which matters if address
    ///   space is limited.
    package init?(stack: Int? = 1 << 19, _ work: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return nil }
        defer { pthread_attr_destroy(&attributes) }
        if let stack { pthread_attr_setstacksize(&attributes, stack) }
        #if canImport(Darwin)
            var made: pthread_t?
        #else
            var made = pthread_t()
        #endif
        let argument = Unmanaged.passRetained(Work(run: work)).toOpaque()
        // Block all signals in this thread: the earlier threads handle them, and an interrupted call.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        let code = pthread_create(
            &made, &attributes,
            { argument in
                Self.run(argument)
                return nil
            }, argument)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard code == 0 else {
            Unmanaged<Work>.fromOpaque(argument).release()
            return nil
        }
        #if canImport(Darwin)
            guard let made else { return nil }
        #endif
        handle = made
    }

    /// Lowers the priority of the thread, for work that is not urgent.
    package static func giveWay() { godwit_give_way(1) }

    /// Lets the thread end on its own; use it instead of `join` if no thread waits for it.
    package func detach() { pthread_detach(handle) }

    /// Waits until the work is done; call it once.
    package func join() { pthread_join(handle, nil) }

    private static func run(_ argument: UnsafeMutableRawPointer?) {
        guard let argument else { return }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
    }

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
