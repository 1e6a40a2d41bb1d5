internal import GodwitModel
internal import GodwitSQLite

/// References to records that exist in neither store.
extension CopyStage {
    /// Number of orphans that the copy adds, by `Entity.column`; throws (65) for any, unless they are permitted.
    func newOrphans(
        _ earlier: EarlierOrphans, _ cloud: SQLiteConnection
    ) throws(GodwitError) -> [String: Int] {
        let found = try earlier.countNew()
        // Orphans with another rule were settled in the source before.
        let allowed = manifest.entities.flatMap { entity in
            entity.belongsTo.filter { $0.missing != .refuse }.map { "\(entity.name).\($0.column)" }
        }
        let refused = found.keys.filter { !allowed.contains($0) }
        guard !allowsOrphans, !refused.isEmpty else { return found }
        let declared = try cloud.readReferences(cloud.readShape())
        var (orphans, held): ([Orphans], [String]) = ([], [])
        for entity in manifest.entities.sorted(by: { $0.name < $1.name }) {
            for reference in entity.belongsTo.sorted(by: { $0.column < $1.column }) {
                let name = "\(entity.name).\(reference.column)"
                guard refused.contains(name), let count = found[name] else { continue }
                orphans.append(
                    Orphans(entity, reference, count: count, keys: try earlier.firstNewKeys(of: name)))
                if declared.holds(entity.name, reference.column) { held.append(name) }
            }
        }
        throw .orphans(orphans, held: held, isLater: supplement != nil)
    }
}
