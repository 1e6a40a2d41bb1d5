internal import CSQLiteShim
internal import GodwitModel

/// The two sides of the proof that an index holds what its table holds: one scan of each.
///
/// Both say nothing (nil) where something is out of order, or SQLite would not read the way that the proof needs.
extension SQLiteConnection {
    /// What each index of a table has to hold, by one scan of the table, which must be in the order of its primary key
    /// where it has no rowid.
    func sumRecords(of table: TableLayout) throws(GodwitError) -> [EntrySum]? {
        let columns = table.columns
        // NOT INDEXED would let SQLite take any index of a table WITHOUT ROWID.
        let way = table.primaryKey.map { "INDEXED BY \(quoted($0.name))" } ?? "NOT INDEXED"
        let query = "SELECT \(columns.joined(separator: ", ")) FROM \(quoted(table.name)) \(way)"
        guard let plan = plan(of: query), plan.hasPrefix("SCAN "), !plan.contains(" USING ") else { return nil }
        guard let summation = RecordSummation(of: table, at: { columns.firstIndex(of: $0) }) else { return nil }
        var order = EntryOrder(table.primaryKey)
        let keyCount = table.primaryKey?.keyCount ?? 0
        let records = try prepare(query)
        while try records.step() {
            summation.add(records)
            guard keyCount > 0 else { continue }
            for place in 0..<keyCount { order.add(summation.values[place]) }
            if !order.ascends() { return nil }
        }
        return summation.sums
    }

    /// What an index holds, by one scan of it, which must be in its order.
    func sumEntries(of index: IndexLayout, in table: TableLayout) throws(GodwitError) -> IndexEntries? {
        let columns = index.columns.map(\.name)
        let source = "FROM \(quoted(table.name)) INDEXED BY \(quoted(index.name))"
        let query = "SELECT \(columns.joined(separator: ", ")) \(source)"
        let conditions = columns.enumerated().map { "\($1) IS ?\($0 + 1)" }.joined(separator: " AND ")
        let seek = "SELECT 1 \(source) WHERE \(conditions)"
        guard plan(of: query)?.hasSuffix(" USING COVERING INDEX \(index.name)") == true, plan(of: seek) != nil else {
            return nil
        }
        let entries = try prepare(query)
        let seeking = try prepare(seek)
        var sum = EntrySum()
        var order = EntryOrder(index)
        let key = EntryDigest.Key.drawn
        let last = Int32(columns.count - 1)
        while try entries.step() {
            var digest = EntryDigest(key)
            var value = EntryValue.null
            var before = EntryValue.null
            for place in 0...last {
                before = value
                value = EntryValue(entries.statement, place)
                digest.combine(value)
                order.add(value)
            }
            sum.add(digest)
            guard order.ascends() else { return nil }
            // The first, the second, the fourth, the eighth ..., and each that could be read though it is damaged.
            let isSeeked =
                sum.count & (sum.count - 1) == 0
                || index.endsWithRowid && entries.mayHideDamage(rowid: value, behind: before, at: last - 1)
            if isSeeked, try !seeking.finds(entries) { return nil }
        }
        return IndexEntries(sum: sum, areDistinctAtFirst: !order.repeatsFirst)
    }

    /// The one step that SQLite takes for a query; nil where it takes more, or does not take the query.
    ///
    /// <https://sqlite.org/eqp.html> promises nothing of the wording. Where it is another, `integrity_check` decides, and
    /// it also meets again whatever error this one was.
    private func plan(of query: String) -> String? {
        guard let steps = try? rows("EXPLAIN QUERY PLAN \(query)"), steps.count == 1 else { return nil }
        return steps[0][3].readable
    }
}

/// A scan reads the columns that the schema names, each at its place, and the rowid from the end of the entry, wherever
/// its place is. A seek compares whole entries.
extension SQLiteCursor {
    /// Whether a scan could read the right rowid from an entry whose header gives it the wrong length.
    ///
    /// A longer one also takes in the end of the value before, and comes to the same number where that is as the sign of
    /// the number goes on: 00 or FF. A value may have no bytes at all: NULL, an empty text, 0, 1. So may the rowid, if it
    /// is 0 or 1. <https://sqlite.org/fileformat2.html#record_format>
    @inline(__always)
    fileprivate borrowing func mayHideDamage(rowid: EntryValue, behind value: EntryValue, at place: Int32) -> Bool {
        switch rowid {
        case .integer(0), .integer(1): return true
        default: break
        }
        switch value {
        case .null: return true
        case .text(let bytes), .blob(let bytes): return bytes.last.map(Self.isSign) ?? true
        case .real(let number): return Self.isSign(UInt8(truncatingIfNeeded: number.bitPattern))
        case .integer(let number):
            // A column of reals may have it as either: <https://sqlite.org/datatype3.html#storage_classes_and_datatypes>.
            guard sqlite3_column_type(statement, place) == SQLITE_INTEGER else { return true }
            return number == 0 || number == 1 || Self.isSign(UInt8(truncatingIfNeeded: number))
        }
    }

    @inline(__always)
    private static func isSign(_ byte: UInt8) -> Bool { byte == 0 || byte == 0xFF }

    /// Whether an entry is found where SQLite seeks it.
    ///
    /// An index made for other columns, of a schema edited since, could pass for sound but for a few seeks.
    fileprivate func finds(_ entry: borrowing SQLiteCursor) throws(GodwitError) -> Bool {
        for place in 0..<entry.columnCount { try bind(column: place, of: entry, at: place + 1) }
        defer { reset() }
        return try step()
    }
}
