internal import Libc
internal import CSystemShim

/// A thread of the system that runs one piece of work.
///
/// Not a queue of Dispatch's: where the system gives no thread, that waits for one for ever.
///
/// Unchecked: `pthread_t` is a pointer on Apple platforms, and any thread may join or detach another, pthread_join(3).
package struct WorkerThread: @unchecked Sendable {
    /// What starts a thread: the system, or in tests something that counts them or has none.
    package typealias Start = (@escaping @Sendable () -> Void) -> WorkerThread?

    private let handle: pthread_t

    /// Starts the work; nil where the system gives no thread: `ulimit -u`, or no memory for its stack.
    ///
    /// - Parameter stack: its stack in bytes; nil for the system's usual size, often 8 MiB, which count where address space
    ///   is limited.
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
        // Signals are for the threads that were there before: they know what to do about a call that was interrupted.
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

    /// Lets the other threads go first where there are fewer processors than work: for what has until their end.
    ///
    /// - Parameter steps: 2 to let those go first as well that have let others go first.
    package static func giveWay(steps: Int32 = 1) { godwit_give_way(steps) }

    /// Leaves the thread to itself, for what nobody waits for; instead of `join`.
    package func detach() { pthread_detach(handle) }

    /// Waits until the work is done; to be called once.
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
