internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema

/// Warnings about schema files: data that they take away, and the notes of the app's own migrator.
struct SchemaAdvice: RunStep {
    let stores: StoreOpener

    /// Warns that the app's migrator does not know the changes of schema files: it would repeat these changes, and may
    /// fail.
    func migratorWarnings(_ schema: RunReport.Schema?) throws(GodwitError) -> [Warning] {
        guard let schema, let notes = schema.migratorNotes, let last = schema.applied.last else { return [] }
        return [
            Warning(
                "migratorBehind",
                "schema files up to V\(last.version) change `\(schema.file ?? "the store")`, but "
                    + "not the table of the app's own migrator: \(notes.joined(separator: ", "))",
                hint: try adviceToNote(in: schema.store ?? .local, notes))
        ]
    }

    /// A schema file is also applied to a new store, which has no table of the migrator yet.
    private func adviceToNote(in role: StoreRole, _ notes: [String]) throws(GodwitError) -> String {
        let next = SchemaFile.title(schemaFiles.latest + 1, "migrator_note")
        let safe = "make the app's migration safe to run again"
        let store = try stores.snapshot(role, .schema).connection
        let shape = try store.readShape()
        var statements: [String] = []
        for name in notes {
            guard let table = shape.table(named: name) else {
                statements.append("PRAGMA user_version = N;")
                continue
            }
            guard let made = try store.statements(toMake: table)?.first else {
                return "In the app, \(safe): a schema file can't make \(name) in a new store."
            }
            let columns = table.storedColumns.map { quoted($0.name) }.joined(separator: ", ")
            statements.append(
                made.replacing("CREATE TABLE", with: "CREATE TABLE IF NOT EXISTS", maxReplacements: 1) + ";")
            statements.append("INSERT OR REPLACE INTO \(quoted(table.name))(\(columns)) VALUES (…);")
        }
        return "Write the migrator's row in a new schema file \(next).sql: \(statements.joined(separator: " ")) "
            + "Or \(safe)."
    }

    /// That a schema file does nothing: it can't be edited any more once it was applied.
    func emptyFileWarnings(_ schema: RunReport.Schema?) -> [Warning] {
        (schema?.applied ?? []).compactMap { applied in
            let file = schemaFiles.files[applied.version - 1]
            guard file.hasNoStatement else { return nil }
            return Warning(
                "emptySchemaFile", "\(file.fileName) has no statement, so there is nothing to apply",
                hint: "Write its statements, or remove the file, before it is applied.",
                position: GodwitError.Position(file: PathText.join(schemaFiles.directory, file.fileName)))
        }
    }

    /// That schema files take data away.
    func lossWarnings(_ schema: RunReport.Schema?) -> [Warning] {
        (schema?.losses ?? []).map { loss in
            let file = schemaFiles.files[loss.version - 1].fileName
            let doer = loss.isOfAnyVersion ? "the schema files up to \(file) remove" : "\(file) removes"
            return Warning(
                "destructiveSchema", "\(doer) \(loss.what) from `\(schema?.file ?? "the store")`",
                hint:
                    "If this is not intended, copy the data to its new table or column in the schema file."
                    + (options.backupPath == nil
                        ? Wording.text(
                            commandLine: " To be able to roll back, add --backup DIR to the run.",
                            library: " To be able to roll back, set `MigrationOptions.backupFolder`.") : ""),
                position: GodwitError.Position(file: PathText.join(schemaFiles.directory, file)))
        }
    }
}
