internal import GodwitModel
internal import GodwitStore

/// References to records that neither store has.
extension CopyStage {
    /// How many orphans the copy brings, by `Entity.column`; throws (65) for any, unless they are allowed.
    func newOrphans(
        _ earlier: EarlierOrphans, _ cloud: SQLiteConnection
    ) throws(GodwitError) -> [String: Int] {
        let found = try earlier.countNew()
        // What is settled otherwise is out of the source already.
        let allowed = manifest.entities.flatMap { entity in
            entity.belongsTo.filter { $0.missing != .refuse }.map { "\(entity.name).\($0.column)" }
        }
        let refused = found.keys.filter { !allowed.contains($0) }
        guard !allowsOrphans, let name = refused.min(), let count = found[name] else { return found }
        throw .orphans(count, of: name, keys: try earlier.firstNewKeys(of: name), isHeld: try isHeld(name, by: cloud))
    }

    /// Whether a foreign key of the store stands behind a column, named as `Entity.column`.
    private func isHeld(_ name: String, by cloud: SQLiteConnection) throws(GodwitError) -> Bool {
        let columns = manifest.entities.flatMap { entity in entity.belongsTo.map { (entity.name, $0.column) } }
        guard let (table, column) = columns.first(where: { "\($0).\($1)" == name }) else { return false }
        return try cloud.readReferences(cloud.readShape()).contains {
            $0.table == table.foldedName && $0.columns.contains(column.foldedName)
        }
    }
}
