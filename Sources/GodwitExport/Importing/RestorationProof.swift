internal import GodwitModel
internal import GodwitSQLite

/// Proves a restored store: an export of it must have the document's own hash.
///
/// It is read through a new connection after the commit, and the hash covers every name, type, count and value, also of
/// generated columns.
struct RestorationProof {
    let context: RunContext

    /// Throws (65) if the hashes differ.
    func require(_ filled: ImportStage.Filled, at path: String, name: String) throws(GodwitError) {
        let snapshot = try StoreSnapshot(
            of: path, name: name, stage: .import, context: context, checkingIntegrity: false)
        let store = snapshot.connection
        let shape = try store.readShape()
        var tables: [ExportedTable] = []
        for announced in filled.entities {
            let table = try store.table(for: Entity(name: announced.name, key: announced.key), in: shape)
            let count = try store.countRecords(of: announced.name)
            // An increment does not contain the final counts; the hash proves them.
            guard filled.increment != nil || count == announced.count else {
                throw Self.difference(
                    "`\(name)` would have \(count.counted("record")) of \(announced.name), not "
                        + "\(announced.count.grouped)"
                )
            }
            tables.append(ExportedTable(table, as: announced, count: count))
        }
        var sink = ExportSink()
        let reading = try ExportReading(store, tables, context, stage: .import)
        _ = try EntitiesWriter(reading, context: context, stage: .import, isLast: true).write(tables, to: &sink)
        let hash = try sink.endArray()
        guard hash == filled.sha256 else {
            throw Self.difference(
                "`\(name)` would not give the same export again: its content differs")
        }
    }

    private static func difference(_ what: String) -> GodwitError {
        GodwitError(
            .import, .data, what,
            hint: "Check the triggers of the schema files, or use another export.")
    }
}
