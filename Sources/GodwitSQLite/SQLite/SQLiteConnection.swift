internal import GodwitFiles
package import GodwitModel
internal import CSQLiteShim

/// A SQLite handle with the name of its store; the owner is another object.
///
/// Readers own a `SQLiteHandle`, which is open as long as a connection to it exists. Writers borrow GRDB's handle,
/// which must not leave the closure that received it.
package struct SQLiteConnection {
    package let handle: OpaquePointer
    /// The store in messages: its path inside the container.
    package let name: String
    package let stage: GodwitError.Stage
    /// Keeps the handle open; nil if other code does that.
    let owner: SQLiteHandle?
    /// Whether the app owns it; then nothing may be left on it, and the app's temporary triggers are on it too.
    package let isOfApp: Bool
    private let encoding: TextEncoding
    /// The tables whose indexes statements may use.
    let soundIndexes: SoundIndexes
    /// Caches statements with values; nil to compile each one again.
    private var cache: StatementCache?

    package init(handle: OpaquePointer, name: String, stage: GodwitError.Stage, isOfApp: Bool = false) {
        self.init(handle: handle, name: name, stage: stage, isOfApp: isOfApp, SoundIndexes())
    }

    init(handle: OpaquePointer, name: String, stage: GodwitError.Stage, isOfApp: Bool, _ indexes: SoundIndexes) {
        (self.handle, self.isOfApp, soundIndexes) = (handle, isOfApp, indexes)
        encoding = TextEncoding()
        owner = nil
        (self.name, self.stage) = (name, stage)
    }

    init(_ owner: SQLiteHandle, name: String, stage: GodwitError.Stage) {
        handle = owner.pointer
        isOfApp = false
        soundIndexes = SoundIndexes()
        encoding = TextEncoding()
        (self.owner, self.name, self.stage) = (owner, name, stage)
    }

    package func prepare(_ sql: String) throws(GodwitError) -> SQLiteCursor {
        try SQLiteCursor(self, sql)
    }

    /// The same connection, but it caches statements with values as long as a copy of it exists.
    func keepingStatements() -> SQLiteConnection {
        var connection = self
        connection.cache = StatementCache()
        return connection
    }

    package func execute(_ sql: String, _ values: [Value] = []) throws(GodwitError) {
        try run(sql, values) { cursor throws(GodwitError) in
            while try cursor.step() {}
        }
    }

    /// The first column of the first row; nil without rows.
    package func first(_ sql: String, _ values: [Value] = []) throws(GodwitError) -> Value? {
        try run(sql, values) { cursor throws(GodwitError) in
            guard try cursor.step() else { return nil }
            try requireKnownOrder()
            return cursor.value(0)
        }
    }

    private func run<R>(
        _ sql: String, _ values: [Value], _ body: (borrowing SQLiteCursor) throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        guard let cache, !values.isEmpty else {
            let cursor = try prepare(sql)
            try cursor.bind(values)
            return try body(cursor)
        }
        // Without the cache, because its statements must not retain it.
        var connection = self
        connection.cache = nil
        return try cache.lend(sql, of: connection) { cursor throws(GodwitError) in
            try cursor.bind(values)
            return try body(cursor)
        }
    }

    /// Whether the store's text encoding is UTF-16.
    var isUTF16: Bool { get throws(GodwitError) { try encoding.isUTF16(in: self) } }

    /// Runs the statements of a schema file in order; one of them may set the store's text encoding.
    ///
    /// - Throws: an error with the position of the statement that failed, and the store's name instead of the file's.
    func execute(
        statements sql: String, _ isDone: (SQLScript.Statement) throws(GodwitError) -> Void = { _ in }
    ) throws(GodwitError) {
        defer { encoding.forget() }
        var script = SQLScript(sql)
        while let statement = try script.runNext(on: self) { try isDone(statement) }
    }

    /// All rows; only for small results, such as ledger rows and pragmas.
    package func rows(_ sql: String, _ values: [Value] = []) throws(GodwitError) -> [[Value]] {
        try run(sql, values) { cursor throws(GodwitError) in
            var rows: [[Value]] = []
            while try cursor.step() { rows.append(cursor.row()) }
            return rows
        }
    }

    package var changedRows: Int64 { sqlite3_changes64(handle) }

    /// Rows changed since the store was opened, including those that triggers and foreign keys changed.
    package var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    /// The error of the last call on this handle.
    package func error(_ code: Int32) -> GodwitError {
        let text = sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
        if code & 0xFF == SQLITE_INTERRUPT, let error = unknownOrder() { return error }
        // A cancelled run also stops waiting for another process's lock, so report the cancellation.
        if [SQLITE_INTERRUPT, SQLITE_BUSY].contains(code & 0xFF), let raised = owner?.cancellationError(stage) {
            return raised
        }
        let number = godwit_sqlite_system_error(handle, code)
        return unknownCollation(text)
            ?? .sqlite(
                code, text, name: name, stage: stage, systemError: number, isOpen: true,
                isReader: owner?.isReader ?? false, handle: handle)
    }
}

extension GodwitError {
    /// Maps a SQLite result code to an error for users: <https://sqlite.org/rescode.html>.
    ///
    /// - Parameters:
    ///   - systemError: the `errno` behind it; 0 if unknown. SQLite has one code for most disk errors, so only this number distinguishes an exceeded quota from a missing permission.
    ///   - isOpen: whether the store had been opened; then a file that cannot be opened is a journal.
    ///   - isReader: whether the store was only read; then the full disk is the one where SQLite sorts records, <https://sqlite.org/tempfiles.html#other_temporary_file_optimizations>.
    ///   - handle: the connection that failed, if it is still open.
    package static func sqlite(
        _ code: Int32, _ text: String, name: String, stage: GodwitError.Stage, systemError: Int32 = 0,
        isOpen: Bool = false,
        isReader: Bool = false, handle: OpaquePointer? = nil
    ) -> GodwitError {
        if let error = needingNewerSQLite(code, text, name: name, stage: stage, handle: handle) { return error }
        if systemError != 0, code & 0xFF == SQLITE_IOERR || code & 0xFF == SQLITE_CANTOPEN {
            return .system(
                code & 0xFF == SQLITE_IOERR ? "read or write" : "open", name, errno: systemError, stage: stage)
        }
        let (exit, message, hint): (GodwitError.Code, String, String) =
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
                (
                    .busy, "`\(name)` is in use by another process",
                    "Close the app that uses it, or wait longer with \(name: .longerLockTimeout)."
                )
            case SQLITE_FULL where isReader:
                (
                    .io, "no space left for temporary files, in which records of `\(name)` are sorted",
                    "Set TMPDIR to a folder with several times the space of the store's largest table."
                )
            case SQLITE_FULL:
                (.io, "no space left to write `\(name)`", "Free some space, then run the same command again.")
            case SQLITE_IOERR:
                (.io, "`\(name)` can't be read or written", "Check the volume, then run the same command again.")
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT:
                (
                    .data, "`\(name)` is not a usable SQLite store",
                    "Restore it from a backup; if the app encrypts it, give Godwit a decrypted copy."
                )
            case SQLITE_CANTOPEN where isOpen:
                (.io, "the journal of `\(name)` can't be opened", "Check the volume and the modes of its folder.")
            case SQLITE_CANTOPEN:
                (.noInput, "`\(name)` can't be opened", "Check the path and the modes of its folder.")
            case SQLITE_PERM, SQLITE_READONLY:
                (.permission, "`\(name)` can't be written", "Check the modes of the file and of its folder.")
            case SQLITE_AUTH:
                (
                    .data, "the schema of `\(name)` uses something that Godwit does not allow",
                    "Correct the trigger, view or expression that uses what SQLite names."
                )
            case SQLITE_CONSTRAINT:
                (
                    .data, "`\(name)` refused a record",
                    "Correct the record in the app, or loosen the constraint in a new schema file."
                )
            case SQLITE_TOOBIG:
                (.data, "`\(name)` has a value that is too large for SQLite", "Shorten the value in the app.")
            // SQLite's own memory limit was reached, or the system's.
            case SQLITE_NOMEM:
                (
                    .data, "not enough memory for the contents of `\(name)`",
                    "Raise the memory limit (`ulimit -v`), or run it where more memory is free."
                )
            case SQLITE_INTERRUPT:
                (.interrupted, "cancelled; this stage was rolled back", "Run the same command again.")
            // https://sqlite.org/c3ref/create_collation.html: a collation exists only in the process that registers it.
            case SQLITE_ERROR
            where ["no such collation", "no such function", "no such module"].contains(where: text.hasPrefix):
                (
                    .data, "`\(name)` sorts or computes with a function, collation or module that only its app has",
                    "Export through the app, or work on a copy without the index, trigger or column that "
                        + "needs it."
                )
            default:
                (
                    .data, "SQLite failed on `\(name)`",
                    "Check the store with `PRAGMA integrity_check`, then run the same command again."
                )
            }
        var error = GodwitError(stage, exit, message, hint: hint, underlying: text)
        error.isOutOfMemory = code & 0xFF == SQLITE_NOMEM
        return error
    }
}

/// An identifier in SQL: quoted, with quotes doubled.
///
/// Identifiers cannot be bound, so each one in SQL must pass through here. Compares bytes, not characters: a quote with
/// a combining mark is one character in Swift, but still a quote in SQLite.
package func quoted(_ identifier: String) -> String {
    var bytes: [UInt8] = [0x22]
    for byte in identifier.utf8 {
        if byte == 0x22 { bytes.append(0x22) }
        bytes.append(byte)
    }
    bytes.append(0x22)
    return String(decoding: bytes, as: UTF8.self)
}

extension SQLiteConnection {
    /// Moves all of the `-wal` file into the store and flushes it; throws 75 if another process reads an older state.
    ///
    /// <https://sqlite.org/pragma.html#pragma_wal_checkpoint>
    package func moveLogIntoStore() throws(GodwitError) {
        guard try first("PRAGMA main.wal_checkpoint(FULL)") == .integer(0) else {
            throw .sqlite(SQLITE_BUSY, "its -wal file could not be moved into it", name: name, stage: stage)
        }
    }

    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}
