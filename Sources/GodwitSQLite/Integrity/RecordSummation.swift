package import GodwitModel

/// Sums what each index of a table must contain, while a caller reads all records of the table.
///
/// Allocates nothing per record.
package final class RecordSummation {
    /// The name in the schema.
    package let table: String
    /// Each indexed column, once: its index in the row that is read, and its value in the current row.
    private let columnIndexes: UnsafeMutableBufferPointer<Int32>
    private let values: UnsafeMutableBufferPointer<EntryValue>
    /// For each index in turn, the positions of its columns in these lists; `ends` has the end of each index.
    private let members: UnsafeMutableBufferPointer<Int>
    private let ends: UnsafeMutableBufferPointer<Int>
    private let found: UnsafeMutableBufferPointer<EntrySum>
    private let key = EntryDigest.Key.drawn

    /// - Parameter place: index of a column in the row, by its quoted name; nil if the row does not have it.
    convenience init?(of layout: TableLayout, at index: (String) -> Int?) {
        let columns = layout.columns
        let read = columns.compactMap { index($0).flatMap(Int32.init(exactly:)) }
        guard read.count == columns.count else { return nil }
        let listed = layout.indexes.map { index in
            index.columns.map { column in columns.firstIndex(of: column.name) ?? 0 }
        }
        var end = 0
        let ends = listed.map { index in
            end += index.count
            return end
        }
        self.init(layout.name, columnIndexes: read, members: listed.flatMap(\.self), ends: ends)
    }

    private init(_ table: String, columnIndexes: [Int32], members: [Int], ends: [Int]) {
        self.table = table
        self.columnIndexes = .copy(of: columnIndexes)
        values = .copy(of: columnIndexes.map { _ in .null })
        self.members = .copy(of: members)
        self.ends = .copy(of: ends)
        found = .copy(of: ends.map { _ in EntrySum() })
    }

    /// An empty sum of the same table, for rows that another thread reads.
    package func another() -> RecordSummation {
        RecordSummation(table, columnIndexes: Array(columnIndexes), members: Array(members), ends: Array(ends))
    }

    /// Adds the sums of other rows of the same table.
    package func add(_ other: RecordSummation) {
        for index in found.indices { found[index].add(other.found[index]) }
    }

    deinit {
        columnIndexes.deallocate()
        values.deallocate()
        members.deallocate()
        ends.deallocate()
        found.deallocate()
    }

    /// One for each index, in the order of the layout.
    var sums: [EntrySum] { Array(found) }

    package func add(_ row: borrowing SQLiteCursor) {
        for column in columnIndexes.indices { values[column] = EntryValue(row.statement, columnIndexes[column]) }
        addEntries { values[$0] }
    }

    package func add(_ row: RowValues) {
        addEntries { EntryValue(row[Int(columnIndexes[$0])]) }
    }

    /// Adds an entry to each index; the closure returns the value of a column by its position.
    @inline(__always)
    private func addEntries(_ value: (Int) -> EntryValue) {
        var member = 0
        for index in ends.indices {
            var digest = EntryDigest(key)
            while member < ends[index] {
                digest.combine(value(members[member]))
                member &+= 1
            }
            found[index].add(digest)
        }
    }
}

extension UnsafeMutableBufferPointer {
    /// Allocated memory that the caller must deallocate.
    fileprivate static func copy(of elements: [Element]) -> Self {
        let memory = Self.allocate(capacity: elements.count)
        _ = memory.initialize(from: elements)
        return memory
    }
}

extension SQLiteConnection {
    /// Starts to sum a table that the caller reads completely; nil if a check has no use for it.
    ///
    /// - Parameter rowid: index of the rowid in the caller's rows.
    package func beginSummation(
        of table: String, rowid: Int, columns: [String: Int]
    ) throws(GodwitError) -> RecordSummation? {
        guard let layout = try summedLayout(of: table) else { return nil }
        let columnIndexes = layout.columnIndexes(rowid: rowid, columns: columns)
        return RecordSummation(of: layout) { columnIndexes[$0] }
    }

    /// The layout of a table whose records can be summed; nil if a check has no use for the sums.
    func summedLayout(of table: String) throws(GodwitError) -> TableLayout? {
        guard try !isUTF16, let layout = try layout(of: table), layout.primaryKey == nil else { return nil }
        return layout
    }
}

extension TableLayout {
    /// Indexes of the indexed columns in a reader's rows, by quoted name, and of the rowid.
    func columnIndexes(rowid: Int, columns: [String: Int]) -> [String: Int] {
        columns.merging(["_rowid_", "rowid", "oid"].map { ($0, rowid) }) { _, rowid in rowid }
    }
}
