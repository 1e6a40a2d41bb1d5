package import GodwitModel
package import GodwitSQLite

/// Finds references to records that do not exist.
package struct OrphanSearch {
    private let manifest: Manifest

    package init(manifest: Manifest) { self.manifest = manifest }

    /// Number of orphans by `Entity.column`; omits columns without any.
    package func count(in store: SQLiteConnection) throws(GodwitError) -> [String: Int] {
        var found: [String: Int] = [:]
        for column in try columns(in: store) where try column.mayHaveOrphans() {
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

    /// A column that refers to records of a parent.
    struct Column {
        /// `Entity.column`, as in reports.
        let name: String
        let table: String
        let key: String
        let reference: String
        /// Selects its orphans: `table WHERE condition`.
        let orphans: String
        /// A search for any orphan; nil if it might find none where there are some.
        fileprivate let missing: MissingValueSearch?

        /// False if it is certain that there are none, as in most stores.
        func mayHaveOrphans() throws(GodwitError) -> Bool { try missing?.mayFindAny() ?? true }
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
                        reference: column,
                        orphans:
                            "\(try store.source(entity.name)) WHERE \(try condition(column, reference, shape, store))",
                        missing: missing(entity, reference, shape, store)))
            }
        }
        return columns
    }

    private func condition(
        _ column: String, _ reference: Reference, _ shape: SchemaShape, _ store: SQLiteConnection
    ) throws(GodwitError) -> String {
        guard let parent = manifest.entity(named: reference.parent), shape.table(named: parent.name) != nil else {
            return "\(column) IS NOT NULL"
        }
        let key = quoted(reference.by ?? parent.key)
        return "\(column) IS NOT NULL AND \(column) COLLATE BINARY NOT IN "
            + "(SELECT \(key) FROM \(try store.source(parent.name)) WHERE \(key) IS NOT NULL)"
    }

    private func missing(
        _ entity: Entity, _ reference: Reference, _ shape: SchemaShape, _ store: SQLiteConnection
    ) -> MissingValueSearch? {
        guard let parent = manifest.entity(named: reference.parent) else { return nil }
        return MissingValueSearch(
            of: (entity.name, reference.column), in: (parent.name, reference.by ?? parent.key), shape, store)
    }
}
