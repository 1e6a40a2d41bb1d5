internal import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// What an app did to its records since a backup was made: told from what a run did to them by their dates and keys.
///
/// A run never dates a record later than it began. So a record was written since if its date is later than the backup, or
/// says nothing, and the backup has no record of the same key and date. Of an entity without `modified`, keys that are new
/// count, and changed records are not seen; a rollback warns of a store that changed.
package struct RecordsSinceBackup {
    let entities: [Entity]
    /// When the backup was made.
    let since: Instant
    let cancellation: Cancellation

    package init(_ entities: [Entity], since: Instant, cancellation: Cancellation) {
        (self.entities, self.since, self.cancellation) = (entities, since, cancellation)
    }

    /// Records by entity that these stores have, written since.
    ///
    /// - Parameter known: the stores of the backup, and stores that a rollback leaves alone.
    package func newer(
        in stores: [SQLiteConnection], besides known: [SQLiteConnection]
    ) throws(GodwitError) -> [String: Int64] {
        try counted { entity, notes throws(GodwitError) in
            for store in stores {
                // By itself: two stores may have a record of one key, of which one was written since.
                let mine = SpillableRowMap(stage: .rollback, cancellation: cancellation)
                try each(entity, in: store) { key, date throws(GodwitError) in
                    if let date, isEarlier(date, entity) { return }
                    try mine.note([date ?? .null], of: place(entity, key))
                }
                for store in known {
                    try each(entity, in: store) { key, date throws(GodwitError) in
                        let row = place(entity, key)
                        if try mine.values(of: row) == [date ?? .null] { try mine.forget(row) }
                    }
                }
                try mine.forEach { row, _ throws(GodwitError) in try notes.note(of: row) }
            }
        }
    }

    /// Records by entity that the backup has and the store that the app uses now has not, without those set aside by a run.
    package func deleted(
        from store: SQLiteConnection, of backup: [SQLiteConnection], setAsideIn others: [SQLiteConnection]
    ) throws(GodwitError) -> [String: Int64] {
        try counted { entity, notes throws(GodwitError) in
            for store in backup {
                try each(entity, in: store) { key, _ throws(GodwitError) in
                    try notes.note(of: place(entity, key))
                }
            }
            try each(entity, in: store) { key, _ throws(GodwitError) in try notes.forget(place(entity, key)) }
            for other in others where try other.has(.removed) {
                let rows = try other.prepare("SELECT key FROM main.godwit_removed WHERE entity = ?")
                try rows.bind([.string(entity.name)])
                while try rows.step() { try notes.forget(place(entity, rows.value(0))) }
            }
        }
    }

    private func isEarlier(_ value: Value, _ entity: Entity) -> Bool {
        guard let modified = entity.modified, let date = Instant(value, as: modified.encoding) else { return false }
        // A date of whole seconds may be of the backup's own second, and yet after it.
        return date < since && !(date.attoseconds == 0 && date.seconds == since.seconds)
    }

    private func place(_ entity: Entity, _ key: Value) -> RowIdentifier {
        RowIdentifier(table: entity.name, identity: [key])
    }

    /// Calls the body with key and date of each record; the date is nil for an entity without one.
    private func each(
        _ entity: Entity, in store: SQLiteConnection, _ body: (Value, Value?) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        let shape = try store.readShape()
        guard let found = shape.table(named: entity.name), found.column(named: entity.key) != nil else { return }
        let modified = entity.modified.flatMap { found.column(named: $0.column) == nil ? nil : $0.column }
        let rows = try store.prepare(
            "SELECT \(quoted(entity.key)), \(modified.map(quoted) ?? "NULL") FROM main.\(quoted(found.name)) NOT INDEXED"
        )
        var count = 0
        while try rows.step() {
            try body(rows.value(0), modified == nil ? nil : rows.value(1))
            count += 1
            if count & 4095 == 0 { try cancellation.check(.rollback) }
        }
    }

    private func counted(
        _ body: (Entity, SpillableRowMap) throws(GodwitError) -> Void
    ) throws(GodwitError) -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for entity in entities {
            let notes = SpillableRowMap(stage: .rollback, cancellation: cancellation)
            try body(entity, notes)
            var count: Int64 = 0
            try notes.forEach { _, _ in count += 1 }
            if count > 0 { counts[entity.name] = count }
        }
        return counts
    }
}
