import Godwit
import GodwitModel
import GodwitRender
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport

extension TrainLog {
    /// Plans a run and saves its plan.
    @discardableResult
    func savePlan(options change: (inout MigrationOptions) -> Void = { _ in }) throws -> RunReport {
        let plan = try perform(dryRun: true) { options in
            options.keepsBasis = true
            change(&options)
        }
        try folder.write(SavedPlan.sealing(JSONReport.encode(plan)), to: Self.plan)
        return plan
    }

    /// Changes the saved plan as a user would who knows how its hash is made.
    func forgePlan(_ change: (inout RunReport) throws -> Void) throws {
        var report = try JSONDecoder().decode(RunReport.self, from: Data(folder.bytes(of: Self.plan)))
        try change(&report)
        report.plan?.planSha256 = String(repeating: "0", count: 64)
        try folder.write(SavedPlan.sealing(JSONReport.encode(report)), to: Self.plan)
    }
}
