package import GodwitModel
package import GodwitSQLite

/// Reads rows of a table by their numbers: on from where it stands where rows follow each other, as they do in two stores
/// that were filled in one order; else it searches anew.
///
/// Two readers take turns: one stays among the rows that both stores had, while the other follows those that were added
/// behind them. A statement that is begun anew asks for memory for each text, and threads wait for that by turns.
package struct RowSeeker: ~Copyable {
    private var first: RowReader
    private var second: RowReader
    private var isAtSecond = false

    /// - Parameters:
    ///   - first: rows in the order of their numbers, from the one on that is bound.
    ///   - second: the same once more.
    ///   - column: where the number is.
    package init(_ first: consuming SQLiteCursor, _ second: consuming SQLiteCursor, rowColumn column: Int) {
        self.first = RowReader(first, column)
        self.second = RowReader(second, column)
    }

    /// Goes to a row; false where there is none of that number.
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

    /// Lends the cursor that stands on the row it went to.
    package func withRow<R>(_ body: (borrowing SQLiteCursor) throws(GodwitError) -> R) throws(GodwitError) -> R {
        if isAtSecond { return try body(second.cursor) }
        return try body(first.cursor)
    }
}

/// One of the two.
private struct RowReader: ~Copyable {
    /// How far on a row is looked for step by step.
    private static let nearby: UInt64 = 8

    let cursor: SQLiteCursor
    private let column: Int
    /// The row that it stands on; nil for none.
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
