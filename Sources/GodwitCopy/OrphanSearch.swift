package import GodwitModel
package import GodwitStore

/// References that point nowhere.
package struct OrphanSearch {
    private let manifest: Manifest

    package init(manifest: Manifest) { self.manifest = manifest }

    /// Orphans by `Entity.column`; columns without any are left out.
    package func count(in store: SQLiteConnection) throws(GodwitError) -> [String: Int] {
        let shape = try store.readShape()
        var found: [String: Int] = [:]
        for entity in manifest.entities where shape.table(named: entity.name) != nil {
            for reference in entity.belongsTo {
                let sql = try "SELECT count(*) FROM " + condition(entity, reference, shape, store)
                guard case .integer(let count)? = try store.first(sql), count > 0 else { continue }
                found["\(entity.name).\(reference.column)"] = Int(count)
            }
        }
        return found
    }

    /// The keys of the first orphans, for a message.
    package func firstKeys(of name: String, in store: SQLiteConnection) throws(GodwitError) -> [String] {
        let shape = try store.readShape()
        for entity in manifest.entities {
            for reference in entity.belongsTo where "\(entity.name).\(reference.column)" == name {
                let key = quoted(entity.key)
                let sql = try "SELECT \(key) FROM " + condition(entity, reference, shape, store)
                return try store.rows(sql + " ORDER BY \(key) LIMIT 3").map { $0[0].readable }
            }
        }
        return []
    }

    private func condition(
        _ entity: Entity, _ reference: Reference, _ shape: SchemaShape, _ store: SQLiteConnection
    ) throws(GodwitError) -> String {
        let column = quoted(reference.column)
        let child = "\(quoted(entity.name)) WHERE \(column) IS NOT NULL"
        guard let parent = manifest.entity(named: reference.parent), shape.table(named: parent.name) != nil else {
            return child
        }
        let key = quoted(parent.key)
        return "\(child) AND \(column) COLLATE BINARY NOT IN "
            + "(SELECT \(key) FROM \(quoted(parent.name)) WHERE \(key) IS NOT NULL)"
    }
}
