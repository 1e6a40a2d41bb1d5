internal import GodwitFiles
package import GodwitModel
internal import CSQLiteShim

/// A SQLite handle that somebody else owns, with the path it was opened from.
///
/// Both sides use it: the reading side's handle lives for as long as any connection to it, the writing side borrows
/// GRDB's, which must not leave the closure it was given to.
package struct SQLiteConnection {
    package let handle: OpaquePointer
    /// What messages call the store: its path inside the container.
    package let name: String
    package let stage: Stage
    /// Keeps the handle open; nil where somebody else sees to that.
    let owner: SQLiteHandle?
    /// Whether it is the app's own, on which nothing may be left: the app's temporary triggers are on it, too.
    package let isOfApp: Bool
    private let encoding: TextEncoding
    /// Where statements with values are kept for the next time; nil where each is made anew.
    private var shelf: StatementCache?

    package init(handle: OpaquePointer, name: String, stage: Stage, isOfApp: Bool = false) {
        self.handle = handle
        self.isOfApp = isOfApp
        encoding = TextEncoding()
        owner = nil
        self.name = name
        self.stage = stage
    }

    init(_ owner: SQLiteHandle, name: String, stage: Stage) {
        handle = owner.pointer
        isOfApp = false
        encoding = TextEncoding()
        self.owner = owner
        self.name = name
        self.stage = stage
    }

    /// Compiles one statement.
    package func prepare(_ sql: String) throws(GodwitError) -> SQLiteCursor {
        try SQLiteCursor(self, sql)
    }

    /// The same connection, which keeps the statements that it runs with values, for as long as any copy of it lives.
    func keepingStatements() -> SQLiteConnection {
        var connection = self
        connection.shelf = StatementCache()
        return connection
    }

    /// Runs one statement to its end.
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
        guard let shelf, !values.isEmpty else {
            let cursor = try prepare(sql)
            try cursor.bind(values)
            return try body(cursor)
        }
        // Without the shelf: what lies there must not keep it.
        var connection = self
        connection.shelf = nil
        return try shelf.lend(sql, of: connection) { cursor throws(GodwitError) in
            try cursor.bind(values)
            return try body(cursor)
        }
    }

    /// Whether the store keeps its text as UTF-16.
    var isUTF16: Bool { get throws(GodwitError) { try encoding.isUTF16(in: self) } }

    /// Runs the statements of a schema file one after another; one of them may say how the store is to keep its text.
    ///
    /// - Parameter isDone: called after each statement.
    /// - Throws: with the position of the statement that failed, and the name of the store in the place of the file's.
    func execute(
        statements sql: String, _ isDone: (SQLScript.Statement) throws(GodwitError) -> Void = { _ in }
    ) throws(GodwitError) {
        defer { encoding.forget() }
        var script = SQLScript(sql)
        while let statement = try script.runNext(on: self) { try isDone(statement) }
    }

    /// All rows; for the small results of bookkeeping and introspection.
    package func rows(_ sql: String, _ values: [Value] = []) throws(GodwitError) -> [[Value]] {
        try run(sql, values) { cursor throws(GodwitError) in
            var rows: [[Value]] = []
            while try cursor.step() { rows.append(cursor.row()) }
            return rows
        }
    }

    /// Rows changed by the last INSERT, UPDATE or DELETE.
    package var changedRows: Int64 { sqlite3_changes64(handle) }

    /// Rows changed since the store was opened, by triggers and foreign keys as well.
    package var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    /// The error that the last call on this handle ended with.
    package func error(_ code: Int32) -> GodwitError {
        let text = sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
        if code & 0xFF == SQLITE_INTERRUPT, let error = unknownOrder() { return error }
        // Who waits for another process' lock is cancelled by no longer waiting.
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
    /// What a SQLite result code means to the user: <https://sqlite.org/rescode.html>.
    ///
    /// - Parameter systemError: the `errno` that lies behind it, 0 where it is not known. SQLite has one code for most
    ///   of what a disk may say; only the number tells a full quota from a missing right.
    /// - Parameter isOpen: whether the store had been opened: what then can't be opened is a journal beside it.
    /// - Parameter isReader: whether it was only read: what then is full is where SQLite puts records in order,
    ///   <https://sqlite.org/tempfiles.html#other_temporary_file_optimizations>.
    /// - Parameter handle: the connection that failed, if it is still open.
    package static func sqlite(
        _ code: Int32, _ text: String, name: String, stage: Stage, systemError: Int32 = 0, isOpen: Bool = false,
        isReader: Bool = false, handle: OpaquePointer? = nil
    ) -> GodwitError {
        if let error = needingNewerSQLite(code, text, name: name, stage: stage, handle: handle) { return error }
        if systemError != 0, code & 0xFF == SQLITE_IOERR || code & 0xFF == SQLITE_CANTOPEN {
            return .system(
                code & 0xFF == SQLITE_IOERR ? "read or write" : "open", name, errno: systemError, stage: stage)
        }
        let (exit, message, hint): (ExitCode, String, String) =
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
                (.busy, "\(name) is in use by another process.", "Close the app that uses it, or raise --lock-timeout.")
            case SQLITE_FULL where isReader:
                (
                    .io, "There is no space left for temporary files, in which records of \(name) are put in order.",
                    "Set TMPDIR to a folder with room for several times what the store's largest table takes."
                )
            case SQLITE_FULL:
                (.io, "There is no space left to write \(name).", "Free some space and run the same command again.")
            case SQLITE_IOERR:
                (.io, "\(name) can't be read or written.", "Check the volume, then run the same command again.")
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT:
                (
                    .data, "\(name) is not a usable SQLite store.",
                    "It is damaged, encrypted or no store at all; restore it from a backup."
                )
            case SQLITE_CANTOPEN where isOpen:
                (.io, "The journal of \(name) can't be opened.", "Check the volume and the modes of its folder.")
            case SQLITE_CANTOPEN:
                (.noInput, "\(name) can't be opened.", "Check the path and the modes of its folder.")
            case SQLITE_PERM, SQLITE_READONLY:
                (.permission, "\(name) can't be written.", "Check the modes of the file and of its folder.")
            case SQLITE_AUTH:
                (
                    .data, "\(name) wants to run something Godwit does not allow.",
                    "Read the triggers, views and expressions of its schema: one of them uses what SQLite names."
                )
            case SQLITE_CONSTRAINT:
                (
                    .data, "\(name) refused a record.",
                    "Correct the record in the app, or loosen the constraint in a new schema file."
                )
            case SQLITE_TOOBIG:
                (.data, "\(name) holds a value too large to handle.", "Shorten the value in the app.")
            // The limit on SQLite's memory was reached, or the system's.
            case SQLITE_NOMEM:
                (
                    .data, "There is too little memory for what \(name) holds.",
                    "A value in it is very large, or the process may not take more: look at ulimit -v, or run it where "
                        + "more memory is free."
                )
            case SQLITE_INTERRUPT:
                (.interrupted, "Cancelled; this stage was rolled back.", "Run the same command again.")
            // https://sqlite.org/c3ref/create_collation.html: a collation lives in the process of whoever made it.
            case SQLITE_ERROR
            where ["no such collation", "no such function", "no such module"].contains(where: text.hasPrefix):
                (
                    .data, "\(name) sorts or computes with something that only its app has.",
                    "Export through the app, or work on a copy of the store without the index, trigger or column that needs "
                        + "the app's own code."
                )
            default:
                (
                    .data, "SQLite could not work on \(name).",
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
/// Identifiers can't be bound, so none goes into SQL without this. Bytes are looked at, not characters: a quote with a
/// combining mark behind it is one character to Swift, and still a quote to SQLite.
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
    /// Moves all of the log into the store and flushes it; 75 where somebody reads an older state all the time.
    ///
    /// <https://sqlite.org/pragma.html#pragma_wal_checkpoint>
    package func moveLogIntoStore() throws(GodwitError) {
        guard try first("PRAGMA main.wal_checkpoint(FULL)") == .integer(0) else {
            throw .sqlite(SQLITE_BUSY, "its log could not be moved into it", name: name, stage: stage)
        }
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}
