package import GodwitModel
package import GodwitSQLite

/// Reads rows of a table by rowid: steps forward if the next one is near, as in stores that were filled in the same
/// order; otherwise seeks.
///
/// Two readers take turns: one stays among the rows that both stores had before, the other follows those that were
/// added after them. Each seek allocates memory for texts, and threads must wait for each other to allocate.
package struct RowSeeker: ~Copyable {
    private var first: RowReader
    private var second: RowReader
    private var isAtSecond = false

    /// - Parameters:
    ///   - first: rows in order of rowid, from a bound rowid.
    ///   - column: index of the rowid.
    package init(_ first: consuming SQLiteCursor, _ second: consuming SQLiteCursor, rowColumn column: Int) {
        self.first = RowReader(first, column)
        self.second = RowReader(second, column)
    }

    /// Moves to a row; false if it does not exist.
    package mutating func go(to row: Int64) throws(GodwitError) -> Bool {
        if first.isNear(row) {
            isAtSecond = false
            return try first.advance(to: row)
        }
        if second.isNear(row) {
            isAtSecond = true
            return try second.advance(to: row)
        }
        isAtSecond.toggle()
        return isAtSecond ? try second.begin(at: row) : try first.begin(at: row)
    }

    /// Passes the cursor at the current row to a body.
    package func withRow<R>(_ body: (borrowing SQLiteCursor) throws(GodwitError) -> R) throws(GodwitError) -> R {
        if isAtSecond { return try body(second.cursor) }
        return try body(first.cursor)
    }
}

private struct RowReader: ~Copyable {
    /// Maximum distance to a row that is reached by steps.
    private static let nearby: UInt64 = 8

    let cursor: SQLiteCursor
    private let column: Int
    /// The current row; nil for none.
    private var row: Int64?

    init(_ cursor: consuming SQLiteCursor, _ column: Int) {
        self.cursor = cursor
        self.column = column
    }

    func isNear(_ wanted: Int64) -> Bool {
        guard let row, row < wanted else { return false }
        return UInt64(bitPattern: wanted &- row) <= Self.nearby
    }

    mutating func begin(at wanted: Int64) throws(GodwitError) -> Bool {
        cursor.reset()
        try cursor.bind(integer: wanted, at: 1)
        return try step() && row == wanted
    }

    mutating func advance(to wanted: Int64) throws(GodwitError) -> Bool {
        while let current = row, current < wanted {
            guard try step() else { return false }
        }
        return row == wanted
    }

    private mutating func step() throws(GodwitError) -> Bool {
        guard try cursor.step() else {
            row = nil
            return false
        }
        row = cursor.integer(column)
        return true
    }
}
