internal import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// Finds the changes to records since a backup, by an app or by a sync engine.
///
/// A run never dates a record later than it began. So a record is newer if its date is later than the backup, or says
/// nothing, and the backup has no record of the same key and date; and, for any date, if the backup has no record
/// of its key. What the run itself wrote does not count. Changed records that have an earlier date, or an entity without
/// `modified`, are not seen; a rollback warns of a store that changed.
package struct RecordsSinceBackup {
    let entities: [Entity]
    /// When the backup was made.
    let since: Instant
    /// The records that the run wrote; nil if the backup does not list them: then only dates count.
    let written: [String: WrittenRecords]?
    let cancellation: Cancellation

    package init(
        _ entities: [Entity], since: Instant, written: [String: WrittenRecords]? = nil, cancellation: Cancellation
    ) {
        (self.entities, self.since, self.written, self.cancellation) = (entities, since, written, cancellation)
    }

    /// Records by entity that these stores have, written since.
    ///
    /// - Parameter known: the stores of the backup, and stores that a rollback leaves as they are.
    package func newer(
        in stores: [SQLiteConnection], besides known: [SQLiteConnection]
    ) throws(GodwitError) -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for entity in entities {
            let noted = written?[entity.name]
            let records = noted?.records
            let search = search(entity, noted, besides: records ?? [], countsEarlier: written != nil)
            var count: Int64 = 0
            try search.forEachPart(in: stores, besides: known) { found throws(GodwitError) in
                count += Int64(found.keys.count)
            }
            // Where only the number of those that the run wrote is known.
            if let noted, records == nil { count -= noted.count }
            if count > 0 { counts[entity.name] = count }
        }
        return counts
    }

    /// Reads the records that these stores have and the backup lacks, directly after the run: the records that the run
    /// wrote.
    package func readWritten(
        in stores: [SQLiteConnection], besides known: [SQLiteConnection]
    ) throws(GodwitError) -> [String: WrittenRecords] {
        var written: [String: WrittenRecords] = [:]
        var room = WrittenRecords.limit
        for entity in entities {
            var count: Int64 = 0
            var records: Set<UInt64>? = []
            try search(entity, nil, besides: [], countsEarlier: true).forEachPart(in: stores, besides: known) {
                found throws(GodwitError) in
                count += Int64(found.keys.count)
                records = records.map { $0.union(found.records) }.flatMap { $0.count > room ? nil : $0 }
            }
            guard count > 0 else { continue }
            room -= records?.count ?? 0
            written[entity.name] = WrittenRecords(
                key: entity.key, modified: entity.modified?.column, count: count, records: records)
        }
        return written
    }

    private func search(
        _ entity: Entity, _ noted: WrittenRecords?, besides written: Set<UInt64>, countsEarlier: Bool
    ) -> NewRecordSearch {
        NewRecordSearch(
            entity: entity, key: noted?.key ?? entity.key,
            modified: noted == nil ? entity.modified?.column : noted?.modified,
            since: since, countsEarlier: countsEarlier, written: written, cancellation: cancellation)
    }

    /// Records by entity that the backup has and the store that the app uses now has not, without those set aside by a run.
    package func deleted(
        from store: SQLiteConnection, of backup: [SQLiteConnection], setAsideIn others: [SQLiteConnection]
    ) throws(GodwitError) -> [String: Int64] {
        try counted { entity, notes throws(GodwitError) in
            for store in backup {
                try eachKey(entity, in: store) { key throws(GodwitError) in try notes.note(of: place(entity, key)) }
            }
            try eachKey(entity, in: store) { key throws(GodwitError) in try notes.forget(place(entity, key)) }
            for other in others where try other.has(.removed) {
                let rows = try other.prepare("SELECT key FROM main.godwit_removed WHERE entity = ?")
                try rows.bind([.string(entity.name)])
                while try rows.step() { try notes.forget(place(entity, rows.value(0))) }
            }
        }
    }

    private func place(_ entity: Entity, _ key: Value) -> RowIdentifier {
        RowIdentifier(table: entity.name, identity: [key])
    }

    /// Calls the body with the key of each record.
    private func eachKey(
        _ entity: Entity, in store: SQLiteConnection, _ body: (Value) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        let shape = try store.readShape()
        guard let found = shape.table(named: entity.name), found.column(named: entity.key) != nil else { return }
        let rows = try store.prepare("SELECT \(quoted(entity.key)) FROM \(store.source(found.name, in: "main"))")
        var count = 0
        while try rows.step() {
            try body(rows.value(0))
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
