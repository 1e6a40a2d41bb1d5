internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// References whose parents have other values in the cloud store, and references that nothing declares.
extension CopyStage {
    /// Prepares references for a merge into an existing store, before anything is merged.
    ///
    /// - Returns: the private store to merge instead of the source, if necessary, and the number of references that
    ///   would refer to another record in the cloud store, by `Entity.column`.
    func settleReferences(
        of source: ComparedStore, in cloud: SQLiteConnection, _ report: inout RunReport.Copy
    ) throws(GodwitError) -> (translated: SQLiteConnection?, strays: [String: Int]) {
        let translation = ReferenceTranslation(manifest: manifest, context: context)
        let translated = try translation.translated(source.connection, within: source.whole, to: cloud)
        // Only the whole store has the parents of later records.
        if source.whole == nil {
            try CompositeReferences(manifest: manifest, source: translated ?? source.connection, cloud: cloud)
                .requireSameParents()
        }
        let strays = try source.whole == nil ? strays(in: source.connection, cloud).counts : [:]
        report.add(try unnamedReferences(source.connection, translated, cloud))
        if let translated {
            let records = try RemovedRecords(cloud, runIdentifier: runIdentifier, now: context.now)
            let sideEffectGuard = try SideEffectGuard(
                of: cloud, cloud.readShape(), entities: manifest.entities.map(\.name))
            try translation.prepare(cloud, for: translated, records, sideEffectGuard)
        }
        return (translated, strays)
    }

    /// Gives references of an existing cloud store that Godwit changed on the way there their value in the local store,
    /// before anything is merged; nil for none.
    func takeReferencesBack(
        to translated: SQLiteConnection?, of source: SQLiteConnection, in cloud: SQLiteConnection
    ) throws(GodwitError) -> [String: Int]? {
        let removed = try RemovedRecords(cloud, runIdentifier: runIdentifier, now: context.now)
        let sideEffectGuard = try SideEffectGuard(
            of: cloud, cloud.readShape(), entities: manifest.entities.map(\.name))
        let counts = try ReferencesTakenBack(
            manifest: chosen, source: source, translated: translated, cloud: cloud, records: removed,
            sideEffectGuard: sideEffectGuard, context: context, runIdentifier: runIdentifier
        ).apply()
        return counts.isEmpty ? nil : counts
    }

    /// Columns of either store with primary keys of records that get another one in the merge.
    ///
    /// Call it before anything is merged.
    ///
    /// - Parameter translated: the private store to merge instead of the source, if there is one.
    func unnamedReferences(
        _ source: SQLiteConnection, _ translated: SQLiteConnection?, _ cloud: SQLiteConnection
    ) throws(GodwitError) -> [UnnamedReference] {
        var found: [UnnamedReference] = []
        let (shape, cloudShape) = (try source.readShape(), try cloud.readShape())
        for entity in chosen.entities {
            guard let table = shape.table(named: entity.name), let other = cloudShape.table(named: entity.name),
                let by = UnnamedReferenceSearch.identifier(of: other), table.column(named: by) != nil,
                !by.isSameName(as: entity.key)
            else { continue }
            let changing = try changing(by, of: entity, source, translated, cloud)
            if changing.hasLocal {
                found += try UnnamedReferenceSearch(manifest, in: source, entitiesAlone: true).columns(holding: entity)
                {
                    value throws(GodwitError) in
                    try changing.local.has(RowIdentifier(table: entity.name, identity: [value]))
                }
            }
            guard changing.hasCloud else { continue }
            let others = try UnnamedReferenceSearch(manifest, in: cloud).columns(holding: entity) {
                value throws(GodwitError) in
                try changing.cloud.has(RowIdentifier(table: entity.name, identity: [value]))
            }
            found += others.filter { !found.contains($0) }
        }
        return found
    }

    /// Values of a column that records lose in the merge, for each store.
    private struct ChangingValues {
        let local: SpillableRowMap
        let cloud: SpillableRowMap
        var hasLocal = false
        var hasCloud = false
    }

    private func changing(
        _ by: String, of entity: Entity, _ source: SQLiteConnection, _ translated: SQLiteConnection?,
        _ cloud: SQLiteConnection
    ) throws(GodwitError) -> ChangingValues {
        func notes() -> SpillableRowMap { SpillableRowMap(stage: .copy, cancellation: context.cancellation) }
        var found = ChangingValues(local: notes(), cloud: notes())
        func note(_ value: Value, in notes: SpillableRowMap, _ has: inout Bool) throws(GodwitError) {
            guard value != .null else { return }
            try notes.note(of: RowIdentifier(table: entity.name, identity: [value]))
            has = true
        }
        func rows(_ store: SQLiteConnection) throws(GodwitError) -> SQLiteCursor {
            try store.prepare(
                store.table(for: entity, in: store.readShape()).select(by, orderedBy: entity.key, withDate: true))
        }
        if let translated {
            try EntityComparison.meet(rows(source), 0, rows(translated), 0) { order, mine, theirs throws(GodwitError) in
                guard order == 0, !mine.column(1, equals: 1, of: theirs) else { return }
                try note(mine.value(1), in: found.local, &found.hasLocal)
            }
        }
        try EntityComparison.meet(rows(translated ?? source), 0, rows(cloud), 0) {
            order, mine, theirs throws(GodwitError) in
            guard order == 0, !mine.column(1, equals: 1, of: theirs) else { return }
            if entity.isReplaced(by: mine, theirs) {
                try note(theirs.value(1), in: found.cloud, &found.hasCloud)
            } else {
                try note(mine.value(1), in: found.local, &found.hasLocal)
            }
        }
        return found
    }
}

extension GodwitError {
    /// The same error with a reference that nothing declares: if it is declared, parents may keep their own values.
    func mentioning(_ unnamed: [UnnamedReference]?) -> GodwitError {
        guard isForUniqueness, let warning = unnamed?.first?.warning else { return self }
        var error = self
        error.hint = [warning.hint, "\(warning.message)."].compactMap(\.self).joined(separator: " ")
        return error
    }
}
