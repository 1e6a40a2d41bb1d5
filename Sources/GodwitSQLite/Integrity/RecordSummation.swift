package import GodwitModel

/// Sums up what each index of a table has to hold, as somebody steps through all of its records.
///
/// Nothing is allocated for a record.
package final class RecordSummation {
    /// The table's name, as the schema has it.
    package let table: String
    /// Each column that an index holds, once: its place in the row that is read, and its value in a cursor's row.
    private let places: UnsafeMutableBufferPointer<Int32>
    private let values: UnsafeMutableBufferPointer<EntryValue>
    /// For each index in turn, the numbers of its columns among those; where each ends.
    private let members: UnsafeMutableBufferPointer<Int>
    private let ends: UnsafeMutableBufferPointer<Int>
    private let found: UnsafeMutableBufferPointer<EntrySum>
    private let key = EntryDigest.Key.drawn

    /// - Parameter place: where the row has a column, whose name is ready for SQL; nil where it does not have it.
    convenience init?(of layout: TableLayout, at place: (String) -> Int?) {
        let columns = layout.columns
        let read = columns.compactMap { place($0).flatMap(Int32.init(exactly:)) }
        guard read.count == columns.count else { return nil }
        let listed = layout.indexes.map { index in
            index.columns.map { column in columns.firstIndex(of: column.name) ?? 0 }
        }
        var end = 0
        let ends = listed.map { index in
            end += index.count
            return end
        }
        self.init(layout.name, places: read, members: listed.flatMap(\.self), ends: ends)
    }

    private init(_ table: String, places: [Int32], members: [Int], ends: [Int]) {
        self.table = table
        self.places = .copy(of: places)
        values = .copy(of: places.map { _ in .null })
        self.members = .copy(of: members)
        self.ends = .copy(of: ends)
        found = .copy(of: ends.map { _ in EntrySum() })
    }

    /// Sums up other rows of the same table, for a thread of its own; without any row yet.
    package func another() -> RecordSummation {
        RecordSummation(table, places: Array(places), members: Array(members), ends: Array(ends))
    }

    /// Adds what another one of the same table was shown.
    package func add(_ other: RecordSummation) {
        for index in found.indices { found[index].add(other.found[index]) }
    }

    deinit {
        places.deallocate()
        values.deallocate()
        members.deallocate()
        ends.deallocate()
        found.deallocate()
    }

    /// For each index, in the order of the layout.
    var sums: [EntrySum] { Array(found) }

    /// Adds the row that a cursor stands on.
    package func add(_ row: borrowing SQLiteCursor) {
        for column in places.indices { values[column] = EntryValue(row.statement, places[column]) }
        addEntries { values[$0] }
    }

    /// Adds a row whose values have been read.
    package func add(_ row: RowValues) {
        addEntries { EntryValue(row[Int(places[$0])]) }
    }

    /// Adds an entry to each index, given the values of its columns by their numbers.
    @inline(__always)
    private func addEntries(_ value: (Int) -> EntryValue) {
        var place = 0
        for index in ends.indices {
            var digest = EntryDigest(key)
            while place < ends[index] {
                digest.combine(value(members[place]))
                place &+= 1
            }
            found[index].add(digest)
        }
    }
}

extension UnsafeMutableBufferPointer {
    /// Memory of its own, to be deallocated.
    fileprivate static func copy(of elements: [Element]) -> Self {
        let memory = Self.allocate(capacity: elements.count)
        _ = memory.initialize(from: elements)
        return memory
    }
}

extension SQLiteConnection {
    /// Begins to sum up a table that somebody reads whole; nil where a check has no use for that.
    ///
    /// - Parameters:
    ///   - rowid: the column of the reader's rows that is the rowid.
    ///   - columns: where the others are in them, by their names.
    package func beginSummation(
        of table: String, rowid: Int, columns: [String: Int]
    ) throws(GodwitError) -> RecordSummation? {
        guard let layout = try summedLayout(of: table) else { return nil }
        let places = layout.places(rowid: rowid, columns: columns)
        return RecordSummation(of: layout) { places[$0] }
    }

    /// The layout of a table whose records somebody may sum up; nil where a check has no use for that.
    func summedLayout(of table: String) throws(GodwitError) -> TableLayout? {
        guard try !isUTF16, let layout = try layout(of: table), layout.primaryKey == nil else { return nil }
        return layout
    }
}

extension TableLayout {
    /// Where a reader's rows have what the indexes hold: the columns, by names that are ready for SQL, and the rowid.
    func places(rowid: Int, columns: [String: Int]) -> [String: Int] {
        columns.merging(["_rowid_", "rowid", "oid"].map { ($0, rowid) }) { _, rowid in rowid }
    }
}
