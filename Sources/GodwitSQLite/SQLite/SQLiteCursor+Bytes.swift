package import GodwitModel
internal import CSQLiteShim

/// Binds values without copying: the bytes must stay valid until the statement has run.
extension SQLiteCursor {
    /// Binds text; keeps NUL and bytes that are not UTF-8.
    ///
    /// A store in UTF-16 accepts only WTF-8 (65).
    package func bind(text bytes: UnsafeRawBufferPointer, at index: Int) throws(GodwitError) {
        try check(bindText(bytes, at: Int32(index), isCopied: false))
    }

    /// Binds a blob; an empty one is not NULL.
    package func bind(blob bytes: UnsafeRawBufferPointer, at index: Int) throws(GodwitError) {
        try check(godwit_sqlite_bind_blob_static(statement, Int32(index), bytes.baseAddress, UInt64(bytes.count)))
    }

    package func bind(integer: Int64, at index: Int) throws(GodwitError) {
        try check(sqlite3_bind_int64(statement, Int32(index), integer))
    }

    package func bind(real: Double, at index: Int) throws(GodwitError) {
        try check(sqlite3_bind_double(statement, Int32(index), real))
    }

    package func bindNull(at index: Int) throws(GodwitError) {
        try check(sqlite3_bind_null(statement, Int32(index)))
    }

    /// Binds text and returns SQLite's result code; nil if a store in UTF-16 cannot represent the bytes.
    func bindText(_ bytes: UnsafeRawBufferPointer, at index: Int32, isCopied: Bool) -> Int32? {
        if let wide { return wide.bind(bytes, at: index, of: statement) }
        let bind = isCopied ? godwit_sqlite_bind_text_copied : godwit_sqlite_bind_text_static
        return bind(statement, index, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count))
    }

    func check(_ code: Int32?) throws(GodwitError) {
        guard let code else {
            throw GodwitError(
                connection.stage, .data,
                "`\(connection.name)` stores text as UTF-16, which can't hold text that is not valid UTF-8",
                hint: "Correct this text in its source, or use a store in UTF-8 (`PRAGMA encoding`).")
        }
        guard code == SQLITE_OK else { throw connection.error(code) }
    }

    /// Throws (65) if a text of the row has an odd number of bytes, which is not UTF-16: a reader would lose the last
    /// byte.
    ///
    /// SQLite reads such texts from damaged files and from files of old versions, but does not write them any more.
    func requireWholeText() throws(GodwitError) {
        for column in 0..<Int32(columnCount) where sqlite3_column_type(statement, column) == SQLITE_TEXT {
            guard sqlite3_column_text16(statement, column) != nil else { throw connection.error(SQLITE_NOMEM) }
            guard sqlite3_column_bytes16(statement, column) % 2 == 0 else {
                throw GodwitError(
                    connection.stage, .data,
                    "`\(connection.name)` stores text as UTF-16, but one text has an odd number of bytes",
                    hint: "Restore the store from a backup, or write this text again in the app.")
            }
        }
    }

    /// The text of a column if it looks like a date in the form of `Instant.init(plain:)`.
    func plainDateText(_ column: Int) -> PlainDateText? {
        guard wide == nil, let value = sqlite3_column_value(statement, Int32(column)),
            sqlite3_value_type(value) == SQLITE_TEXT
        else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        return PlainDateText(UnsafeRawBufferPointer(start: sqlite3_value_text(value), count: count))
    }

    /// The date in a column; nil if it is unreadable.
    ///
    /// A date in the form of `Instant.init(plain:)` is read without copying.
    package func date(_ column: Int, as encoding: InstantEncoding?) -> Instant? {
        if wide == nil, encoding == nil || encoding == .iso8601, type(column) == .text,
            let date = withBytes(column, { Instant(plain: $0) })
        {
            return date
        }
        return Instant(value(column), as: encoding)
    }
}
