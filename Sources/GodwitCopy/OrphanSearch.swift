package import GodwitModel
package import GodwitSQLite

/// References that point nowhere.
package struct OrphanSearch {
    private let manifest: Manifest

    package init(manifest: Manifest) { self.manifest = manifest }

    /// Orphans by `Entity.column`; columns without any are left out.
    package func count(in store: SQLiteConnection) throws(GodwitError) -> [String: Int] {
        var found: [String: Int] = [:]
        for column in try columns(in: store) where try column.mayHaveOrphans(in: store) {
            guard case .integer(let count)? = try store.first("SELECT count(*) FROM \(column.orphans)"), count > 0
            else { continue }
            found[column.name] = Int(count)
        }
        return found
    }

    /// The first of them by their keys, column by column in the order of their names, as many as a check names.
    ///
    /// - Parameter found: what `count` has found in this store.
    package func name(
        _ found: [String: Int], in store: SQLiteConnection
    ) throws(GodwitError) -> [CheckedRecord] {
        var named: [CheckedRecord] = []
        for column in try columns(in: store).sorted(by: { $0.name < $1.name }) where found[column.name] != nil {
            let room = CheckedRecord.limit - named.count
            guard room > 0 else { break }
            let keys = try store.rows("SELECT \(column.key) FROM \(column.orphans) ORDER BY 1 LIMIT \(room)")
            named += keys.map { CheckedRecord($0[0].keyText, .dangling, reference: column.name) }
        }
        return named
    }

    /// Whether a store may have any; false where it took little to find that there are none.
    package func mayFindAny(in store: SQLiteConnection) throws(GodwitError) -> Bool {
        for column in try columns(in: store) where try column.mayHaveOrphans(in: store) { return true }
        return false
    }

    /// A column that names records of a parent.
    struct Column {
        /// `Entity.column`, as reports have it.
        let name: String
        let table: String
        let key: String
        let reference: String
        /// What selects its orphans: `table WHERE condition`.
        let orphans: String
        /// What tells whether there are any by reading two indexes from front to back; nil where that might differ.
        let anyAtAll: String?

        /// False where it took no more than that to find that there are none.
        ///
        /// A look for each record jumps to and fro in the parents' index, and most stores have no orphans. Each reference
        /// is looked for once instead, in its order; only where SQLite has an index in that order, and sorts nothing.
        func mayHaveOrphans(in store: SQLiteConnection) throws(GodwitError) -> Bool {
            guard let anyAtAll else { return true }
            let steps = try store.rows("EXPLAIN QUERY PLAN \(anyAtAll)").map { $0[3].readable }
            guard steps.contains(where: { $0.hasPrefix("SEARCH godwit_parent USING ") }),
                !steps.contains(where: { $0.contains("TEMP B-TREE") || $0.contains("AUTOMATIC") })
            else { return true }
            return try store.first(anyAtAll) != nil
        }
    }

    /// The columns of all entities that a store has, in manifest order.
    func columns(in store: SQLiteConnection) throws(GodwitError) -> [Column] {
        let shape = try store.readShape()
        var columns: [Column] = []
        for entity in manifest.entities where shape.table(named: entity.name) != nil {
            for reference in entity.belongsTo {
                let (table, column) = (quoted(entity.name), quoted(reference.column))
                columns.append(
                    Column(
                        name: "\(entity.name).\(reference.column)", table: table, key: quoted(entity.key),
                        reference: column, orphans: "\(table) WHERE \(condition(column, reference, shape))",
                        anyAtAll: anyAtAll(entity, reference, shape)))
            }
        }
        return columns
    }

    private func condition(_ column: String, _ reference: Reference, _ shape: SchemaShape) -> String {
        guard let parent = manifest.entity(named: reference.parent), shape.table(named: parent.name) != nil else {
            return "\(column) IS NOT NULL"
        }
        let key = quoted(reference.by ?? parent.key)
        return "\(column) IS NOT NULL AND \(column) COLLATE BINARY NOT IN "
            + "(SELECT \(key) FROM \(quoted(parent.name)) WHERE \(key) IS NOT NULL)"
    }

    /// Only for columns whose values of a kind are equal just where they meet the same keys: 1 and 1.0 in a column of
    /// no type are one reference, and would not be the same text. <https://sqlite.org/datatype3.html#determination_of_column_affinity>
    private func anyAtAll(_ entity: Entity, _ reference: Reference, _ shape: SchemaShape) -> String? {
        guard let parent = manifest.entity(named: reference.parent), shape.table(named: parent.name) != nil,
            let type = shape.table(named: entity.name)?.column(named: reference.column)?.type.uppercased(),
            ["INT", "CHAR", "CLOB", "TEXT"].contains(where: type.contains)
        else { return nil }
        let column = quoted(reference.column)
        return """
            SELECT 1 FROM (
              SELECT DISTINCT \(column) COLLATE BINARY AS reference FROM \(quoted(entity.name))
              WHERE \(column) IS NOT NULL) AS godwit_made
            WHERE NOT EXISTS (
              SELECT 1 FROM \(quoted(parent.name)) AS godwit_parent
              WHERE godwit_parent.\(quoted(reference.by ?? parent.key)) = godwit_made.reference COLLATE BINARY)
            LIMIT 1
            """
    }
}
