package import GodwitModel
import Synchronization

/// Makes a run fail once, at one point, as if it had been stopped there.
package final class Fault: Sendable {
    package let point: FaultPoint
    private let hasFailed = Atomic(false)
    private let reached: Atomic<Int>

    package convenience init(at point: FaultPoint) { self.init(at: point, skipping: 0) }

    /// - Parameter count: how often the point is passed before it fails.
    package init(at point: FaultPoint, skipping count: Int) {
        self.point = point
        reached = Atomic(-count)
    }

    /// Whether the point was reached.
    package var wasMet: Bool { hasFailed.load(ordering: .relaxed) }

    package func meet(_ reached: FaultPoint) throws(GodwitError) {
        guard reached == point, !wasMet else { return }
        guard self.reached.add(1, ordering: .relaxed).newValue > 0 else { return }
        hasFailed.store(true, ordering: .relaxed)
        throw GodwitError(.copy, .io, "A fault at \(point.rawValue).")
    }
}
