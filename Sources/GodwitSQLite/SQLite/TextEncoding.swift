internal import GodwitModel
internal import CSQLiteShim

/// Whether a store keeps its text as UTF-16: asked once for a connection, since only making a schema can change it.
final class TextEncoding {
    private var isKnownAsUTF16: Bool?

    /// Asks anew the next time.
    func forget() { isKnownAsUTF16 = nil }

    /// Whether it does, as <https://sqlite.org/pragma.html#pragma_encoding> says.
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
