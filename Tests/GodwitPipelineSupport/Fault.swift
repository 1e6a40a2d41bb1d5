package import GodwitModel
import Synchronization

/// Fails a run once, at one place, as if it had been stopped there.
package final class Fault: Sendable {
    package let point: FaultPoint
    private let hasFailed = Atomic(false)

    package init(at point: FaultPoint) { self.point = point }

    /// Whether the place was reached.
    package var wasMet: Bool { hasFailed.load(ordering: .relaxed) }

    package func meet(_ reached: FaultPoint) throws(GodwitError) {
        guard reached == point, !wasMet else { return }
        hasFailed.store(true, ordering: .relaxed)
        throw GodwitError(.copy, .io, "A fault at \(point.rawValue).")
    }
}
