internal import CSQLiteShim
package import GodwitModel

/// Binding what lies in somebody's memory, without a copy: the bytes must stay in place until the statement has run.
extension SQLiteCursor {
    /// Binds text; bytes that are no UTF-8 and NUL stay as they are.
    package func bind(text bytes: UnsafeRawBufferPointer, at place: Int) throws(GodwitError) {
        try check(
            godwit_sqlite_bind_text_static(
                statement, Int32(place), bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count)))
    }

    /// Binds a blob; one without bytes is a blob and not NULL.
    package func bind(blob bytes: UnsafeRawBufferPointer, at place: Int) throws(GodwitError) {
        try check(godwit_sqlite_bind_blob_static(statement, Int32(place), bytes.baseAddress, UInt64(bytes.count)))
    }

    package func bind(integer: Int64, at place: Int) throws(GodwitError) {
        try check(sqlite3_bind_int64(statement, Int32(place), integer))
    }

    package func bind(real: Double, at place: Int) throws(GodwitError) {
        try check(sqlite3_bind_double(statement, Int32(place), real))
    }

    package func bindNull(at place: Int) throws(GodwitError) {
        try check(sqlite3_bind_null(statement, Int32(place)))
    }

    private func check(_ code: Int32) throws(GodwitError) {
        guard code == SQLITE_OK else { throw connection.error(code) }
    }
}
