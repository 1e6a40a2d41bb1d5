internal import GodwitModel
internal import GodwitSQLite

/// Sorts records with equal keys by asking SQLite about two at a time.
struct KeyTies {
    private let store: SQLiteConnection
    private let query: String

    struct Member {
        let rowid: Int64
        /// The location of its text.
        let location: Int64
        var header = RecordHeader()
    }

    init(_ store: SQLiteConnection, _ scan: ExportedTable.Scan) throws(GodwitError) {
        (self.store, query) = (store, scan.first)
    }

    /// Sorts the members by binary insertion.
    func ordered(_ group: [Member]) throws(GodwitError) -> [Member] {
        let cursor = try store.prepare(query)
        var sorted: [Member] = []
        for member in group {
            var (low, high) = (0, sorted.count)
            while low < high {
                let middle = (low + high) / 2
                if try precedes(member, sorted[middle], cursor) { high = middle } else { low = middle + 1 }
            }
            sorted.insert(member, at: low)
        }
        return sorted
    }

    private func precedes(
        _ one: Member, _ other: Member, _ cursor: borrowing SQLiteCursor
    ) throws(GodwitError) -> Bool {
        try cursor.bind(integer: one.rowid, at: 1)
        try cursor.bind(integer: other.rowid, at: 2)
        defer { cursor.reset() }
        guard try cursor.step() else { throw GodwitError(.export, .bug, "two records with the same key are missing") }
        return cursor.integer(0) == one.rowid
    }
}
