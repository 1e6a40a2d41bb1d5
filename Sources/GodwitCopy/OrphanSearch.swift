package import GodwitModel
package import GodwitStore

/// References that point nowhere.
package struct OrphanSearch {
    private let manifest: Manifest

    package init(manifest: Manifest) { self.manifest = manifest }

    /// Orphans by `Entity.column`; columns without any are left out.
    package func count(in store: SQLiteConnection) throws(GodwitError) -> [String: Int] {
        var found: [String: Int] = [:]
        for column in try columns(in: store) {
            guard case .integer(let count)? = try store.first("SELECT count(*) FROM \(column.orphans)"), count > 0
            else { continue }
            found[column.name] = Int(count)
        }
        return found
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
                        reference: column, orphans: "\(table) WHERE \(condition(column, reference, shape))"))
            }
        }
        return columns
    }

    private func condition(_ column: String, _ reference: Reference, _ shape: SchemaShape) -> String {
        guard let parent = manifest.entity(named: reference.parent), shape.table(named: parent.name) != nil else {
            return "\(column) IS NOT NULL"
        }
        let key = quoted(parent.key)
        return "\(column) IS NOT NULL AND \(column) COLLATE BINARY NOT IN "
            + "(SELECT \(key) FROM \(quoted(parent.name)) WHERE \(key) IS NOT NULL)"
    }
}
