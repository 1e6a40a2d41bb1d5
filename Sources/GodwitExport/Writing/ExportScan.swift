package import GodwitModel
package import GodwitStore

/// What must be known of a store before its export begins: counts and dates, since they stand before the records.
package struct ExportScan: Sendable {
    /// Records by entity.
    package private(set) var counts: [String: Int64] = [:]
    /// The newest readable date of any record.
    package private(set) var newestRecordAt: Instant?
    /// Whether a record is dated in the future.
    package private(set) var hasClockSkew = false

    package var recordCount: Int64 { counts.values.reduce(0, +) }

    /// Reads the dates of all records once; nothing is kept but the newest.
    package init(_ store: SQLiteConnection, manifest: Manifest, context: RunContext) throws(GodwitError) {
        let shape = try store.readShape()
        let latest = context.now.advanced(bySeconds: DateFindings.toleratedSkewSeconds)
        for entity in manifest.entities {
            try context.cancellation.check(.export)
            let table = try store.table(for: entity, in: shape)
            guard let modified = entity.modified else {
                counts[entity.name] = try store.countRecords(of: entity.name)
                continue
            }
            let dates = try store.prepare("SELECT \(quoted(modified.column)) FROM \(table.name)")
            var count: Int64 = 0
            while try dates.step() {
                count += 1
                if count & 4095 == 0 { try context.cancellation.check(.export) }
                guard let date = dates.date(0, as: modified.encoding) else { continue }
                if newestRecordAt.map({ date > $0 }) ?? true { newestRecordAt = date }
            }
            counts[entity.name] = count
        }
        hasClockSkew = newestRecordAt.map { $0 > latest } ?? false
    }
}
