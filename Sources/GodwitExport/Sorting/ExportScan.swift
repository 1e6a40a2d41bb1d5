package import GodwitModel

/// What must be known of a store before its export begins: counts and dates, since they stand before the records.
package struct ExportScan: Sendable {
    /// Records by entity.
    package private(set) var counts: [String: Int64] = [:]
    /// The newest readable date of any record.
    package private(set) var newestRecordAt: Instant?
    /// Whether a record is dated in the future.
    package private(set) var hasClockSkew = false

    package var recordCount: Int64 { counts.values.reduce(0, +) }

    /// Adds what was found of a table.
    mutating func note(_ look: ReadingLook, of name: String) {
        counts[name] = look.count
        if let date = look.newest, newestRecordAt.map({ date > $0 }) ?? true { newestRecordAt = date }
    }

    /// Once all tables are read.
    mutating func judge(now: Instant) {
        let latest = now.advanced(bySeconds: DateFindings.toleratedSkewSeconds)
        hasClockSkew = newestRecordAt.map { $0 > latest } ?? false
    }
}
