internal import GodwitLedger
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitDedupe

/// Records without a parent, found ahead of the first write: the copy refuses them, and stages before it would have committed.
struct ParentRequirements: RunStep {
    let stores: StoreOpener

    /// Throws (65) for references, of the local store or of favorites to be imported, that the copy would refuse.
    func requireParents(_ legacy: LegacyStage, _ survey: ContainerSurvey) throws(GodwitError) {
        guard !survey.isSyncOff else { return }
        guard !survey.isFlagSet else { return try options.allowsOrphans ? () : requireParentsOfAdded(survey) }
        guard judged(survey).entities.contains(where: { $0.belongsTo.contains { $0.missing == .refuse } }) else {
            return
        }
        guard survey.hasLocal else { return try requireParents(in: nil, legacy, survey) }
        let local = try stores.snapshot(.local, .copy)
        try requireParents(in: local.connection, legacy, survey)
    }

    /// Throws (65) for records of entities that came into the manifest after the copy, if the cloud store lacks their parents.
    private func requireParentsOfAdded(_ survey: ContainerSurvey) throws(GodwitError) {
        guard survey.hasLocal, survey.hasCloud, let copied = survey.copyReceipt?.copiedEntities else { return }
        let added = manifest.entities(besides: copied)
        guard !added.isEmpty else { return }
        let local = try stores.snapshot(.local, .copy)
        let cloud = try stores.snapshot(.cloud, .copy)
        let found = try ParentSearch(
            manifest: manifest, stores: [local.connection, cloud.connection], planned: [],
            uncopied: manifest.entities(besides: added)
        ).orphans(in: local.connection)
        guard !found.isEmpty else { return }
        let held = found.filter { schemaFiles.references.holds($0.entity, $0.column) }
        throw GodwitError.orphans(found, held: held.map(\.reference), isLater: true)
    }

    /// Throws (65) if the copy would give records other parents by a foreign key of several columns.
    func requireSameParents(_ survey: ContainerSurvey) throws(GodwitError) {
        guard schemaFiles.references.contains(where: { $0.columns.count > 1 }), survey.hasLocal, survey.hasCloud,
            !survey.isFlagSet, !survey.isSyncOff, survey.copyReceipt == nil || survey.copyState == .notDoneHere
        else { return }
        let cloud = try stores.snapshot(.cloud, .copy)
        // If schema files or dedupe would change the records first, the copy checks again.
        guard let plan = try? schema.plan(cloud.connection), plan.pending.isEmpty,
            (try? dedupe.hasWork(cloud.connection)) == false
        else { return }
        let source = try CopySource(stores, stage: .copy)
        let translated = try ReferenceTranslation(manifest: manifest, context: context)
            .translated(source.snapshot.connection, to: cloud.connection)
        try CompositeReferences(
            manifest: manifest, source: translated ?? source.snapshot.connection, cloud: cloud.connection
        ).requireSameParents()
    }

    private func requireParents(
        in local: SQLiteConnection?, _ legacy: LegacyStage, _ survey: ContainerSurvey
    ) throws(GodwitError) {
        guard survey.hasCloud else { return try requireParents(in: local, and: nil, legacy, survey) }
        let cloud = try stores.snapshot(.cloud, .copy)
        try requireParents(in: local, and: cloud.connection, legacy, survey)
    }

    private func requireParents(
        in local: SQLiteConnection?, and cloud: SQLiteConnection?, _ legacy: LegacyStage, _ survey: ContainerSurvey
    ) throws(GodwitError) {
        var losses: [Warning] = []
        var found = try orphans(in: local, and: cloud, legacy, survey)
        guard !found.isEmpty else { return }
        if let local, isLocalWritable, try !schema.plan(local).pending.isEmpty {
            // A schema file may give them their parents, or take them away.
            let source = try CopySource(stores, stage: .copy)
            found = try orphans(in: source.snapshot.connection, and: cloud, legacy, survey)
            guard !found.isEmpty else { return }
            losses = SchemaAdvice(stores).lossWarnings(source.schema)
        }
        let held = found.filter { schemaFiles.references.holds($0.entity, $0.column) }
        var error = GodwitError.orphans(found, held: held.map(\.reference))
        if let loss = losses.first {
            // The schema files may have removed the parents.
            error.message += "; \(loss.message)"
            error.hint = loss.hint
        }
        throw try InputSurvey(stores).mentioningStores(error, survey)
    }

    private func orphans(
        in local: SQLiteConnection?, and cloud: SQLiteConnection?, _ legacy: LegacyStage, _ survey: ContainerSurvey
    ) throws(GodwitError) -> [Orphans] {
        let planned = try legacy.plannedRecords(for: isLocalWritable ? local : cloud, shape: schemaFiles.shape)
        return try ParentSearch(
            manifest: judged(survey), stores: [local, cloud].compactMap(\.self), planned: planned
        ).orphans(in: local)
    }

    /// The manifest with `missing: refuse` for each reference whose orphans the copy refuses.
    ///
    /// These include references that may keep their orphans, but that a foreign key of the new cloud store refuses. An
    /// existing cloud store may have had such orphans before; there the copy decides.
    private func judged(_ survey: ContainerSurvey) -> Manifest {
        var judged = manifest
        for (index, entity) in manifest.entities.enumerated() {
            judged.entities[index].belongsTo = entity.belongsTo.map { reference in
                guard [.refuse, .keep].contains(reference.missing) else { return reference }
                let isHeld = !survey.hasCloud && isForeignKey(reference, of: entity)
                var reference = reference
                reference.missing = isHeld || reference.missing == .refuse && !options.allowsOrphans ? .refuse : .keep
                return reference
            }
        }
        return judged
    }

    /// Whether a foreign key of this one column refers to the same column of the parent: one of several columns refuses no
    /// record with NULL in another of them.
    private func isForeignKey(_ reference: Reference, of entity: Entity) -> Bool {
        guard let by = manifest.parentColumn(of: reference) else { return false }
        return schemaFiles.referenceColumns.contains { key in
            key.table.isSameName(as: entity.name) && key.column.isSameName(as: reference.column)
                && key.parent.isSameName(as: reference.parent) && key.parentColumn.isSameName(as: by)
        }
    }
}
