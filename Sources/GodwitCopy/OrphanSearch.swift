package import GodwitModel
package import GodwitSQLite

/// Finds references to records that do not exist.
package struct OrphanSearch {
    private let manifest: Manifest

    package init(manifest: Manifest) { self.manifest = manifest }

    /// Number of orphans by `Entity.column`; omits columns without any.
    package func count(in store: SQLiteConnection) throws(GodwitError) -> [String: Int] {
        var found: [String: Int] = [:]
        for column in try columns(in: store) where try column.mayHaveOrphans(in: store) {
            guard case .integer(let count)? = try store.first("SELECT count(*) FROM \(column.orphans)"), count > 0
            else { continue }
            found[column.name] = Int(count)
        }
        return found
    }

    /// The first orphans by key, in the order of column names, as many as a check lists.
    package func name(
        _ found: [String: Int], in store: SQLiteConnection
    ) throws(GodwitError) -> [RunReport.Verify.Record] {
        var named: [RunReport.Verify.Record] = []
        for column in try columns(in: store).sorted(by: { $0.name < $1.name }) where found[column.name] != nil {
            let room = RunReport.Verify.Record.limit - named.count
            guard room > 0 else { break }
            let keys = try store.rows("SELECT \(column.key) FROM \(column.orphans) ORDER BY 1 LIMIT \(room)")
            named += keys.map { RunReport.Verify.Record($0[0].keyText, .dangling, reference: column.name) }
        }
        return named
    }

    /// Whether a store may have orphans; false if a cheap query found none.
    package func mayFindAny(in store: SQLiteConnection) throws(GodwitError) -> Bool {
        for column in try columns(in: store) where try column.mayHaveOrphans(in: store) { return true }
        return false
    }

    /// A column that refers to records of a parent.
    struct Column {
        /// `Entity.column`, as in reports.
        let name: String
        let table: String
        let key: String
        let reference: String
        /// Selects its orphans: `table WHERE condition`.
        let orphans: String
        /// A query for any orphan that reads two indexes in order; nil if its result might differ.
        let anyAtAll: String?

        /// False if that query is cheap and found none.
        ///
        /// Searching for each record's parent reads the parents' index in random order, and most stores have no
        /// orphans. This searches for each distinct reference once, in order, and only if SQLite has an index in that
        /// order and sorts nothing.
        func mayHaveOrphans(in store: SQLiteConnection) throws(GodwitError) -> Bool {
            guard let anyAtAll else { return true }
            let steps = try store.rows("EXPLAIN QUERY PLAN \(anyAtAll)").map { $0[3].readable }
            guard steps.contains(where: { $0.hasPrefix("SEARCH godwit_parent USING ") }),
                !steps.contains(where: { $0.contains("TEMP B-TREE") || $0.contains("AUTOMATIC") })
            else { return true }
            return try store.first(anyAtAll) != nil
        }
    }

    /// The reference columns of all entities in a store, in manifest order.
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

    /// Only for columns with a type, because in a column without a type 1 and 1.0 are one reference, but different
    /// texts. <https://sqlite.org/datatype3.html#determination_of_column_affinity>
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
