internal import GodwitModel
import Synchronization

/// Number of compared records, by all threads together.
final class ComparedCount: Sendable {
    private let context: RunContext
    private let total: Int64
    private let seen = Atomic<Int64>(0)

    init(_ context: RunContext, total: Int64) { (self.context, self.total) = (context, total) }

    var value: Int64 { seen.load(ordering: .relaxed) }

    /// Removes what was added since.
    func goBack(to value: Int64) { seen.store(value, ordering: .relaxed) }

    /// Adds records, reports progress, and throws if the run was cancelled.
    ///
    /// - Parameter isTold: false on threads that do not report progress.
    func add(_ count: Int64, isTold: Bool = true) throws(GodwitError) {
        let value = seen.add(count, ordering: .relaxed).newValue
        try context.cancellation.check(.verify)
        if isTold { context.progress(RunProgress(stage: .verify, completed: value, total: total)) }
    }
}
