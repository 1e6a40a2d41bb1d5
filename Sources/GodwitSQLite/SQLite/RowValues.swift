package import GodwitJSON
internal import CSQLiteShim

extension RowValue {
    /// A column of the current row of a store in UTF-8, whose text SQLite returns without conversion.
    @inline(__always)
    init(_ statement: OpaquePointer, _ column: Int32) {
        // One call for the value is faster than one for each property. No other thread uses the connection, so the
        // value needs no protection: <https://sqlite.org/c3ref/value.html>.
        self.init(sqlite3_column_value(statement, column))
    }

    @inline(__always)
    init(_ value: OpaquePointer?) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT: self = .text(Self.bytes(value))
        case SQLITE_BLOB: self = .blob(Self.bytes(value))
        default: self = .null
        }
    }

    /// The bytes of a text or blob; read as a blob, because SQLite may copy a text to append a NUL.
    @inline(__always)
    private static func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
        let start = sqlite3_value_blob(value)
        let count = Int(sqlite3_value_bytes(value))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }
}

/// All values of a row, read from SQLite once.
///
/// A class with memory of its own, so that a loop copies and allocates nothing per record.
package final class RowValues {
    let values: UnsafeMutableBufferPointer<RowValue>

    package init(count: Int) {
        values = .allocate(capacity: count)
        values.initialize(repeating: .null)
    }

    deinit { values.deallocate() }

    package var count: Int { values.count }

    /// Reads the first columns of a cursor's current row, as many as there are here.
    ///
    /// - Returns: false for a store in UTF-16, whose text must be converted first.
    package func read(_ row: borrowing SQLiteCursor) -> Bool {
        guard row.wide == nil else { return false }
        for column in values.indices { values[column] = RowValue(row.statement, Int32(truncatingIfNeeded: column)) }
        return true
    }

    /// Reads the arguments of a function, as many as there are here.
    @inline(__always)
    func read(_ arguments: UnsafeMutablePointer<OpaquePointer?>) {
        for column in values.indices { values[column] = RowValue(arguments[column]) }
    }

    @inline(__always)
    package subscript(_ column: Int) -> RowValue { values[column] }
}
