internal import GodwitModel
internal import CSQLiteShim

/// A text of several statements, which are run in order.
///
/// SQLite itself finds the end of each statement: <https://sqlite.org/c3ref/prepare.html>.
struct SQLScript {
    struct Statement {
        let position: SourcePosition
        /// Whether it changes no record and no table.
        let isReading: Bool
    }

    /// Ends with NUL; otherwise SQLite would copy the whole rest for each statement.
    private let text: [UInt8]
    /// Offset of the next statement.
    private var offset = 0
    /// The last offset of which line and column were counted: counting from the start each time would be quadratic.
    private var counted = (offset: 0, line: 1, column: 1)

    init(_ sql: String) { text = Array(sql.utf8) + [0] }

    /// Runs the next statement to its end and ignores its rows.
    ///
    /// - Returns: nil if no statement is left.
    mutating func runNext(on connection: SQLiteConnection) throws(GodwitError) -> Statement? {
        while offset < text.count - 1 {
            let start = offset
            var (code, statement, end) = compile(from: start, on: connection)
            defer { sqlite3_finalize(statement) }
            offset = max(start + 1, end)
            // Spaces and comments only.
            guard code != SQLITE_OK || statement != nil else { continue }
            if code == SQLITE_OK {
                repeat { code = sqlite3_step(statement) } while code == SQLITE_ROW
                if code == SQLITE_DONE { code = sqlite3_reset(statement) }
            }
            guard code == SQLITE_OK else {
                let (error, token) = (connection.error(code), sqlite3_error_offset(connection.handle))
                let newer = code == SQLITE_ERROR ? newerSyntax(from: start, on: connection) : nil
                // If the error names no word of the statement, use the statement's position.
                let position = token < 0 ? self.statement(from: start).position : position(at: start + Int(token))
                throw (newer ?? error).placed(in: connection.name, position)
            }
            return self.statement(from: start)
        }
        return nil
    }

    private func compile(
        from start: Int, on connection: SQLiteConnection
    ) -> (code: Int32, statement: OpaquePointer?, end: Int) {
        text.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { all in
                let rest = UnsafeBufferPointer(rebasing: all[start...])
                var (statement, tail): (OpaquePointer?, UnsafePointer<CChar>?)
                let code = sqlite3_prepare_v2(
                    connection.handle, rest.baseAddress, Int32(clamping: rest.count), &statement, &tail)
                let used = tail.flatMap { tail in rest.baseAddress.map { tail - $0 } }
                return (code, statement, start + (used ?? rest.count))
            }
        }
    }

    /// The error of a statement that needs a newer SQLite; nil if its words do not show that.
    private func newerSyntax(from start: Int, on connection: SQLiteConnection) -> GodwitError? {
        // SQLite stops where it does not understand the statement: the cause may be in the rest of it.
        let rest = SQLTokens(String(decoding: text[start..<(text.count - 1)], as: UTF8.self))
        let end = zip(rest.words, rest.places).first { $0 == ";" && start + $1.lowerBound >= offset }?.1.lowerBound
        let sql = String(decoding: text[start..<(end.map { start + $0 } ?? (text.count - 1))], as: UTF8.self)
        return SyntaxVersion.needed(for: sql).map { version in
            GodwitError(
                connection.stage, .data,
                "this SQLite (\(SQLiteVersion.current)) does not understand the statement; SQLite "
                    + "\(version) does",
                hint: "Write it for this SQLite, or use a build of Godwit with SQLite \(version) or newer.")
        }
    }

    /// The statement that starts at an offset; its position is that of its first word.
    private mutating func statement(from start: Int) -> Statement {
        let rest = SQLTokens(String(decoding: text[start..<min(offset, text.count - 1)], as: UTF8.self))
        return Statement(
            position: position(at: start + (rest.places.first?.lowerBound ?? 0)),
            isReading: ["pragma", "explain", "select", "values"].contains(rest.words.first ?? ""))
    }

    /// Line and column of an offset in bytes.
    private mutating func position(at offset: Int) -> SourcePosition {
        let end = min(offset, text.count)
        if end < counted.offset { counted = (0, 1, 1) }
        for byte in text[counted.offset..<end] {
            if byte == 0x0A {
                (counted.line, counted.column) = (counted.line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                // Columns count characters, not bytes.
                counted.column += 1
            }
        }
        counted.offset = end
        return SourcePosition(line: counted.line, column: counted.column)
    }
}
