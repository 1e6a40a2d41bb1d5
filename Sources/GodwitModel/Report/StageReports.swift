/// The reports of the stages that one step of a run went through; nil for a stage that it was not asked for.
package struct StageReports: Sendable {
    package var schema: SchemaReport?
    package var legacy: LegacyReport?
    package var dedupe: DedupeReport?
    package var undo: UndoReport?
    package var copy: CopyReport?
    package var reopen: ReopenReport?
    package var warnings: [Warning] = []

    package init(undo: UndoReport? = nil, copy: CopyReport? = nil, reopen: ReopenReport? = nil) {
        (self.undo, self.copy, self.reopen) = (undo, copy, reopen)
    }
}

extension RunReport {
    /// Takes over what a step reports.
    package mutating func take(_ stages: StageReports) {
        schema = stages.schema ?? schema
        legacy = stages.legacy ?? legacy
        dedupe = stages.dedupe ?? dedupe
        undo = stages.undo ?? undo
        copy = stages.copy ?? copy
        reopen = stages.reopen ?? reopen
        warnings += stages.warnings
    }

    /// Does a step; if it fails, the report takes over what it had committed.
    package mutating func taking<Result>(_ step: () throws(GodwitError) -> Result) throws(GodwitError) -> Result {
        do throws(GodwitError) {
            return try step()
        } catch {
            if let committed = error.committed { take(committed) }
            throw error.after(nil)
        }
    }
}
