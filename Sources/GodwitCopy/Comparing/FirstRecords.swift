internal import GodwitModel

/// The first of many records by key, as many as a report lists.
struct FirstRecords: Sendable {
    private var records: [(key: Value, finding: RunReport.Verify.Record.Finding)] = []

    var named: [RunReport.Verify.Record] { records.map { RunReport.Verify.Record($0.key.keyText, $0.finding) } }

    /// Keeps a record if it comes before a kept one, or if there is room.
    mutating func note(_ key: Value, _ finding: RunReport.Verify.Record.Finding) {
        if records.count == RunReport.Verify.Record.limit, let last = records.last, !(key < last.key) { return }
        records.insert((key, finding), at: records.firstIndex { key < $0.key } ?? records.endIndex)
        if records.count > RunReport.Verify.Record.limit { records.removeLast() }
    }

    /// Adds the records of another list.
    mutating func note(_ other: FirstRecords) { other.records.forEach { note($0.key, $0.finding) } }
}
