internal import GodwitFiles
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitDedupe

/// The stages that write to the structured store: schema, legacy, dedupe. Looked at first, and the store opened for
/// writing only when at least one of them has something to do, so that a finished container is not touched.
extension Session {
    /// Which of the three a command asks for.
    struct StructuredStages: Sendable {
        var schema = false
        var legacy = false
        var dedupe = false

        var isEmpty: Bool { !schema && !legacy && !dedupe }
    }

    /// Carries out the stages asked for; each fills in its part of the report.
    func workOnStructuredStore(
        _ stages: StructuredStages, survey: ContainerSurvey, report: inout RunReport, copiesNext: Bool = false
    ) throws(GodwitError) {
        guard !stages.isEmpty else { return }
        let inputs = stages.legacy && survey.legacyReceipt == nil ? try readLegacy(isAhead: true) : []
        let legacy = self.legacy(inputs, isBeforeCopy: !survey.isFlagSet)
        let late = stages.legacy ? try lateImport(survey) : nil
        let isMissing = isLocalWritable ? !survey.hasLocal : !survey.hasCloud
        let makesStore = isMissing && stages.schema ? try isWorthAStore(inputs, legacy) : false
        let role = survey.writtenStore(isLocalWritable: isLocalWritable, makesLocal: makesStore)
        guard try files[role].exists() else {
            guard makesStore else { return reportNothing(stages, role, survey, legacy, &report) }
            if copiesNext { try requireParents(legacy, survey) }
            return try createStore(role, stages, legacy, late, survey, &report)
        }
        if late == nil, let plan = try planWithoutWork(stages, role, legacy, survey) {
            // Nothing depends on it: whoever opens the store next would do the same.
            try? settleInterruptedWrite(role, .schema)
            reportNothing(stages, role, survey, legacy, &report)
            if stages.schema {
                report.schema = schema.report(plan, role: role, file: files[role].name, created: false)
            }
            return
        }
        if copiesNext {
            try requireParents(legacy, survey)
            try requireSameParents(survey)
        }
        try snapshot(role, .schema).connection.refuseMirrored()
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

    /// What the report says where no stage has anything to do; a stage that has is reported when it is through.
    private func reportNothing(
        _ stages: StructuredStages, _ role: StoreRole, _ survey: ContainerSurvey, _ legacy: LegacyStage,
        _ report: inout RunReport
    ) {
        let exists = role == .local ? survey.hasLocal : survey.hasCloud
        if stages.schema { report.schema = exists ? SchemaReport(store: role, file: files[role].name) : SchemaReport() }
        if stages.legacy {
            report.legacy =
                survey.legacyReceipt == nil
                ? legacy.reportWithoutImport(outcome: .nothingToDo) : LegacyReport(doneBefore: survey.legacyReceipt)
        }
        if stages.dedupe { report.dedupe = exists ? DedupeReport(store: role) : DedupeReport() }
    }

    /// The schema's plan where no stage has anything to do; nil where one has.
    private func planWithoutWork(
        _ stages: StructuredStages, _ role: StoreRole, _ legacy: LegacyStage, _ survey: ContainerSurvey
    ) throws(GodwitError) -> SchemaPlan? {
        let snapshot = try snapshot(role, .schema)
        let plan = try schema.plan(snapshot.connection)
        var isChangedBefore = stages.schema && plan.hasWork
        if !isChangedBefore, stages.legacy, survey.legacyReceipt == nil {
            isChangedBefore = try legacy.hasWork(snapshot.connection)
        }
        if isChangedBefore {
            // A store whose keys can't be compared is refused before it is adopted; a migration may mend them first.
            if stages.dedupe, plan.pending.isEmpty { try dedupe.requireKeys(snapshot.connection) }
            return nil
        }
        if stages.dedupe, try hasDuplicates(snapshot) { return nil }
        return plan
    }

    private func write(
        _ stages: StructuredStages, _ role: StoreRole, _ legacy: LegacyStage, _ late: LateImport?,
        _ survey: ContainerSurvey,
        _ writer: StoreWriter, created: Bool, _ report: inout RunReport
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
                guard try dedupe.hasWork(connection) else { return DedupeReport(store: role) }
                let report = try dedupe.dedupe(within: connection, role: role)
                try plan?.require(report, \.dedupe, .dedupe)
                try context.faultPoint(.beforeDedupeCommit)
                return report
            }
        }
    }

    /// Imports what the first import did not know of, where there is any.
    private func importLate(
        _ late: LateImport?, _ survey: ContainerSurvey, _ writer: StoreWriter
    ) throws(GodwitError) -> LegacyReport {
        let earlier = LegacyReport(doneBefore: survey.legacyReceipt)
        guard let late else { return earlier }
        var report = try writer.transaction(.legacy) { connection throws(GodwitError) in
            let report = try late.stage.importLate(late.earlier, within: connection)
            try plan?.require(report, \.legacy, .legacy)
            return report
        }
        report.earlier = earlier.earlier
        return report
    }

    /// That a legacy value met a record in a table that is only there since this run: a schema file put it there, and no
    /// user chose it.
    private func seedWarnings(_ legacy: LegacyReport?, _ before: SchemaShape) -> [Warning] {
        let lines = legacy?.ledger.filter { $0.bucket == .alreadyPresent } ?? []
        let entities = manifest.entities.map(\.name).filter { name in
            before.table(named: name) == nil
                && lines.contains { $0.into.map { $0 == name || $0.hasPrefix(name + ".") } ?? false }
        }
        return entities.map { name in
            Warning(
                "seedBeforeLegacy",
                "Legacy values for \(name) were not imported: a schema file of this run put a record there first.",
                hint:
                    "They are still in the legacy file. Use a DEFAULT of the columns, or let the app make the record, "
                    + "instead of an INSERT in the schema file.")
        }
    }

    /// A new store is made under a temporary name and renamed into place when schema and legacy values are in it.
    private func createStore(
        _ role: StoreRole, _ stages: StructuredStages, _ legacy: LegacyStage, _ late: LateImport?,
        _ survey: ContainerSurvey,
        _ report: inout RunReport
    ) throws(GodwitError) {
        let target = files[role].path
        try context.requireBackup(beforeWriting: target)
        try PathText.makeDirectories(PathText.directory(of: target), inside: files.container.root)
        let temporary = OwnFiles.temporaryPath(beside: target, identifier: context.makeIdentifier())
        do throws(GodwitError) {
            let writer = try StoreWriter(
                creatingTemporary: temporary, name: files[role].name, stage: .schema, context: context,
                ownedLike: FileOwnership(of: files.preferences[0].path))
            try write(stages, role, legacy, late, survey, writer, created: true, &report)
            try writer.close(.schema)
            try AtomicFile.putStoreInPlace(temporary, at: target, name: files[role].name, stage: .schema)
        } catch {
            OwnFiles.removeTemporary(temporary)
            // Committed inside a file that is gone.
            (report.schema, report.legacy, report.dedupe) = (nil, nil, nil)
            throw error
        }
    }
}
