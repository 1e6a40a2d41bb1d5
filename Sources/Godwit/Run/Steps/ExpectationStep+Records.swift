internal import GodwitModel
internal import GodwitSQLite

/// The records that an expectation selects.
extension ExpectationStep {
    func records(
        _ selections: [RecordSelection], _ role: StoreRole?, file: String
    ) throws(GodwitError) -> [LegacyValue] {
        guard !selections.isEmpty else { return [] }
        for selection in selections where manifest.entity(named: selection.entity) == nil {
            throw Self.unknown("entity '\(selection.entity)'", file, manifest.entities.map(\.name))
        }
        guard let role else { return try selections.map { selection throws(GodwitError) in try missing(selection) } }
        let snapshot = try stores.snapshot(role, .verify)
        let shape = try snapshot.connection.readShape()
        var found: [LegacyValue] = []
        for selection in selections {
            guard let entity = manifest.entity(named: selection.entity), shape.table(named: entity.name) != nil else {
                found.append(try missing(selection))
                continue
            }
            let table = try snapshot.connection.table(for: entity, in: shape)
            found += try records(selection, table, snapshot.connection, file: file)
        }
        return found
    }

    private func records(
        _ selection: RecordSelection, _ table: EntityTable, _ store: SQLiteConnection, file: String
    ) throws(GodwitError) -> [LegacyValue] {
        for name in selection.columns where !table.columns.contains(where: { $0.isSameName(as: name) }) {
            throw Self.unknown("column '\(name)' of \(selection.entity)", file, table.columns)
        }
        let columns = selection.columns.isEmpty ? table.columns : selection.columns
        let rows = try store.rows(
            """
            SELECT \(columns.map(quoted).joined(separator: ", ")) FROM main.\(table.source)
            WHERE \(table.key) COLLATE BINARY IS ?
            """, [selection.key])
        guard !rows.isEmpty else { return [try missing(selection)] }
        return try rows.map { row throws(GodwitError) in
            var values: [LegacyPair] = []
            for (name, value) in zip(columns, row) {
                values.append(LegacyPair(key: name, value: try LegacyValue(stored: value)))
            }
            return .dictionary([
                LegacyPair(key: "entity", value: .string(selection.entity)),
                LegacyPair(key: "key", value: try LegacyValue(stored: selection.key)),
                LegacyPair(key: "columns", value: .dictionary(values)),
            ])
        }
    }

    private func missing(_ selection: RecordSelection) throws(GodwitError) -> LegacyValue {
        .dictionary([
            LegacyPair(key: "entity", value: .string(selection.entity)),
            LegacyPair(key: "key", value: try LegacyValue(stored: selection.key)),
            LegacyPair(key: "isMissing", value: .bool(true)),
        ])
    }

    private static func unknown(_ what: String, _ file: String, _ known: [String]) -> GodwitError {
        GodwitError(
            .verify, .data, "`select` of `\(file)` names \(what), which does not exist",
            hint: "Use one of \(known.joined(separator: ", ")).")
    }
}
