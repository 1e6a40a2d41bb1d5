internal import GodwitModel
import Synchronization

/// When the service last did anything: what the watchdog goes by.
package final class ActivityClock: Sendable {
    private let start = ContinuousClock.now
    private let last = Mutex<Int64>(0)

    package init() {}

    /// Milliseconds since the service began; the clock goes on while the machine sleeps.
    package var now: Int64 { (ContinuousClock.now - start).milliseconds }

    /// Something was done.
    @discardableResult
    package func beat() -> Int64 {
        let now = now
        last.withLock { $0 = now }
        return now
    }

    /// How long nothing was done.
    package var silence: Int64 { now - last.withLock { $0 } }
}
