internal import GodwitJSON
internal import GodwitModel
internal import GodwitSQLite

/// The records of a table as JSON, in the order of an export.
///
/// Invariant: the order is always that of `ExportedTable.select`.
struct OrderedRecords {
    let store: SQLiteConnection
    let table: ExportedTable
    /// The records as they were read and sorted; nil if SQLite must sort them.
    let sorted: SortedRecords?

    /// Receives the text of each record, and the range of its key's text.
    typealias Body = (_ record: UnsafeRawBufferPointer, _ key: Range<Int>) throws(GodwitError) -> Void

    /// Calls a body for each record in order.
    func forEach(isLast: Bool, _ body: Body) throws(GodwitError) {
        if let sorted { try sorted.forEach(isLast: isLast, body) } else { try readInOrder(body) }
    }

    /// Lets SQLite sort the records.
    private func readInOrder(_ body: Body) throws(GodwitError) {
        let rows = try store.prepare(table.select)
        let keyPlace = table.keyPlace ?? 0
        var record = JSONBuffer()
        while try rows.step() {
            record.removeAll()
            let key = rows.write(record: table.labels, keyPlace: keyPlace, to: &record)
            try record.withBytes { (text) throws(GodwitError) -> Void in try body(text, key) }
        }
    }
}
