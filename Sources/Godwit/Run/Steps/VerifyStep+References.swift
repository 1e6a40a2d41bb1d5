internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy

/// Checks the references in one store: its own foreign keys, and the manifest's `belongsTo`.
extension VerifyStep {
    /// A foreign key that records of a store break.
    private struct BrokenKey {
        /// `table.column+column to parent`.
        let place: String
        let count: Int64
        let records: [RunReport.Verify.Record]
    }

    /// Every foreign key refers to a record that exists.
    ///
    /// One that the schema files leave out of a table which they make is not theirs to prove: the app broke it before
    /// Godwit came, and `init` left it out for that.
    func verifyForeignKeys(
        _ connection: SQLiteConnection, _ role: StoreRole
    ) throws(GodwitError) -> RunReport.Verify.Check {
        let label = "foreignKeys.\(role.rawValue)"
        let name = files[role].name
        let (broken, excused) = try brokenKeys(connection, role)
        guard broken.isEmpty else {
            let count = broken.reduce(0) { $0 + $1.count }
            let named = broken.prefix(3).map(\.place).joined(separator: ", ") + (broken.count > 3 ? " …" : "")
            return RunReport.Verify.Check(
                label, .failed, "\(Self.phrase(broken: count, of: name)): \(named)", count: count,
                records: Array(broken.flatMap(\.records).prefix(RunReport.Verify.Record.limit)))
        }
        guard excused > 0 else {
            return RunReport.Verify.Check(label, .passed, "no foreign key of \(name) is broken", count: 0)
        }
        return RunReport.Verify.Check(
            label, .skipped,
            "\(Self.phrase(broken: excused, of: name)): accepted, because the manifest allows missing parents, or the "
                + "schema files leave out the foreign key",
            count: excused)
    }

    /// The foreign keys that records break, and how many records break others, which are not the schema files' to prove.
    private func brokenKeys(
        _ connection: SQLiteConnection, _ role: StoreRole
    ) throws(GodwitError) -> (broken: [BrokenKey], excused: Int64) {
        let shape = try connection.readShape()
        var (broken, excused): ([BrokenKey], Int64) = ([], 0)
        for table in shape.tables {
            for state in try connection.referenceStates(of: table.name, in: shape) where state.dangling > 0 {
                let isOurs =
                    schemaFiles.shape.table(named: table.name) == nil
                    || schemaFiles.references.contains(state.reference(of: table.name))
                let isAllowed = state.columns.count == 1 && allowsMissing(table.name, state.columns[0], role)
                guard !isAllowed, isOurs || role == .cloud else {
                    excused += state.dangling
                    continue
                }
                let reference = "\(table.name).\(state.columns.joined(separator: "+"))"
                let records = try names(of: state.firstRows, in: table, connection)
                broken.append(
                    BrokenKey(
                        place: "\(reference) to \(state.parent)", count: state.dangling,
                        records: records.map { RunReport.Verify.Record($0, .dangling, reference: reference) }))
            }
        }
        return (broken, excused)
    }

    /// Whether the manifest says what a copy does with records of the local store that lack this parent, or keeps them.
    private func allowsMissing(_ table: String, _ column: String, _ role: StoreRole) -> Bool {
        manifest.entities.contains { entity in
            entity.name.isSameName(as: table)
                && entity.belongsTo.contains {
                    $0.column.isSameName(as: column) && (role == .local ? $0.missing != .refuse : $0.missing == .keep)
                }
        }
    }

    /// Names for records of a table: their keys, or else their rowids.
    private func names(
        of rows: [Int64], in table: TableShape, _ connection: SQLiteConnection
    ) throws(GodwitError) -> [String] {
        guard let rowid = table.rowidName else { return [] }
        let primary = table.columns.filter { $0.primaryKeyIndex > 0 }
        let entity = manifest.entities.first { $0.name.isSameName(as: table.name) }
        guard let key = entity?.key ?? (primary.count == 1 ? primary[0].name : nil) else {
            return rows.map { "rowid \($0)" }
        }
        var names: [String] = []
        for row in rows {
            let found = try connection.first(
                "SELECT \(quoted(key)) FROM \(connection.source(table.name)) WHERE \(rowid) = ?1", [.integer(row)])
            names.append(found.map(\.keyText) ?? "rowid \(row)")
        }
        return names
    }

    private static func phrase(broken: Int64, of name: String) -> String {
        "\(broken.counted("foreign key")) of \(name) \(broken == 1 ? "is" : "are") broken"
    }

    /// Every reference of the manifest refers to a record that exists.
    func verifyReferences(
        _ connection: SQLiteConnection, _ role: StoreRole
    ) throws(GodwitError) -> RunReport.Verify.Check {
        let label = "references.\(role.rawValue)"
        let search = OrphanSearch(manifest: manifest)
        let orphans = try search.count(in: connection)
        guard !orphans.isEmpty else {
            return RunReport.Verify.Check(label, .passed, "every reference names an existing record")
        }
        let detail = orphans.sorted { $0.key < $1.key }.map { "\($0.value.grouped) in \($0.key)" }.joined(
            separator: ", ")
        let allowed =
            options.allowsOrphans
            || manifest.entities.allSatisfy { entity in
                entity.belongsTo.allSatisfy {
                    orphans["\(entity.name).\($0.column)"] == nil || allowsMissing(entity.name, $0.column, role)
                }
            }
        return RunReport.Verify.Check(
            label, allowed ? .skipped : .failed, "references to records that do not exist: \(detail)",
            records: try search.name(orphans, in: connection))
    }
}
