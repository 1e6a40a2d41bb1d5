internal import CSQLiteShim

/// One value that stays valid after its row, in memory that is used again for the next.
package struct SQLiteCell: ~Copyable {
    private var kind = SQLITE_NULL
    private var number: Int64 = 0
    private var real = 0.0
    private var bytes: [UInt8] = []

    package init() {}

    /// How SQLite groups two values.
    package enum Likeness {
        case same, different
        /// An integer and a real that is equal to it.
        case equalNumber
    }

    /// Copies a column of a cursor's current row; text stays in the store's encoding.
    package mutating func take(_ column: Int, of row: borrowing SQLiteCursor) {
        let value = sqlite3_column_value(row.statement, Int32(column))
        kind = sqlite3_value_type(value)
        switch kind {
        case SQLITE_NULL: break
        case SQLITE_INTEGER: number = sqlite3_value_int64(value)
        case SQLITE_FLOAT: real = sqlite3_value_double(value)
        default:
            bytes.removeAll(keepingCapacity: true)
            bytes.append(contentsOf: Self.bytes(of: value, kind, row))
        }
    }

    /// Compares with a column of another row of the same store: by storage class and bytes; 0.0 equals -0.0.
    package borrowing func compare(_ column: Int, of row: borrowing SQLiteCursor) -> Likeness {
        let value = sqlite3_column_value(row.statement, Int32(column))
        let other = sqlite3_value_type(value)
        switch (kind, other) {
        case (SQLITE_INTEGER, SQLITE_FLOAT):
            return sqlite3_value_double(value) == Double(number) ? .equalNumber : .different
        case (SQLITE_FLOAT, SQLITE_INTEGER):
            return real == Double(sqlite3_value_int64(value)) ? .equalNumber : .different
        case (SQLITE_NULL, SQLITE_NULL): return .same
        case (SQLITE_INTEGER, SQLITE_INTEGER): return number == sqlite3_value_int64(value) ? .same : .different
        case (SQLITE_FLOAT, SQLITE_FLOAT): return real == sqlite3_value_double(value) ? .same : .different
        case (let mine, let theirs) where mine == theirs:
            let stored = Self.bytes(of: value, other, row)
            let isSame = bytes.withUnsafeBytes { $0.compareBytes(with: stored) == 0 }
            return isSame ? .same : .different
        default: return .different
        }
    }

    /// The bytes of a text or blob in the store's encoding.
    private static func bytes(
        of value: OpaquePointer?, _ kind: Int32, _ row: borrowing SQLiteCursor
    ) -> UnsafeRawBufferPointer {
        // In this order; otherwise the count is that of another encoding: <https://sqlite.org/c3ref/value_blob.html>.
        let isWide = kind == SQLITE_TEXT && row.wide != nil
        let start = isWide ? sqlite3_value_text16(value) : sqlite3_value_blob(value)
        let count = Int(isWide ? sqlite3_value_bytes16(value) : sqlite3_value_bytes(value))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }
}
