internal import GodwitModel
import Synchronization

/// How many records have been compared, by all threads together.
final class ComparedCount: Sendable {
    private let context: RunContext
    private let total: Int64
    private let seen = Atomic<Int64>(0)

    /// - Parameter total: how many records there are to compare, for whoever watches.
    init(_ context: RunContext, total: Int64) { (self.context, self.total) = (context, total) }

    var value: Int64 { seen.load(ordering: .relaxed) }

    /// Forgets what was added since.
    func goBack(to value: Int64) { seen.store(value, ordering: .relaxed) }

    /// Adds records, tells whoever watches, and throws where the run was cancelled.
    ///
    /// - Parameter isTold: false in a thread of which nobody has been told.
    func add(_ count: Int64, isTold: Bool = true) throws(GodwitError) {
        let value = seen.add(count, ordering: .relaxed).newValue
        try context.cancellation.check(.verify)
        if isTold { context.progress(RunProgress(stage: .verify, completed: value, total: total)) }
    }
}
