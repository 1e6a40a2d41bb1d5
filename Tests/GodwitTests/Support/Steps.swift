import GodwitModel
import GodwitTestSupport
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a run told of its progress while it copied.
final class Steps: Sendable {
    private let steps = Mutex<[GodwitModel.Progress]>([])

    func add(_ step: GodwitModel.Progress) { steps.withLock { $0.append(step) } }

    var completed: [Int64] { steps.withLock { $0.filter { $0.stage == .copy }.map(\.completed) } }
}

extension TemporaryFolder {
    func url(_ name: String) -> URL { URL(filePath: path(name)) }
}
