package import GodwitModel
internal import Libc
internal import CSQLiteShim

/// The only owner of a prepared statement; deinit finalizes it.
///
/// SQLite owns the bytes of columns, which are valid until the next `step` or `reset`:
/// <https://sqlite.org/c3ref/column_blob.html>.
package struct SQLiteCursor: ~Copyable {
    let statement: OpaquePointer
    let connection: SQLiteConnection
    /// Reads and binds text of a store in UTF-16; nil for UTF-8, where SQLite's bytes are used directly.
    let wide: WideText?

    package init(_ connection: SQLiteConnection, _ sql: String) throws(GodwitError) {
        var compiled: OpaquePointer?
        var code = SQLITE_OK
        var hasMore = false
        var text = sql
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { start in
                var tail: UnsafePointer<CChar>?
                code = sqlite3_prepare_v3(
                    connection.handle, start.baseAddress, Int32(clamping: start.count), 0, &compiled, &tail)
                let used = tail.flatMap { tail in start.baseAddress.map { tail - $0 } } ?? start.count
                hasMore = start[min(used, start.count)...].contains { $0 != 0x20 && $0 != 0x0A && $0 != 0x3B }
            }
        }
        guard code == SQLITE_OK, let compiled else { throw connection.error(code) }
        guard !hasMore else {
            sqlite3_finalize(compiled)
            throw GodwitError(connection.stage, .bug, "more than one statement was given; only one can run")
        }
        do throws(GodwitError) {
            // A statement without columns and parameters has no text, so it need not wait for a locked store.
            let hasValues = sqlite3_column_count(compiled) + sqlite3_bind_parameter_count(compiled) > 0
            let isUTF16 = try hasValues ? connection.isUTF16 : false
            wide = isUTF16 ? WideText() : nil
        } catch {
            sqlite3_finalize(compiled)
            throw error
        }
        statement = compiled
        self.connection = connection
    }

    deinit { sqlite3_finalize(statement) }

    /// Moves to the next row; false at the end.
    package func step() throws(GodwitError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW:
            if wide != nil { try requireWholeText() }
            return true
        case SQLITE_DONE:
            try connection.requireKnownOrder()
            return false
        case let code: throw connection.error(code)
        }
    }

    /// Moves before the first row; bindings stay.
    package func reset() { sqlite3_reset(statement) }

    /// Moves before the first row and removes the bindings.
    func clear() {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    /// Runs a statement that returns no rows, and resets it.
    package func run() throws(GodwitError) {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw connection.error(code) }
    }

    // MARK: Binding, from index 1

    package func bind(_ values: [Value]) throws(GodwitError) {
        for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
    }

    package func bind(_ value: Value, at index: Int) throws(GodwitError) {
        let index = Int32(index)
        let code =
            switch value {
            case .null: sqlite3_bind_null(statement, index)
            case .integer(let number): sqlite3_bind_int64(statement, index, number)
            case .real(let number): sqlite3_bind_double(statement, index, number)
            case .text(let bytes): bytes.withUnsafeBytes { bindText($0, at: index, isCopied: true) }
            case .blob(let bytes):
                bytes.withUnsafeBytes {
                    godwit_sqlite_bind_blob_copied(statement, index, $0.baseAddress, UInt64($0.count))
                }
            }
        try check(code)
    }

    /// Binds a column of another cursor's row, without a copy if possible: that cursor must not step before this
    /// statement has run.
    package func bind(column: Int, of row: borrowing SQLiteCursor, at index: Int) throws(GodwitError) {
        let index = Int32(index)
        let code =
            switch row.type(column) {
            case .null: sqlite3_bind_null(statement, index)
            case .integer: sqlite3_bind_int64(statement, index, row.integer(column))
            case .real: sqlite3_bind_double(statement, index, row.real(column))
            case .text: row.withBytes(column) { bindText($0, at: index, isCopied: row.wide != nil) }
            case .blob:
                row.withBytes(column) {
                    godwit_sqlite_bind_blob_static(statement, index, $0.baseAddress, UInt64($0.count))
                }
            }
        try check(code)
    }

    // MARK: Columns of the current row, from index 0

    package var columnCount: Int { Int(sqlite3_column_count(statement)) }

    package func type(_ column: Int) -> StorageClass {
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

    package func real(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }

    /// The bytes of a text or blob, valid inside the closure; text of a store in UTF-16 as WTF-8.
    package func withBytes<R>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        // One call for the value is faster; see `column(_:equals:of:)`.
        let value = sqlite3_column_value(statement, Int32(column))
        let isText = sqlite3_value_type(value) == SQLITE_TEXT
        if isText, let wide { return wide.withBytes(Int32(column), of: statement, body) }
        let start = isText ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
        let count = Int(sqlite3_value_bytes(value))
        return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    package func value(_ column: Int) -> Value {
        switch type(column) {
        case .null: .null
        case .integer: .integer(integer(column))
        case .real: .real(real(column))
        case .text: .text(withBytes(column) { Array($0) })
        case .blob: .blob(withBytes(column) { Array($0) })
        }
    }

    package func row() -> [Value] { (0..<columnCount).map { value($0) } }

    /// Whether a column equals a column of another row: same storage class, same bits.
    package func column(_ column: Int, equals other: Int, of row: borrowing SQLiteCursor) -> Bool {
        guard wide == nil, row.wide == nil else { return wideColumn(column, equals: other, of: row) }
        // One call for the value is faster than one for each property. No other thread uses the connection, so the
        // value needs no protection: <https://sqlite.org/c3ref/value.html>.
        let mine = sqlite3_column_value(statement, Int32(column))
        let theirs = sqlite3_column_value(row.statement, Int32(other))
        let kind = sqlite3_value_type(mine)
        guard kind == sqlite3_value_type(theirs) else { return false }
        switch kind {
        case SQLITE_NULL: return true
        case SQLITE_INTEGER: return sqlite3_value_int64(mine) == sqlite3_value_int64(theirs)
        case SQLITE_FLOAT:
            return sqlite3_value_double(mine).bitPattern == sqlite3_value_double(theirs).bitPattern
        default:
            let count = sqlite3_value_bytes(mine)
            guard count == sqlite3_value_bytes(theirs) else { return false }
            guard count > 0 else { return true }
            guard let bytes = sqlite3_value_blob(mine), let others = sqlite3_value_blob(theirs) else { return false }
            return memcmp(bytes, others, Int(count)) == 0
        }
    }

    /// Whether consecutive columns from an index equal columns of another row, one by one.
    package func columns(from first: Int, equal others: [Int], of row: borrowing SQLiteCursor) -> Bool {
        for index in others.indices where !column(first + index, equals: others[index], of: row) { return false }
        return true
    }

    private func wideColumn(_ column: Int, equals other: Int, of row: borrowing SQLiteCursor) -> Bool {
        let kind = type(column)
        guard kind == row.type(other) else { return false }
        switch kind {
        case .null: return true
        case .integer: return integer(column) == row.integer(other)
        case .real: return real(column).bitPattern == row.real(other).bitPattern
        case .text, .blob:
            return withBytes(column) { mine in
                row.withBytes(other) { theirs in
                    mine.count == theirs.count && mine.compareBytes(with: theirs) == 0
                }
            }
        }
    }

    /// Orders a key column and another row's, as `Value` orders: negative, zero or positive.
    package func compare(_ column: Int, with other: Int, of row: borrowing SQLiteCursor) -> Int {
        if type(column) == .text, row.type(other) == .text {
            return withBytes(column) { mine in row.withBytes(other) { theirs in mine.compareBytes(with: theirs) } }
        }
        let (mine, theirs) = (value(column), row.value(other))
        return mine == theirs ? 0 : mine < theirs ? -1 : 1
    }
}

/// The storage classes of SQLite: <https://sqlite.org/datatype3.html>.
package enum StorageClass: Sendable {
    case null, integer, real, text, blob
}

extension UnsafeRawBufferPointer {
    /// Byte order, shorter first if one is a prefix of the other: collation BINARY.
    func compareBytes(with other: UnsafeRawBufferPointer) -> Int {
        if let mine = baseAddress, let theirs = other.baseAddress {
            let order = memcmp(mine, theirs, Swift.min(count, other.count))
            if order != 0 { return Int(order) }
        }
        return count - other.count
    }
}
