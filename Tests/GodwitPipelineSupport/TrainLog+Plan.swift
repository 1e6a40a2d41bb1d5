package import Godwit
package import GodwitModel
import GodwitTestSupport

extension TrainLog {
    /// The name of a test's saved plan, next to the container.
    package static let plan = "plan.json"

    /// Runs a saved plan.
    @discardableResult
    package func runPlan(
        _ name: String = plan, dryRun: Bool = false, options change: (inout MigrationOptions) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws -> RunReport {
        try migration(change).perform(
            .run, dryRun: dryRun, following: SavedPlan(path: folder[name]), faultPoint: faultPoint)
    }
}
