internal import GodwitLedger
internal import GodwitSQLite

/// The hashes of a record: of its key, and of key and date.
struct RecordHashes {
    let key: UInt64
    let record: UInt64

    /// - Parameter row: key and date, in this order.
    init(_ row: borrowing SQLiteCursor) {
        var hash = RecordHash()
        hash.add(0, of: row)
        key = hash.value
        hash.add(1, of: row)
        record = hash.value
    }
}

/// Hashes of records, in eight bytes each.
struct KnownRecords {
    private var keys: [UInt64] = []
    private var records: [UInt64] = []

    mutating func add(_ hashes: RecordHashes) {
        keys.append(hashes.key)
        records.append(hashes.record)
    }

    /// To be called after the last record was added.
    mutating func sort() {
        keys.sort()
        records.sort()
    }

    func hasKey(of hashes: RecordHashes) -> Bool { Self.has(hashes.key, in: keys) }

    func hasRecord(of hashes: RecordHashes) -> Bool { Self.has(hashes.record, in: records) }

    private static func has(_ hash: UInt64, in sorted: [UInt64]) -> Bool {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] == hash { return true }
            if sorted[middle] < hash { low = middle + 1 } else { high = middle }
        }
        return false
    }
}
