internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// Finds the records of an entity that some stores have and others have not, by hashes of key and date.
///
/// It takes the keys in parts, and reads the stores once for each, so that the memory does not depend on the number of
/// records.
struct NewRecordSearch {
    let entity: Entity
    /// The columns that are hashed.
    let key: String
    let modified: String?
    /// When the backup was made.
    let since: Instant
    /// Whether a new key counts for any date of its record.
    let countsEarlier: Bool
    /// Hashes of key and date of records that do not count.
    let written: Set<UInt64>
    let cancellation: Cancellation

    /// About 16 MB of hashes.
    private static let rowsPerPart: Int64 = 1 << 20

    /// Hashes of the records of one part.
    struct Found {
        var keys: Set<UInt64> = []
        var records: Set<UInt64> = []
    }

    private struct Part {
        let number: UInt64
        let count: UInt64

        func has(_ hashes: RecordHashes) -> Bool { hashes.key % count == number }
    }

    /// Calls the body with the new records of each part of all keys.
    func forEachPart(
        in stores: [SQLiteConnection], besides others: [SQLiteConnection],
        _ body: (Found) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        var rows: Int64 = 0
        for store in stores + others {
            if let table = try shape(in: store) { rows += try store.countRecords(of: table.name) }
        }
        let count = UInt64(max(0, rows) / Self.rowsPerPart) + 1
        for number in 0..<count {
            let part = Part(number: number, count: count)
            var known = KnownRecords()
            for store in others {
                try note(store, part, in: &known)
                try noteSetAside(store, part, in: &known)
            }
            known.sort()
            var found = Found()
            for store in stores { try look(in: store, part, besides: known, &found) }
            try body(found)
        }
    }

    private func look(
        in store: SQLiteConnection, _ part: Part, besides known: KnownRecords, _ found: inout Found
    ) throws(GodwitError) {
        guard let rows = try cursor(in: store) else { return }
        var count = 0
        while try rows.step() {
            count += 1
            if count & 4095 == 0 { try cancellation.check(.rollback) }
            let hashes = RecordHashes(rows)
            guard part.has(hashes), isNew(rows, hashes, besides: known) else { continue }
            found.keys.insert(hashes.key)
            found.records.insert(hashes.record)
        }
    }

    private func isNew(_ row: borrowing SQLiteCursor, _ hashes: RecordHashes, besides known: KnownRecords) -> Bool {
        if known.hasRecord(of: hashes) || written.contains(hashes.record) { return false }
        if countsEarlier, !known.hasKey(of: hashes) { return true }
        return !isEarlier(row.value(2))
    }

    private func isEarlier(_ value: Value) -> Bool {
        guard let encoded = entity.modified, let date = Instant(value, as: encoded.encoding) else { return false }
        // A date of whole seconds may be of the backup's own second, and yet after it.
        return date < since && !(date.attoseconds == 0 && date.seconds == since.seconds)
    }

    private func note(
        _ store: SQLiteConnection, _ part: Part, in known: inout KnownRecords
    ) throws(GodwitError) {
        guard let rows = try cursor(in: store) else { return }
        var count = 0
        while try rows.step() {
            count += 1
            if count & 4095 == 0 { try cancellation.check(.rollback) }
            let hashes = RecordHashes(rows)
            if part.has(hashes) { known.add(hashes) }
        }
    }

    /// Records that a run set aside are in the ledger of that store: they are not new, although no table has them.
    private func noteSetAside(
        _ store: SQLiteConnection, _ part: Part, in known: inout KnownRecords
    ) throws(GodwitError) {
        for book in [Ledger.Table.removed, .changed] where try store.has(book) {
            let rows = try store.prepare("SELECT key, NULL FROM main.\(book.rawValue) WHERE entity = ? COLLATE NOCASE")
            try rows.bind([.string(entity.name)])
            while try rows.step() {
                let hashes = RecordHashes(rows)
                if part.has(hashes) { known.add(hashes) }
            }
        }
    }

    private func shape(in store: SQLiteConnection) throws(GodwitError) -> TableShape? {
        guard let table = try store.readShape().table(named: entity.name), table.column(named: key) != nil else {
            return nil
        }
        return table
    }

    /// Key, date that is hashed, and date that is compared of each record; nil if the store has no such records.
    private func cursor(in store: SQLiteConnection) throws(GodwitError) -> SQLiteCursor? {
        guard let table = try shape(in: store) else { return nil }
        let columns = [key, modified, entity.modified?.column].map { name in
            name.flatMap { table.column(named: $0) }.map { quoted($0.name) } ?? "NULL"
        }
        return try store.prepare(
            "SELECT \(columns.joined(separator: ", ")) FROM \(store.source(table.name, in: "main"))")
    }
}
