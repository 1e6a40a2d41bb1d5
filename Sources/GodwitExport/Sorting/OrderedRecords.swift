internal import GodwitJSON
internal import GodwitModel
internal import GodwitSQLite

/// The records of a table as JSON, in the order of an export.
///
/// Invariant: the order is that of `ExportedTable.select`, whichever way it is come by.
struct OrderedRecords {
    let store: SQLiteConnection
    let table: ExportedTable
    /// The records as they were read and sorted; nil where SQLite has to put them in order.
    let sorted: SortedRecords?

    /// What is done with each record: its text from brace to brace, and where in it the text of its key is.
    typealias Body = (_ record: UnsafeRawBufferPointer, _ key: Range<Int>) throws(GodwitError) -> Void

    /// Calls a body for each record in order.
    ///
    /// - Parameter isLast: whether nobody asks for them afterwards.
    func forEach(isLast: Bool, _ body: Body) throws(GodwitError) {
        if let sorted { try sorted.forEach(isLast: isLast, body) } else { try readInOrder(body) }
    }

    /// SQLite's own way.
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
