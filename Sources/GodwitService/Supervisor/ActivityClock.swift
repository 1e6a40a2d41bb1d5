internal import GodwitModel
import Synchronization

/// Measures how long the service has done nothing; the watchdog uses it.
package final class ActivityClock: Sendable {
    private let start = ContinuousClock.now
    private let last = Mutex<Int64>(0)

    package init() {}

    /// Milliseconds since the service began; the clock continues while the machine sleeps.
    package var now: Int64 { (ContinuousClock.now - start).milliseconds }

    @discardableResult
    package func beat() -> Int64 {
        let now = now
        last.withLock { $0 = now }
        return now
    }

    /// Milliseconds since the last activity.
    package var silence: Int64 { now - last.withLock { $0 } }
}
