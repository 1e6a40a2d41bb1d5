import GodwitModel
import Synchronization

/// Fails a run once, at one place, as if it had been stopped there.
final class Fault: Sendable {
    let point: FaultPoint
    private let hasFailed = Atomic(false)

    init(at point: FaultPoint) { self.point = point }

    /// Whether the place was reached.
    var wasMet: Bool { hasFailed.load(ordering: .relaxed) }

    func meet(_ reached: FaultPoint) throws(GodwitError) {
        guard reached == point, !wasMet else { return }
        hasFailed.store(true, ordering: .relaxed)
        throw GodwitError(.copy, .io, "A fault at \(point.rawValue).")
    }
}
