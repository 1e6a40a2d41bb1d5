internal import GodwitModel
internal import CSQLiteShim

/// Caches for one connection if the store's text is UTF-16; only creating a schema can change that.
final class TextEncoding {
    private var isKnownAsUTF16: Bool?

    /// Reads the encoding again next time.
    func forget() { isKnownAsUTF16 = nil }

    /// Reads it with <https://sqlite.org/pragma.html#pragma_encoding>.
    func isUTF16(in connection: SQLiteConnection) throws(GodwitError) -> Bool {
        if let isKnownAsUTF16 { return isKnownAsUTF16 }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        var code = sqlite3_prepare_v3(connection.handle, "PRAGMA encoding", -1, 0, &statement, nil)
        if code == SQLITE_OK { code = sqlite3_step(statement) }
        guard code == SQLITE_ROW, let name = sqlite3_column_text(statement, 0) else { throw connection.error(code) }
        let isUTF16 = String(cString: name) != "UTF-8"
        isKnownAsUTF16 = isUTF16
        return isUTF16
    }
}
