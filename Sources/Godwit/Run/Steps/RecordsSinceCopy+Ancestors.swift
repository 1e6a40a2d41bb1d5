internal import GodwitModel
internal import GodwitSQLite

/// Parents that come along: those that the cloud store lacks.
extension RecordsSinceCopy {
    /// Notes the parents of the noted records, and their parents, until the cloud store lacks no more.
    func noteAncestors(
        _ tables: [EntityTable?], in store: SQLiteConnection, besides cloud: SQLiteConnection
    ) throws(GodwitError) {
        let shape = try cloud.readShape()
        var hasFound = true
        while hasFound {
            hasFound = false
            for (place, table) in tables.enumerated() {
                guard let table else { continue }
                for reference in table.entity.belongsTo {
                    let parentPlace = manifest.entities.firstIndex { $0.name.utf8.elementsEqual(reference.parent.utf8) }
                    guard let parentPlace, let parent = tables[parentPlace] else { continue }
                    let wanted = try parents(parent, parentPlace, of: table, place, by: reference, in: store)
                    for key in try lacking(wanted, of: parent.entity, in: cloud, shape) {
                        try store.execute("INSERT OR IGNORE INTO \(Self.notes) VALUES (\(parentPlace), ?)", [key])
                        hasFound = true
                    }
                }
            }
        }
    }

    /// Warns that records from before the copy come back to the cloud store, because they are parents of copied
    /// records.
    ///
    /// - Parameter source: the copied records, after `removeOthers`.
    func parentWarnings(in source: SQLiteConnection) throws(GodwitError) -> [Warning] {
        var counts: [String] = []
        var total: Int64 = 0
        for entity in manifest.entities where !isWhole(entity) {
            let count = try countOlder(of: entity, in: source)
            if count > 0 { counts.append("\(count.grouped) `\(entity.name)`") }
            total += count
        }
        guard total > 0 else { return [] }
        return [
            Warning(
                "copiedAgain",
                "the cloud store lacks parents of records that this copy inserts, so it inserts these from before the "
                    + "copy of \(since) as well: \(counts.joined(separator: ", "))",
                hint: "If users had deleted them from the cloud store, delete them again in the app.")
        ]
    }

    /// The keys of parents of noted records that are not noted themselves.
    private func parents(
        _ parent: EntityTable, _ parentPlace: Int, of table: EntityTable, _ place: Int, by reference: Reference,
        in store: SQLiteConnection
    ) throws(GodwitError) -> [Value] {
        try store.rows(
            """
            SELECT DISTINCT parent.\(parent.key) FROM \(store.source(table.entity.name, as: "child", in: "main"))
            JOIN \(Self.notes) AS kept ON kept.entity = \(place) AND kept.key IS child.\(table.key) COLLATE BINARY
            JOIN \(store.source(parent.entity.name, as: "parent", in: "main"))
              ON parent.\(quoted(reference.by ?? parent.entity.key)) = child.\(quoted(reference.column)) COLLATE BINARY
            WHERE parent.\(parent.key) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(Self.notes) AS noted
              WHERE noted.entity = \(parentPlace) AND noted.key IS parent.\(parent.key) COLLATE BINARY)
            """
        ).map { $0[0] }
    }

    /// The keys that the cloud store lacks; reads its keys once, because they may have no index.
    func lacking(
        _ keys: [Value], of entity: Entity, in cloud: SQLiteConnection, _ shape: SchemaShape
    ) throws(GodwitError) -> [Value] {
        guard !keys.isEmpty, shape.table(named: entity.name) != nil else { return keys }
        let table = try cloud.table(for: entity, in: shape)
        let rows = try cloud.prepare("SELECT \(table.key) FROM main.\(table.source)")
        var lacking = Set(keys)
        while !lacking.isEmpty, try rows.step() { lacking.remove(rows.value(0)) }
        return keys.filter(lacking.contains)
    }
}
