internal import Dispatch
package import GodwitModel
import Synchronization

/// Work that ends before the system suspends the app.
///
/// An app that is suspended while it holds a lock on a file of its App Group is killed (0xDEAD10CC,
/// <https://developer.apple.com/documentation/xcode/addressing-watchdog-terminations>). The system calls once to begin, and
/// once more, while the work goes on, when time is up. Where it grants no time it calls once, with `isExpired`.
package final class ExpiringWork: Sendable {
    private let cancellation: Cancellation
    private let body: @Sendable () -> Void
    private let hasBegun = Atomic(false)
    private let done = DispatchSemaphore(value: 0)

    package init(_ cancellation: Cancellation, _ body: @escaping @Sendable () -> Void) {
        (self.cancellation, self.body) = (cancellation, body)
    }

    /// Does the work at the first call; when time is up, returns after the work was rolled back and its locks are gone.
    package func call(isExpired: Bool) {
        if isExpired { cancellation.cancel() }
        if hasBegun.exchange(true, ordering: .acquiringAndReleasing) {
            done.wait()
        } else {
            body()
        }
        done.signal()
    }
}
