package import GodwitModel
package import FoundationLite
package import GodwitTestSupport
import Synchronization

/// The progress that a run reported while it copied.
package final class Steps: Sendable {
    private let steps = Mutex<[RunProgress]>([])

    package init() {}

    package func add(_ step: RunProgress) { steps.withLock { $0.append(step) } }

    package var completed: [Int64] { steps.withLock { $0.filter { $0.stage == .copy }.map(\.completed) } }
}

extension TemporaryFolder {
    package func url(_ name: String) -> URL { URL(filePath: path(name)) }
}
