import Libc

/// A lock with two conditions that threads can wait for; Swift's `Mutex` has none.
///
/// Its parts are allocated, because they must not move in memory: pthread_mutex_init(3).
package struct Monitor: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointers: they never change, and their targets are made for several threads.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let conditions: UnsafeMutablePointer<pthread_cond_t>

    package enum Event: Int {
        case work, result
    }

    package init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        conditions = .allocate(capacity: 2)
        conditions.initialize(repeating: pthread_cond_t(), count: 2)
        for index in 0..<2 { Self.initialize(conditions + index) }
    }

    deinit {
        for index in 0..<2 { pthread_cond_destroy(conditions + index) }
        conditions.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Releases the lock until the event may have come.
    ///
    /// Only inside `locked`, and the caller must check its condition again: threads also wake without a reason.
    package func wait(for event: Event) { pthread_cond_wait(conditions + event.rawValue, mutex) }

    /// The same for at most this number of milliseconds; may return early too.
    package func wait(for event: Event, milliseconds: Int) {
        let condition = conditions + event.rawValue
        #if canImport(Darwin)
            var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
            pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #else
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            let nanoseconds = time.tv_nsec + milliseconds % 1000 * 1_000_000
            time.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
            time.tv_nsec = nanoseconds % 1_000_000_000
            pthread_cond_timedwait(condition, mutex, &time)
        #endif
    }

    /// Uses the monotonic clock, which no one sets, if the system allows that: pthread_condattr_setclock(3).
    private static func initialize(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
        #if canImport(Darwin)
            pthread_cond_init(condition, nil)
        #else
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    /// Wakes one thread that waits for the event.
    package func announce(_ event: Event) { pthread_cond_signal(conditions + event.rawValue) }

    /// Wakes all threads that wait for the event.
    package func announceToAll(_ event: Event) { pthread_cond_broadcast(conditions + event.rawValue) }
}
