package import GodwitModel
internal import CSQLiteShim

extension GodwitError {
    /// The error of a store that needs a newer SQLite; nil for all other errors.
    ///
    /// - Parameter handle: the connection that failed, if it is still open.
    static func needingNewerSQLite(
        _ code: Int32, _ text: String, name: String, stage: GodwitError.Stage, handle: OpaquePointer?
    ) -> GodwitError? {
        switch code & 0xFF {
        case SQLITE_CORRUPT:
            guard let object = unreadableObject(text) else { return nil }
            let sql = handle.flatMap { statement(of: object, readBy: $0) }
            return unreadable(named(object), in: name, text, sql.flatMap { SyntaxVersion.needed(for: $0) }, stage)
        // The schema's own format: https://sqlite.org/fileformat2.html#schema_format_number
        case SQLITE_ERROR where text.hasPrefix("unsupported file format"):
            return newerFormat(name, stage, underlying: text)
        case SQLITE_ERROR where text.hasPrefix("no such function: "):
            let function = String(text.dropFirst("no such function: ".count))
            return SyntaxVersion.needed(forFunction: function).map {
                unreadable("the function \(named(function))", in: name, text, $0, stage)
            }
        default: return nil
        }
    }

    /// The store has a file format that this SQLite does not read (65).
    package static func newerFormat(
        _ name: String, _ stage: GodwitError.Stage, underlying: String? = nil
    ) -> GodwitError {
        GodwitError(
            stage, .data,
            "`\(name)` has a newer file format than this SQLite (\(SQLiteVersion.current)) can read",
            hint: "Use a build of Godwit with the SQLite of the app, or a newer one.",
            underlying: underlying)
    }

    /// - Parameter version: the first version that supports it; nil if unknown.
    private static func unreadable(
        _ what: String, in name: String, _ text: String, _ version: SyntaxVersion?, _ stage: GodwitError.Stage
    ) -> GodwitError {
        let current = SQLiteVersion.current
        let needed = version.map { "SQLite \($0) or newer" } ?? "a newer SQLite than \(current)"
        return GodwitError(
            stage, .data,
            "this SQLite (\(current)) can't read the schema of `\(name)`: it does not "
                + "understand \(what)"
                + (version.map { "; SQLite \($0) does" } ?? ""),
            hint: "Use a build of Godwit with \(needed), or with the SQLite of the app.",
            underlying: text)
    }

    /// The table, index, view or trigger whose SQL this SQLite does not understand, from SQLite's message.
    ///
    /// Nil if the schema table itself is damaged: `corruptSchema` in prepare.c.
    private static func unreadableObject(_ text: String) -> String? {
        let start = "malformed database schema ("
        guard text.hasPrefix(start), let end = text.firstRange(of: ") - ") else { return nil }
        let damage = ["invalid rootpage", "orphan index", "incomplete input", "there is already", "already exists"]
        guard !damage.contains(where: text[end.upperBound...].contains) else { return nil }
        return String(text[..<end.lowerBound].dropFirst(start.count))
    }

    /// The SQL that made an object, read on a second connection: one that reads a schema in parts must do nothing else.
    private static func statement(of object: String, readBy failed: OpaquePointer) -> String? {
        guard let path = sqlite3_db_filename(failed, "main"), path.pointee != 0 else { return nil }
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else { return nil }
        SQLiteHardening.apply(to: handle, readOnly: true)
        // SQLite then skips statements that it does not understand:
        // https://sqlite.org/pragma.html#pragma_writable_schema
        _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "SELECT sql FROM sqlite_schema WHERE name = ? AND length(sql) < 1000000"
        let name = Array(object.utf8)
        let isReady = name.withUnsafeBytes { bytes in
            sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK
                && godwit_sqlite_bind_text_copied(
                    statement, 1, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count))
                    == SQLITE_OK
        }
        guard isReady, sqlite3_step(statement) == SQLITE_ROW else { return nil }
        return sqlite3_column_text(statement, 0).map { String(cString: $0) }
    }
}

/// The version of SQLite in this process.
package enum SQLiteVersion {
    /// For example `3.40.1`.
    package static let current = String(cString: sqlite3_libversion())
}
