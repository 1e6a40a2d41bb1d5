internal import GodwitModel
internal import GodwitSQLite
internal import Crypto

/// Compares the records of a store with the recorded ones of a base, one by one.
///
/// Every record with a known key is deleted from the base; at the end, the base contains the removed records.
final class RecordComparison {
    private let strike: SQLiteCursor
    private let note: SQLiteCursor
    private let names: [String]
    /// For each table: the number of records so far, and of those that changed or are new.
    private var seen: [Int64]
    private(set) var changed: [Int64]
    /// The keys of the two previous records, to detect duplicates.
    ///
    /// Equal keys follow each other. Only 0.0 and -0.0 are equal in the order of an export, so one may be between two
    /// of the other.
    private var lastKey: [UInt8] = []
    private var keyBefore: [UInt8] = []
    private var lastTable = -1

    init(_ notes: SQLiteConnection, _ names: [String]) throws(GodwitError) {
        strike = try notes.prepare("DELETE FROM base WHERE entity = ?1 AND key = ?2 RETURNING digest")
        note = try notes.prepare("INSERT INTO changed VALUES (?1, ?2)")
        self.names = names
        (seen, changed) = (Array(repeating: 0, count: names.count), Array(repeating: 0, count: names.count))
    }

    /// Processes the next record of a table, in the order of the export.
    func take(
        _ record: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, of table: Int
    ) throws(GodwitError) {
        if table != lastTable {
            lastTable = table
            // Empty means no key, because no key has an empty text.
            lastKey.removeAll(keepingCapacity: true)
            keyBefore.removeAll(keepingCapacity: true)
        }
        if lastKey.elementsEqual(key) || keyBefore.elementsEqual(key) { throw twice(names[table]) }
        swap(&lastKey, &keyBefore)
        lastKey.removeAll(keepingCapacity: true)
        lastKey.append(contentsOf: key)
        seen[table] += 1
        try strike.bind(integer: Int64(table), at: 1)
        try strike.bind(blob: key, at: 2)
        var isSame = false
        if try strike.step() {
            let digest = SHA256.hash(data: record)
            isSame = strike.withBytes(0) { noted in
                digest.withUnsafeBytes { $0.elementsEqual(noted) }
            }
        }
        strike.reset()
        guard !isSame else { return }
        changed[table] += 1
        try note.bind(integer: Int64(table), at: 1)
        try note.bind(integer: seen[table], at: 2)
        try note.run()
    }

    private func twice(_ name: String) -> GodwitError {
        GodwitError(
            .export, .data, "\(name) has more than one record with the same key, so the changes can't be found by key",
            hint: "Run \(name: .dedupe) first, or export everything, without \(name: .since).")
    }
}
