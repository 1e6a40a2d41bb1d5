internal import GodwitModel
internal import GodwitSQLite
internal import Crypto

/// Holds the records of a store, one by one, against the noted ones of a base.
///
/// What equals its record in the base is struck from the notes, and so is what differs; what is left in the end is gone.
final class RecordComparison {
    private let strike: SQLiteCursor
    private let note: SQLiteCursor
    private let names: [String]
    /// Of each table: records so far, and those that differ or are new.
    private var seen: [Int64]
    private(set) var changed: [Int64]
    /// The keys of the two records before, to meet those that are there twice.
    ///
    /// They come one after the other. Only 0.0 and -0.0 are one key to the order of an export, so that one may lie between
    /// two of the other.
    private var lastKey: [UInt8] = []
    private var keyBefore: [UInt8] = []
    private var lastTable = -1

    init(_ notes: SQLiteConnection, _ names: [String]) throws(GodwitError) {
        strike = try notes.prepare("DELETE FROM base WHERE entity = ?1 AND key = ?2 RETURNING digest")
        note = try notes.prepare("INSERT INTO changed VALUES (?1, ?2)")
        self.names = names
        (seen, changed) = (Array(repeating: 0, count: names.count), Array(repeating: 0, count: names.count))
    }

    /// Takes the next record of a table, in the order of the export.
    func take(
        _ record: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, of table: Int
    ) throws(GodwitError) {
        if table != lastTable {
            lastTable = table
            // No key is written without a byte.
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
            .export, .data, "\(name) has more than one record of a key, so what changed can't be told by key.",
            hint: "Run `godwit dedupe` first, or export everything, without --since.")
    }
}
