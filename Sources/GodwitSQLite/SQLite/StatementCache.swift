internal import GodwitModel
internal import CSQLiteShim

/// Statements of one connection that run for every record, each prepared once.
///
/// Preparing takes several times as long as running. In addition, SQLite reports to GRDB, which owns the writing
/// connections, what each prepared statement will change; GRDB forgets that only when it prepares a statement itself.
/// That list would grow with the records, and the time with its square.
/// Invariant: cached statements are reset, and have no locks and no values.
final class StatementCache {
    /// Maximum number of statements; a stage has about ten for each entity.
    static let most = 256

    private var statements: [String: KeptStatement] = [:]

    var count: Int { statements.count }

    /// Passes the statement of a text to a body; if the statement is in use, another one.
    func lend<R>(
        _ sql: String, of connection: SQLiteConnection,
        _ body: (borrowing SQLiteCursor) throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        let statement: KeptStatement
        // Compares bytes: Swift's strings are equal in every Unicode form, but names in SQLite are not.
        if let kept = statements.removeValue(forKey: sql), kept.sql.utf8.elementsEqual(sql.utf8) {
            statement = kept
        } else {
            statement = KeptStatement(try SQLiteCursor(connection, sql), sql)
        }
        defer {
            statement.cursor.clear()
            if statements.count >= Self.most { statements.removeAll() }
            statements[sql] = statement
        }
        return try body(statement.cursor)
    }
}

private final class KeptStatement {
    let cursor: SQLiteCursor
    let sql: String

    init(_ cursor: consuming SQLiteCursor, _ sql: String) {
        self.cursor = cursor
        self.sql = sql
    }
}
