internal import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// Translates the references of a source to values that identify the same parents in the cloud store.
///
/// A reference may contain a column of its parent that is not the key, such as a rowid. Then two stores may identify
/// one parent by two values, or two parents by one value. Records are compared and merged by key. So a private copy of
/// the source gets the cloud store's values of such a column, and its references follow. A parent that only the source
/// has, and whose value another parent has in the cloud store, gets an unused value.
/// Invariant: in the private copy, each record refers to the same parent, by its key, as in the source.
package struct ReferenceTranslation {
    let manifest: Manifest
    let context: RunContext

    package init(manifest: Manifest, context: RunContext) {
        (self.manifest, self.context) = (manifest, context)
    }

    /// A column of a parent that is not its key, and that references contain.
    struct Target {
        let parent: Entity
        let column: String

        /// Whether the column identifies rows: then it has no other meaning, and keeps the value of the cloud store.
        ///
        /// Any other column is data of the record, and is taken from the record that wins.
        func isIdentifier(in shape: TableShape) -> Bool {
            UnnamedReferenceSearch.identifier(of: shape)?.isSameName(as: column) == true
        }

        /// Identifiers of duplicates that an undo would restore in the cloud store; nil if there are none.
        func removedValues(
            in cloud: SQLiteConnection, _ shape: TableShape, _ context: RunContext
        ) throws(GodwitError) -> SpillableRowMap? {
            guard isIdentifier(in: shape) else { return nil }
            var found: SpillableRowMap?
            try cloud.forEachRemovedValue(of: column, in: parent.name, areOpen: true) { value throws(GodwitError) in
                let notes = found ?? SpillableRowMap(stage: cloud.stage, cancellation: context.cancellation)
                try notes.note(of: RowIdentifier(table: parent.name, identity: [value]))
                found = notes
            }
            return found
        }
    }

    /// A private copy of a source with translated values; nil if both stores identify all parents by the same values.
    ///
    /// - Parameter whole: the store with the parents of the source's records, if the source has only some records.
    package func translated(
        _ source: SQLiteConnection, within whole: SQLiteConnection? = nil, to cloud: SQLiteConnection
    ) throws(GodwitError) -> SQLiteConnection? {
        let held = try HeldColumn.all(in: manifest, [whole ?? source, cloud])
        let targets = targets(of: held)
        var isNeeded = false
        for target in targets where !isNeeded { isNeeded = try namesDiffer(target, whole ?? source, cloud) }
        guard isNeeded else { return nil }
        return try translated(source, within: whole, to: cloud, targets, held).connection
    }

    private func translated(
        _ source: SQLiteConnection, within whole: SQLiteConnection?, to cloud: SQLiteConnection, _ targets: [Target],
        _ held: [HeldColumn]
    ) throws(GodwitError) -> WorkingStore {
        let work = try WorkingStore.copy(
            of: whole ?? source, entities: manifest.entities, cancellation: context.cancellation)
        let other = try whole.map { _ throws(GodwitError) in
            try WorkingStore.copy(of: source, entities: manifest.entities, cancellation: context.cancellation)
        }
        for (number, target) in targets.enumerated() {
            guard let mine = try table(target, in: work.connection), let theirs = try table(target, in: cloud) else {
                continue
            }
            let map = map(number, target, mine, held)
            try map.fill(work.connection, of: whole ?? source, mine, cloud, theirs, context)
            try map.apply(to: work.connection)
            guard let other else { continue }
            try map.copy(from: work.connection, to: other.connection)
            try map.apply(to: other.connection)
        }
        let made = other ?? work
        try requireUniqueKeys(in: made.connection, held)
        return made
    }

    private func map(_ number: Int, _ target: Target, _ table: EntityTable, _ held: [HeldColumn]) -> ParentValueMap {
        ParentValueMap(name: "godwit_map_\(number)", target: target, table: table, held: held)
    }

    /// Before the merge, changes references in the cloud store to the values that the merge will give to their parents.
    func prepare(
        _ cloud: SQLiteConnection, for translated: SQLiteConnection, _ records: RemovedRecords,
        _ sideEffectGuard: SideEffectGuard
    ) throws(GodwitError) {
        let held = try HeldColumn.all(in: manifest, [translated, cloud])
        for (number, target) in targets(of: held).enumerated() {
            guard let mine = try table(target, in: translated) else { continue }
            let map = map(number, target, mine, held)
            let isMade = try translated.first("SELECT 1 FROM sqlite_schema WHERE name = ?", [.string(map.replaced)])
            guard isMade != nil else { continue }
            let rows = try translated.prepare("SELECT old, new FROM \(map.replaced)")
            while try rows.step() {
                let change = HeldValueChange(from: rows.value(0), to: rows.value(1))
                try change.apply(
                    to: held, holding: target, in: cloud, manifest: manifest, records, sideEffectGuard, context)
            }
        }
    }

    /// Parents first, because the column of a parent may itself be a reference to its own parent.
    private func targets(of held: [HeldColumn]) -> [Target] {
        var found: [Target] = []
        for entity in manifest.entitiesParentsFirst {
            for one in held where one.parent.isSameName(as: entity.name) {
                let isKnown = found.contains {
                    $0.parent.name == entity.name && $0.column.isSameName(as: one.parentColumn)
                }
                if !isKnown, !one.parentColumn.isSameName(as: entity.key) {
                    found.append(Target(parent: entity, column: one.parentColumn))
                }
            }
        }
        return found
    }

    /// The parent's table; nil if the store lacks the table or the column.
    func table(_ target: Target, in store: SQLiteConnection) throws(GodwitError) -> EntityTable? {
        let shape = try store.readShape()
        guard let table = shape.table(named: target.parent.name),
            table.storedColumns.contains(where: { $0.name.isSameName(as: target.column) })
        else { return nil }
        return try store.table(for: target.parent, in: shape)
    }

    /// Whether a parent has another value in the other store, or a value belongs, or belonged, to another parent there.
    private func namesDiffer(
        _ target: Target, _ local: SQLiteConnection, _ cloud: SQLiteConnection
    ) throws(GodwitError) -> Bool {
        guard let mine = try table(target, in: local), let theirs = try table(target, in: cloud) else { return false }
        var isOther = false
        let removed = try target.removedValues(in: cloud, theirs.shape, context)
        try EntityComparison.meet(
            local.prepare(mine.select(target.column, orderedBy: target.parent.key)), 0,
            cloud.prepare(theirs.select(target.column, orderedBy: target.parent.key)), 0
        ) { order, mine, theirs throws(GodwitError) in
            if order == 0, !mine.column(1, equals: 1, of: theirs) { isOther = true }
            guard order < 0, let removed, !isOther else { return }
            isOther = try removed.has(RowIdentifier(table: target.parent.name, identity: [mine.value(1)]))
        }
        if isOther { return true }
        try EntityComparison.meet(
            local.prepare(mine.select(target.column, orderedBy: target.column)), 1,
            cloud.prepare(theirs.select(target.column, orderedBy: target.column)), 1
        ) { order, mine, theirs throws(GodwitError) in
            if order == 0, mine.type(1) != .null, mine.compare(0, with: 0, of: theirs) != 0 { isOther = true }
        }
        return isOther
    }

    /// Throws (65) if two records have the same key now: one of them referred to a parent that does not exist.
    private func requireUniqueKeys(in store: SQLiteConnection, _ held: [HeldColumn]) throws(GodwitError) {
        let shape = try store.readShape()
        for entity in manifest.entities
        where shape.table(named: entity.name) != nil && held.contains(where: { $0.isHeld(by: entity.name, entity.key) })
        {
            let table = try store.table(for: entity, in: shape)
            let repeated = try store.first(
                "SELECT \(table.key) FROM \(table.source) GROUP BY \(table.keyOrder) HAVING count(*) > 1 LIMIT 1")
            guard let repeated else { continue }
            throw GodwitError(
                store.stage, .data,
                "two records of `\(entity.name)` in `\(store.name)` would have the key "
                    + "'\(repeated.readable)' in the cloud store",
                hint: "Correct the one that refers to a record that does not exist in the app first.")
        }
    }
}

extension Entity {
    /// Whether the local record replaces the cloud's record of the same key, by their dates in the third column.
    func isReplaced(by mine: borrowing SQLiteCursor, _ theirs: borrowing SQLiteCursor) -> Bool {
        let (local, cloud) =
            modified.map { date in
                (Instant(mine.value(2), as: date.encoding), Instant(theirs.value(2), as: date.encoding))
            } ?? (nil, nil)
        guard case .update = MergeDecision.decide(local: local, cloud: cloud, rule: conflict) else { return false }
        return true
    }
}

extension EntityTable {
    /// The key and another column of all records, in the order of one of the two.
    ///
    /// - Parameter isDated: whether the date follows, if the entity has one.
    func select(_ column: String, orderedBy order: String, withDate isDated: Bool = false) -> String {
        let ordered = quoted(columns.first { $0.isSameName(as: order) } ?? entity.key)
        let dates = isDated ? modifiedIndex.map { [quoted(columns[$0])] } ?? [] : []
        let list = ([key, quoted(column)] + dates).joined(separator: ", ")
        return "SELECT \(list) FROM \(source) ORDER BY \(ordered) COLLATE \(collation), typeof(\(ordered))"
    }
}
