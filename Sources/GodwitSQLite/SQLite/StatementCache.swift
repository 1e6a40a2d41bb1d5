internal import GodwitModel
internal import CSQLiteShim

/// Statements of one connection that are run for record after record, each prepared once.
///
/// Preparing takes several times as long as running. And GRDB, whose connections write, is told by SQLite what each
/// statement is going to change when it is prepared; it forgets that only when it prepares one itself. That list would
/// grow with the records, and the time with its square.
///
/// Invariant: what lies here is reset, and holds neither a lock nor a value.
final class StatementCache {
    /// Different statements; a stage has some ten for each entity.
    static let most = 256

    private var statements: [String: KeptStatement] = [:]

    var count: Int { statements.count }

    /// Lends the statement of a text; one that is in use already is another one.
    func lend<R>(
        _ sql: String, of connection: SQLiteConnection,
        _ body: (borrowing SQLiteCursor) throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        let statement: KeptStatement
        // To Swift an `é` is an `é` in whatever way it is written, to SQLite these are two names.
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
