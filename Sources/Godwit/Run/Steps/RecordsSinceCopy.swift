internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitCopy

/// The records of a local store that were written after the copy, while sync was turned off in the app.
///
/// Records without a later change are not included, even if the cloud store lacks them: other devices may have deleted
/// them there. An ancestor that the cloud store lacks is included, so that no record comes without its parent. An
/// ancestor that it has does not change, by every rule.
struct RecordsSinceCopy {
    let manifest: Manifest
    /// When the copy was made, by its receipt.
    let since: Instant
    /// The time of the run: a date more than five minutes after it does not show when the record was written.
    let now: Instant
    /// Entities that the copy did not know: all of their records count.
    let whole: [Entity]

    static let notes = "temp.godwit_later"

    /// Entities without dates, so that none of their records counts.
    var undated: [Entity] { manifest.entities.filter { $0.modified == nil && !isWhole($0) } }

    func isWhole(_ entity: Entity) -> Bool {
        whole.contains { $0.name.utf8.elementsEqual(entity.name.utf8) }
    }

    /// Whether there are any.
    func areAny(in store: SQLiteConnection) throws(GodwitError) -> Bool {
        let shape = try store.readShape()
        for entity in manifest.entities where shape.table(named: entity.name) != nil {
            if isWhole(entity) {
                if try store.countRecords(of: entity.name) > 0 { return true }
                continue
            }
            var isFound = false
            try eachLater(of: entity, in: store, shape) { _ in
                isFound = true
                return false
            }
            if isFound { return true }
        }
        return false
    }

    /// Deletes all other records from a private store, in the caller's transaction.
    ///
    /// Nothing else changes: its triggers are dropped first, and foreign keys are off.
    ///
    /// - Throws: 70, with nothing done, if the store is not in that private folder.
    ///
    /// - Parameter cloud: its records need no ancestors from the local store.
    func removeOthers(
        from store: SQLiteConnection, in scratch: ScratchDirectory, besides cloud: SQLiteConnection
    ) throws(GodwitError) {
        try scratch.requireHolding(store)
        try store.withForeignKeysUnchecked { () throws(GodwitError) in
            for trigger in try store.rows("SELECT name FROM main.sqlite_schema WHERE type = 'trigger'") {
                try store.execute("DROP TRIGGER main.\(quoted(trigger[0].readable))")
            }
            try store.execute("DROP TABLE IF EXISTS \(Self.notes)")
            try store.execute(
                "CREATE TABLE \(Self.notes)(entity INTEGER, key, PRIMARY KEY(entity, key)) WITHOUT ROWID")
            let shape = try store.readShape()
            let tables = try manifest.entities.map { entity throws(GodwitError) in
                shape.table(named: entity.name) == nil ? nil : try store.table(for: entity, in: shape)
            }
            for (place, table) in tables.enumerated() {
                if let table { try note(table, place, in: store, shape) }
            }
            try noteAncestors(tables, in: store, besides: cloud)
            for (place, table) in tables.enumerated() {
                guard let table else { continue }
                try store.execute(
                    """
                    DELETE FROM main.\(table.name) WHERE NOT EXISTS (SELECT 1 FROM \(Self.notes) AS kept
                    WHERE kept.entity = \(place) AND kept.key IS \(table.name).\(table.key) COLLATE BINARY)
                    """)
            }
            try store.execute("DROP TABLE \(Self.notes)")
        }
    }

    private func note(
        _ table: EntityTable, _ place: Int, in store: SQLiteConnection, _ shape: SchemaShape
    ) throws(GodwitError) {
        try store.requireKeys(table)
        guard !isWhole(table.entity) else {
            return try store.execute(
                "INSERT INTO \(Self.notes) SELECT \(place), \(table.key) FROM main.\(table.source)")
        }
        let insertion = try store.prepare("INSERT OR IGNORE INTO \(Self.notes) VALUES (\(place), ?)")
        var failure: GodwitError?
        try eachLater(of: table.entity, in: store, shape) { key in
            do throws(GodwitError) {
                try insertion.bind([key])
                try insertion.run()
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    /// Calls the body with the key of each record that is dated later, until it returns false.
    private func eachLater(
        of entity: Entity, in store: SQLiteConnection, _ shape: SchemaShape, _ body: (Value) -> Bool
    ) throws(GodwitError) {
        guard let modified = entity.modified else { return }
        let table = try store.table(for: entity, in: shape)
        let rows = try store.prepare("SELECT \(table.key), \(quoted(modified.column)) FROM main.\(table.source)")
        while try rows.step() {
            guard let date = Instant(rows.value(1), as: modified.encoding), mark.mayBeLater(date) else { continue }
            if !body(rows.value(0)) { return }
        }
    }

    /// The number of records that are not dated later; 0 if the store has no such table.
    func countOlder(of entity: Entity, in store: SQLiteConnection) throws(GodwitError) -> Int64 {
        let shape = try store.readShape()
        guard shape.table(named: entity.name) != nil else { return 0 }
        var count = try store.countRecords(of: entity.name)
        try eachLater(of: entity, in: store, shape) { _ in
            count -= 1
            return true
        }
        return count
    }

    private var mark: CopyMark { CopyMark(since: since, now: now) }

    /// Counts records that the cloud store lacks and whose date does not show when they were written: no date, an
    /// unreadable date, or a date in the future.
    ///
    /// Stops at the limit.
    func countUnclear(
        of entity: Entity, in store: SQLiteConnection, besides cloud: SQLiteConnection, atMost limit: Int = 100_000
    ) throws(GodwitError) -> Int {
        guard let modified = entity.modified, !isWhole(entity) else { return 0 }
        let (shape, cloudShape) = (try store.readShape(), try cloud.readShape())
        guard shape.table(named: entity.name) != nil, cloudShape.table(named: entity.name) != nil else { return 0 }
        let table = try store.table(for: entity, in: shape)
        let rows = try store.prepare("SELECT \(table.key), \(quoted(modified.column)) FROM main.\(table.source)")
        var unclear: [Value] = []
        while try rows.step(), unclear.count < limit {
            if let date = Instant(rows.value(1), as: modified.encoding), !mark.isAhead(date) { continue }
            unclear.append(rows.value(0))
        }
        return try lacking(unclear, of: entity, in: cloud, cloudShape).count
    }
}
