internal import GodwitLegacy
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitDedupe

/// The stages that write to the structured store: schema, legacy, dedupe.
///
/// The step reads first. It opens the store for writing only if a stage has something to do, so that a finished
/// container is not touched.
struct StructuredStep: RunStep {
    let stores: StoreOpener

    /// Which of the three a command asks for.
    struct Stages: Sendable {
        var schema = false
        var legacy = false
        var dedupe = false

        var isEmpty: Bool { !schema && !legacy && !dedupe }
    }

    /// Runs the requested stages.
    ///
    /// - Throws: an error with what was committed before it, as `committed`.
    func run(
        _ stages: Stages, _ survey: ContainerSurvey, copiesNext: Bool
    ) throws(GodwitError) -> StageReports {
        var reports = StageReports()
        do throws(GodwitError) {
            if !stages.isEmpty { try work(stages, survey, copiesNext, &reports) }
            return reports
        } catch {
            throw error.after(reports)
        }
    }

    private func work(
        _ stages: Stages, _ survey: ContainerSurvey, _ copiesNext: Bool, _ report: inout StageReports
    ) throws(GodwitError) {
        let inputs =
            stages.legacy && survey.legacyReceipt == nil
            ? try scope.readPreferences(isAhead: true).map { $0.dated(before: survey.ownCopy, manifest) } : []
        let legacy = self.legacy(inputs, isBeforeCopy: !survey.isFlagSet)
        let late = stages.legacy ? try lateImport(survey) : nil
        let isMissing = isLocalWritable ? !survey.hasLocal : !survey.hasCloud
        let makesStore = isMissing && stages.schema ? try isWorthAStore(inputs, legacy) : false
        let role = survey.writtenStore(isLocalWritable: isLocalWritable, makesLocal: makesStore)
        guard try files[role].exists() else {
            guard makesStore else { return reportNothing(stages, role, survey, legacy, &report) }
            if copiesNext { try ParentRequirements(stores).requireParents(legacy, survey) }
            return try createStore(role, stages, legacy, late, survey, &report)
        }
        if late == nil, let plan = try planWithoutWork(stages, role, legacy, survey) {
            // If it fails, nothing depends on it: the next process that opens the store does the same.
            try? stores.settleInterruptedWrite(role, .schema)
            reportNothing(stages, role, survey, legacy, &report)
            if stages.schema {
                report.schema = schema.report(plan, role: role, file: files[role].name, created: false)
            }
            return
        }
        if copiesNext {
            try AdoptionRequirements(stores).requireKnownColumns(survey)
            try ParentRequirements(stores).requireParents(legacy, survey)
            try ParentRequirements(stores).requireSameParents(survey)
        }
        try stores.snapshot(role, .schema).connection.refuseMirrored()
        let writer = try StoreWriter(
            existing: files[role].path, name: files[role].name, stage: .schema, context: context)
        try writer.takeOverLog(.schema)
        if !stages.schema {
            _ = try writer.read(.schema) { store throws(GodwitError) in try schema.requireKnownSchema(store) }
        }
        try write(stages, role, legacy, late, survey, writer, created: false, &report)
        try writer.close(.schema)
    }

    /// A store is made only for legacy values to go into: nothing found must not look like something done.
    private func isWorthAStore(_ inputs: [LegacyPlanner.Input], _ legacy: LegacyStage) throws(GodwitError) -> Bool {
        guard !inputs.isEmpty else { return false }
        return try legacy.hasWork(MemoryStore(stage: .legacy).connection)
    }

    /// Reports stages without pending changes; the others are reported when they are complete.
    private func reportNothing(
        _ stages: Stages, _ role: StoreRole, _ survey: ContainerSurvey, _ legacy: LegacyStage,
        _ report: inout StageReports
    ) {
        let exists = role == .local ? survey.hasLocal : survey.hasCloud
        if stages.schema {
            report.schema = exists ? RunReport.Schema(store: role, file: files[role].name) : RunReport.Schema()
        }
        if stages.legacy {
            report.legacy =
                survey.legacyReceipt == nil
                ? legacy.reportWithoutImport(outcome: .nothingToDo) : RunReport.Legacy(doneBefore: survey.legacyReceipt)
        }
        if stages.dedupe { report.dedupe = exists ? RunReport.Dedupe(store: role) : RunReport.Dedupe() }
    }

    /// The schema plan if no stage has pending changes; otherwise nil.
    private func planWithoutWork(
        _ stages: Stages, _ role: StoreRole, _ legacy: LegacyStage, _ survey: ContainerSurvey
    ) throws(GodwitError) -> SchemaPlan? {
        let snapshot = try stores.snapshot(role, .schema)
        let plan = try schema.plan(snapshot.connection)
        var isChangedBefore = stages.schema && plan.hasWork
        if !isChangedBefore, stages.legacy, survey.legacyReceipt == nil {
            isChangedBefore = try legacy.hasWork(snapshot.connection)
        }
        if isChangedBefore {
            // A store with keys that cannot be compared is rejected before it is adopted; a schema file may correct
            // them first.
            if stages.dedupe, plan.pending.isEmpty { try dedupe.requireKeys(snapshot.connection) }
            return nil
        }
        if stages.dedupe, try stores.hasDuplicates(snapshot) { return nil }
        return plan
    }

    func write(
        _ stages: Stages, _ role: StoreRole, _ legacy: LegacyStage, _ late: LateImport?,
        _ survey: ContainerSurvey,
        _ writer: StoreWriter, created: Bool, _ report: inout StageReports
    ) throws(GodwitError) {
        let before = try writer.read(.schema) { store throws(GodwitError) in try store.readShape() }
        if stages.schema {
            report.schema = try schema.bringUpToDate(
                writer, role: role, file: files[role].name, created: created, committed: { report.schema = $0 })
            if let schema = report.schema { try plan?.require(schema, \.schema, .schema) }
        }
        // The records of a Core Data store come into this one with the copy, which has no use for seeds either.
        let isFilledByCopy = created && isCoreData && survey.hasLocal
        if isFilledByCopy {
            try writer.transaction(.schema) { connection throws(GodwitError) in
                try connection.execute("PRAGMA defer_foreign_keys=ON")
                try CopyStage.removeSeeds(of: manifest.entities, from: connection)
            }
        }
        if stages.legacy {
            report.legacy =
                survey.legacyReceipt != nil
                ? try importLate(late, survey, writer)
                : try writer.transaction(.legacy) { connection throws(GodwitError) in
                    let report = try legacy.importLegacy(within: connection)
                    try plan?.require(report, \.legacy, .legacy)
                    return report
                }
            if !isFilledByCopy { report.warnings += seedWarnings(report.legacy, before) }
        }
        if stages.dedupe {
            report.dedupe = try writer.transaction(.dedupe) { connection throws(GodwitError) in
                guard try dedupe.hasWork(connection) else { return RunReport.Dedupe(store: role) }
                let report = try dedupe.dedupe(within: connection, role: role)
                try plan?.require(report, \.dedupe, .dedupe)
                try context.faultPoint(.beforeDedupeCommit)
                return report
            }
        }
    }

    /// Imports the keys that the first import did not know, if there are any.
    func importLate(
        _ late: LateImport?, _ survey: ContainerSurvey, _ writer: StoreWriter
    ) throws(GodwitError) -> RunReport.Legacy {
        let earlier = RunReport.Legacy(doneBefore: survey.legacyReceipt)
        guard let late else { return earlier }
        var report = try writer.transaction(.legacy) { connection throws(GodwitError) in
            let report = try late.stage.importLate(late.earlier, within: connection)
            try plan?.require(report, \.legacy, .legacy)
            return report
        }
        report.earlier = earlier.earlier
        return report
    }
}
