internal import GodwitFiles
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitSQLite

/// A store that is made for legacy values, and the records that schema files put in it.
extension StructuredStep {
    /// That a legacy value met a record in a table that is only there since this run: a schema file put it there, and no
    /// user chose it.
    func seedWarnings(_ legacy: RunReport.Legacy?, _ before: SchemaShape) -> [Warning] {
        let lines =
            legacy?.ledger.filter { line in
                line.bucket == .alreadyPresent
                    || line.bucket == .conflict && line.note?.contains(LegacyPlanner.emptyColumn) == true
            } ?? []
        let entities = manifest.entities.map(\.name).filter { name in
            before.table(named: name) == nil
                && lines.contains { $0.into.map { $0 == name || $0.hasPrefix(name + ".") } ?? false }
        }
        return entities.map { name in
            Warning(
                "seedBeforeLegacy",
                "legacy values for `\(name)` were not imported: a schema file of this run inserted a record first",
                hint:
                    "Use a DEFAULT of the columns instead of an INSERT in the schema file, or let the app "
                    + "make the record; the values are still in the preferences file.")
        }
    }

    /// A new store is made under a temporary name and renamed into place when schema and legacy values are in it.
    func createStore(
        _ role: StoreRole, _ stages: Stages, _ legacy: LegacyStage, _ late: LateImport?,
        _ survey: ContainerSurvey,
        _ report: inout StageReports
    ) throws(GodwitError) {
        let target = files[role].path
        try context.requireBackup(beforeWriting: target)
        try PathText.makeDirectories(PathText.directory(of: target), inside: files.container.root)
        let temporary = OwnFiles.temporaryPath(nextTo: target, identifier: context.makeIdentifier())
        do throws(GodwitError) {
            let writer = try StoreWriter(
                creatingTemporary: temporary, name: files[role].name, stage: .schema, context: context,
                ownedLike: FileOwnership(of: files.preferences[0].path))
            try write(stages, role, legacy, late, survey, writer, created: true, &report)
            try writer.close(.schema)
            try AtomicFile.putStoreInPlace(temporary, at: target, name: files[role].name, stage: .schema)
        } catch {
            OwnFiles.removeTemporary(temporary)
            // These were committed in a file that was removed.
            (report.schema, report.legacy, report.dedupe) = (nil, nil, nil)
            throw error
        }
    }
}
