/// The reports of the stages that one step of a run went through; nil for a stage that it was not asked for.
package struct StageReports: Sendable {
    package var schema: RunReport.Schema?
    package var legacy: RunReport.Legacy?
    package var dedupe: RunReport.Dedupe?
    package var undo: RunReport.Undo?
    package var copy: RunReport.Copy?
    package var reopen: RunReport.Reopen?
    package var warnings: [Warning] = []

    package init(undo: RunReport.Undo? = nil, copy: RunReport.Copy? = nil, reopen: RunReport.Reopen? = nil) {
        (self.undo, self.copy, self.reopen) = (undo, copy, reopen)
    }
}

extension RunReport {
    /// Takes over the reports of a step.
    package mutating func take(_ stages: StageReports) {
        schema = stages.schema ?? schema
        legacy = stages.legacy ?? legacy
        dedupe = stages.dedupe ?? dedupe
        undo = stages.undo ?? undo
        copy = stages.copy ?? copy
        reopen = stages.reopen ?? reopen
        warnings += stages.warnings
    }

    /// Runs a step; if it fails, the report takes over its committed changes.
    package mutating func taking<Result>(_ step: () throws(GodwitError) -> Result) throws(GodwitError) -> Result {
        do throws(GodwitError) {
            return try step()
        } catch {
            if let committed = error.committed { take(committed) }
            throw error.after(nil)
        }
    }
}
