internal import GodwitCopy
internal import GodwitMigrate
internal import GodwitModel
internal import GodwitStore

/// Records without a parent, found ahead of the first write: the copy refuses them, and stages before it would have committed.
extension Session {
    /// Throws (65) for the first reference, of the local store or of favorites to be imported, that the copy would refuse.
    func requireParents(_ legacy: LegacyStage, _ survey: Survey) throws(GodwitError) {
        guard !options.allowsOrphans, !survey.isFlagSet, !survey.isSyncOff,
            manifest.entities.contains(where: { $0.belongsTo.contains { $0.missing == .refuse } })
        else { return }
        guard survey.hasLocal else { return try requireParents(in: nil, legacy, survey) }
        let local = try snapshot(.local, .copy)
        try requireParents(in: local.connection, legacy, survey)
    }

    private func requireParents(
        in local: SQLiteConnection?, _ legacy: LegacyStage, _ survey: Survey
    ) throws(GodwitError) {
        guard survey.hasCloud else { return try requireParents(in: local, and: nil, legacy) }
        let cloud = try snapshot(.cloud, .copy)
        try requireParents(in: local, and: cloud.connection, legacy)
    }

    private func requireParents(
        in local: SQLiteConnection?, and cloud: SQLiteConnection?, _ legacy: LegacyStage
    ) throws(GodwitError) {
        guard var found = try firstOrphans(in: local, and: cloud, legacy) else { return }
        if let local, isLocalWritable, try !schema.plan(local).pending.isEmpty {
            // A schema file may give them their parents, or take them away.
            let source = try PreparedSource(self, stage: .copy)
            guard let left = try firstOrphans(in: source.snapshot.connection, and: cloud, legacy) else { return }
            found = left
        }
        throw .orphans(
            found.count, of: found.reference, keys: found.keys,
            isHeld: schemaFiles.references.contains {
                $0.table == found.entity.foldedName && $0.columns.contains(found.column.foldedName)
            })
    }

    private func firstOrphans(
        in local: SQLiteConnection?, and cloud: SQLiteConnection?, _ legacy: LegacyStage
    ) throws(GodwitError) -> ParentSearch.Orphans? {
        let planned = try legacy.plannedRecords(for: isLocalWritable ? local : cloud, shape: schemaFiles.shape)
        return try ParentSearch(
            manifest: manifest, stores: [local, cloud].compactMap(\.self), planned: planned
        ).firstOrphans(in: local)
    }
}
