internal import GodwitModel

/// Those of many records that come first by their keys, and no more of them than a report names.
struct FirstRecords: Sendable {
    private var records: [(key: Value, finding: CheckedRecord.Finding)] = []

    var named: [CheckedRecord] { records.map { CheckedRecord($0.key.keyText, $0.finding) } }

    /// Keeps a record if it comes before one that is kept, or there is room.
    mutating func note(_ key: Value, _ finding: CheckedRecord.Finding) {
        if records.count == CheckedRecord.limit, let last = records.last, !(key < last.key) { return }
        records.insert((key, finding), at: records.firstIndex { key < $0.key } ?? records.endIndex)
        if records.count > CheckedRecord.limit { records.removeLast() }
    }

    /// Keeps what others kept, as if all had been noted here.
    mutating func note(_ other: FirstRecords) { other.records.forEach { note($0.key, $0.finding) } }
}
