package import GodwitModel

/// Counts and dates of a store, which must be known before its document begins.
package struct ExportScan: Sendable {
    package private(set) var counts: [String: Int64] = [:]
    package private(set) var newestRecordAt: Instant?
    package private(set) var hasClockSkew = false

    package var recordCount: Int64 { counts.values.reduce(0, +) }

    mutating func note(_ facts: TableFacts, of name: String) {
        counts[name] = facts.count
        if let date = facts.newest, newestRecordAt.map({ date > $0 }) ?? true { newestRecordAt = date }
    }

    /// Call it after all tables were read.
    mutating func judge(now: Instant) {
        let latest = now.advanced(bySeconds: DateFindings.toleratedSkewSeconds)
        hasClockSkew = newestRecordAt.map { $0 > latest } ?? false
    }
}
