internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// References of the cloud store with a value that Godwit gave them on the way there, and that their records in the local
/// store no longer have: a dedupe was undone, or orphans became children of a parent again.
///
/// The dates of such records are equal, or the cloud's is later because of another column. So the merge would keep the
/// value, though no user entered it.
struct ReferencesTakenBack {
    let manifest: Manifest
    /// The local store, or the prepared clone of it.
    let source: SQLiteConnection
    /// A private store to merge instead, with the cloud store's values of parents; nil if none is needed.
    let translated: SQLiteConnection?
    let cloud: SQLiteConnection
    let records: RemovedRecords
    let sideEffectGuard: SideEffectGuard
    let context: RunContext
    let runIdentifier: String

    /// One row of the ledger.
    private struct Change {
        let number: Value
        let entity: String
        let key: Value
        let column: String
        let oldValue: Value
        let newValue: Value

        init(_ row: [Value]) {
            (number, entity, key) = (row[0], row[1].readable, row[2])
            (column, oldValue, newValue) = (row[3].readable, row[4], row[5])
        }
    }

    /// The table of an entity in both stores.
    private struct Tables {
        let mine: EntityTable
        let theirs: EntityTable
        let conflicts: ConflictClauses
        /// The columns that identify a row in the cloud store; nil for a rowid.
        let identityColumns: [String]?
    }

    /// Number of rows of the ledger that are read at once, because rows must not change while a cursor reads them.
    private static let batch = 256

    /// Gives the references their value in the local store, and returns their number by `Entity.column`.
    ///
    /// `godwit_changed` gets the values before. Call it inside the transaction, before records are merged: their parents
    /// may come with the merge.
    func apply() throws(GodwitError) -> [String: Int] {
        var (counts, last) = ([String: Int](), Value.integer(.max))
        var tables: [String: Tables] = [:]
        while true {
            let rows = try cloud.rows(
                """
                SELECT id, entity, key, "column", oldValue, newValue FROM godwit_changed
                WHERE id < ? AND carriedFrom IS NOT NULL AND undoneBy IS NULL AND reason IN ('repointed', 'orphan')
                ORDER BY id DESC LIMIT \(Self.batch)
                """, [last])
            for change in rows.map(Change.init) {
                guard let entity = manifest.entities.first(where: { $0.name.isSameName(as: change.entity) }),
                    !entity.key.isSameName(as: change.column)
                else { continue }
                if tables[entity.name] == nil { tables[entity.name] = try self.tables(of: entity) }
                if let known = tables[entity.name], try takeBack(change, known) {
                    counts["\(entity.name).\(change.column)", default: 0] += 1
                }
            }
            guard rows.count == Self.batch else { return counts }
            last = rows[rows.count - 1][0]
            try context.cancellation.check(.copy)
        }
    }

    private func tables(of entity: Entity) throws(GodwitError) -> Tables {
        for store in [source, translated].compactMap(\.self) { try store.useSoundIndexes(of: [entity.name]) }
        let theirs = try cloud.table(for: entity, in: cloud.readShape())
        return Tables(
            mine: try source.table(for: entity, in: source.readShape()), theirs: theirs,
            conflicts: try ConflictClauses(of: theirs.shape, in: cloud),
            identityColumns: try cloud.identityColumns(of: theirs.shape))
    }

    private func takeBack(_ change: Change, _ tables: Tables) throws(GodwitError) -> Bool {
        let (mine, theirs) = (tables.mine, tables.theirs)
        guard let found = try find(change, in: theirs, of: cloud), found.value == change.newValue,
            let own = try find(change, in: mine, of: source), try isEarlierValue(own.value, change),
            let local = try find(change, in: mine, of: translated ?? source), local.value != found.value
        else { return false }
        let before = cloud.totalChanges
        do throws(GodwitError) {
            try tables.conflicts.update(
                [change.column], to: [local.value], where: theirs.identityCondition, found.identity, in: cloud)
        } catch {
            // Another record has the value by now: the reference stays as it is.
            guard error.isForUniqueness, cloud.isInTransaction else { throw error }
            return false
        }
        try sideEffectGuard.requireUnchanged(
            since: before, by: .update, of: theirs.shape.name,
            doing: "changing the references of `\(theirs.shape.name)`", stage: .copy)
        var identity = found.identity
        if let part = tables.identityColumns?.firstIndex(where: { $0.isSameName(as: change.column) }) {
            identity[part] = local.value
        }
        try records.keepChange(
            entity: theirs.entity.name, key: change.key, column: change.column, from: found.value, to: local.value,
            reason: "replaced:local", identity: identity)
        try cloud.execute(
            "UPDATE godwit_changed SET undoneBy = ?, undoneAt = ? WHERE id = ?",
            [.string(runIdentifier), .string(context.now.iso8601), change.number])
        return true
    }

    /// Whether the reference had the value before one of Godwit's changes: any other value is a user's, and the merge decides.
    private func isEarlierValue(_ value: Value, _ change: Change) throws(GodwitError) -> Bool {
        if value == change.oldValue { return true }
        guard value != change.newValue else { return false }
        let earlier = try cloud.rows(
            """
            SELECT oldValue FROM godwit_changed WHERE carriedFrom IS NOT NULL AND entity = ? AND key IS ? COLLATE BINARY
            AND "column" = ? AND id < ?
            """, [.string(change.entity), change.key, .string(change.column), change.number])
        return earlier.contains([value])
    }

    /// The record of the change, if its key and column exist and no other record has the key.
    private func find(
        _ change: Change, in table: EntityTable, of store: SQLiteConnection
    ) throws(GodwitError) -> (value: Value, identity: [Value])? {
        guard table.shape.column(named: change.column) != nil else { return nil }
        let rows = try store.rows(
            """
            SELECT \(quoted(change.column)), \(table.identity.joined(separator: ", "))
            FROM \(try store.source(table.entity.name, in: "main"))
            WHERE \(table.key) = ? COLLATE BINARY LIMIT 2
            """, [change.key])
        guard rows.count == 1, let row = rows.first else { return nil }
        return (row[0], Array(row.dropFirst()))
    }
}
