internal import GodwitModel
internal import GodwitSQLite

/// Finds the relations of ordinary tables, by foreign keys, and by names if the data confirms them.
struct RelationSearch {
    let connection: SQLiteConnection
    let tables: [TableShape]
    let entities: [InspectedEntity]

    func relations(of entity: InspectedEntity) throws(GodwitError) -> [InspectedRelation] {
        var found: [InspectedRelation] = []
        for key in try foreignKeys(of: entity.table) {
            guard let target = entities.first(where: { $0.table.isSameName(as: key.table) }) else {
                found.append(
                    InspectedRelation(
                        name: key.column, target: nil, kind: "toOne", count: try count(key.column, entity), orphans: 0,
                        evidence: "foreignKey"))
                continue
            }
            let column = key.target ?? primaryKey(of: key.table) ?? target.key
            var orphans: Int64 = 0
            if let column { orphans = try self.orphans(key.column, entity, in: target, by: column) }
            found.append(
                InspectedRelation(
                    name: key.column, target: target.name, kind: "toOne", count: try count(key.column, entity),
                    orphans: orphans, evidence: "foreignKey",
                    targetColumn: column.flatMap { target.key?.isSameName(as: $0) == true ? nil : $0 }))
        }
        for column in entity.columns where !found.contains(where: { $0.name.isSameName(as: column.name) }) {
            guard let relation = try byName(column, of: entity) else { continue }
            found.append(relation)
        }
        return found
    }

    private struct ForeignKey {
        let column: String
        let table: String
        /// nil if the declaration names no column.
        let target: String?
    }

    /// The column to which a foreign key without columns refers: <https://sqlite.org/foreignkeys.html#fk_indexes>; nil
    /// if SQLite could not resolve it.
    private func primaryKey(of table: String) -> String? {
        let columns = tables.first { $0.name.isSameName(as: table) }?.columns.filter { $0.primaryKeyIndex > 0 } ?? []
        return columns.count == 1 ? columns[0].name : nil
    }

    /// Foreign keys of one column.
    ///
    /// A row is id, seq, table, from, to: <https://sqlite.org/pragma.html#pragma_foreign_key_list>
    private func foreignKeys(of table: String) throws(GodwitError) -> [ForeignKey] {
        let rows = try connection.rows("PRAGMA foreign_key_list(\(quoted(table)))")
        let several = Set(rows.filter { $0[1] != .integer(0) }.map { $0[0] })
        return rows.filter { !several.contains($0[0]) }.map {
            ForeignKey(
                column: $0[3].readable, table: $0[2].readable, target: $0[4] == .null ? nil : $0[4].readable)
        }
    }

    /// `workoutId`, `workout_uuid`: refers to a table with that name if most values are values of its key.
    private func byName(_ column: InspectedColumn, of entity: InspectedEntity) throws(GodwitError) -> InspectedRelation?
    {
        let words = NameParts(column.name).words
        guard words.count > 1, let last = words.last, ["id", "uuid", "guid", "identifier", "key"].contains(last),
            column.name != entity.key, [.uuid, .text, .integer, .boolean].contains(column.kind)
        else { return nil }
        let stem = words.dropLast().joined()
        let numbers: Set<ValueKind> = [.integer, .boolean]
        for target in entities where Self.isNamed(stem, target) {
            for held in columns(of: target) where numbers.contains(held.kind) == numbers.contains(column.kind) {
                let count = try count(column.name, entity)
                let orphans = try orphans(column.name, entity, in: target, by: held.name)
                guard count > 0, orphans * 2 < count else { continue }
                return InspectedRelation(
                    name: column.name, target: target.name, kind: "toOne", count: count, orphans: orphans,
                    evidence: "names", targetColumn: held.name == target.key ? nil : held.name)
            }
        }
        return nil
    }

    private static func isNamed(_ stem: String, _ entity: InspectedEntity) -> Bool {
        let name = NameParts(entity.name).joined
        return name == stem || NameParts.singular(name) == stem
    }

    /// The columns of an entity that a reference may hold: its key, and the column that identifies its rows.
    private func columns(of entity: InspectedEntity) -> [InspectedColumn] {
        guard let key = entity.key else { return [] }
        let table = tables.first { $0.name.isSameName(as: entity.table) }
        let names = [key, table.flatMap(UnnamedReferenceSearch.identifier)].compactMap(\.self)
        return names.compactMap { name in entity.columns.first { $0.name.isSameName(as: name) } }
    }

    private func count(_ column: String, _ entity: InspectedEntity) throws(GodwitError) -> Int64 {
        try connection.number("SELECT count(\(quoted(column))) FROM \(connection.source(entity.table))")
    }

    private func orphans(
        _ column: String, _ entity: InspectedEntity, in target: InspectedEntity, by key: String
    ) throws(GodwitError) -> Int64 {
        guard tables.contains(where: { $0.name.isSameName(as: target.table) && $0.column(named: key) != nil }) else {
            return 0
        }
        return try connection.number(
            "SELECT count(*) FROM \(connection.source(entity.table)) WHERE \(quoted(column)) IS NOT NULL "
                + "AND \(quoted(column)) COLLATE BINARY NOT IN "
                + "(SELECT \(quoted(key)) FROM \(connection.source(target.table)) WHERE \(quoted(key)) IS NOT NULL)")
    }
}
