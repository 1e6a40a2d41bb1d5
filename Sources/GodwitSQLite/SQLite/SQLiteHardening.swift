package import GodwitModel
internal import CSQLiteShim

/// Options and limits that make it safe to open an untrusted store: <https://sqlite.org/security.html>.
package enum SQLiteHardening {
    /// Sets options and limits; on a store that is only read, triggers and views are disabled too.
    package static func apply(to handle: OpaquePointer, readOnly: Bool) {
        _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, distrustsJSON ? 1 : 0)
        _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
        if readOnly {
            _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
            _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
            _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_DQS_DML, 0)
            _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
        }
        // The schema is read under these limits too: triggers, views and checks that the app's own SQLite accepts must
        // not make a valid store seem damaged. So the limits of a schema are SQLite's own; newer versions allow 1,000
        // arguments, and each version uses the smaller of that and its own limit. <https://sqlite.org/limits.html>
        // Only the depth of expressions has half of SQLite's limit: SQLite recurses over them, and 1,000 levels take
        // 416 KiB, nearly the whole stack of a `WorkerThread`.
        let limits: [(Int32, Int32)] = [
            (SQLITE_LIMIT_LENGTH, 1 << 30), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20), (SQLITE_LIMIT_COLUMN, 2000),
            (SQLITE_LIMIT_EXPR_DEPTH, 500), (SQLITE_LIMIT_COMPOUND_SELECT, 500), (SQLITE_LIMIT_VDBE_OP, 1 << 20),
            (SQLITE_LIMIT_FUNCTION_ARG, 1000), (SQLITE_LIMIT_ATTACHED, readOnly ? 0 : 1),
            (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000), (SQLITE_LIMIT_VARIABLE_NUMBER, 2000),
            (SQLITE_LIMIT_TRIGGER_DEPTH, 10), (SQLITE_LIMIT_WORKER_THREADS, 0),
        ]
        for (limit, value) in limits { sqlite3_limit(handle, limit, value) }
    }

    /// Disables triggers on a connection; for private clones.
    package static func switchTriggersOff(_ connection: SQLiteConnection) {
        _ = godwit_sqlite_set_option(connection.handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    }

    /// Whether this SQLite treats its own JSON functions as functions with side effects.
    ///
    /// Versions around Debian 12's 3.40.1 do. With an untrusted schema, they report each store that has `json_extract`
    /// in an index or generated column as malformed. With these versions every schema is trusted. That also permits
    /// functions of SQLite's full-text and R-tree extensions, which have no side effects. Godwit registers no function
    /// with which a schema could do harm, and no connection loads extensions. Functions for direct use only stay
    /// forbidden. <https://sqlite.org/c3ref/c_deterministic.html>
    static let distrustsJSON: Bool = {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
            let handle
        else { return false }
        _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        return sqlite3_prepare_v2(handle, "CREATE TABLE t(a, b AS (json(a)))", -1, &statement, nil) != SQLITE_OK
    }()

    /// Allows code of the schema to run as in the app: virtual tables, and functions in triggers, views, defaults and
    /// checks.
    ///
    /// <https://sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfigtrustedschema>
    package static func trustSchema(of handle: OpaquePointer) {
        _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1)
    }

    /// Limits SQLite's memory in the whole process, for all connections; a smaller limit stays.
    package static func limitHeap(toBytes bytes: Int64) {
        let before = sqlite3_hard_heap_limit64(-1)
        if before <= 0 || before > bytes { sqlite3_hard_heap_limit64(bytes) }
    }

    /// The current limit in bytes; 0 for none.
    package static var heapLimit: Int64 { sqlite3_hard_heap_limit64(-1) }

    /// Permits reads, transactions and a few pragmas; everything else fails when it is compiled.
    package static func allowOnlyReads(_ handle: OpaquePointer) {
        sqlite3_set_authorizer(
            handle,
            { _, action, first, _, _, _ in
                switch action {
                case SQLITE_SELECT, SQLITE_READ, SQLITE_TRANSACTION: return SQLITE_OK
                case SQLITE_PRAGMA: return SQLiteHardening.isHarmless(pragma: first) ? SQLITE_OK : SQLITE_DENY
                case SQLITE_FUNCTION: return SQLITE_OK
                default: return SQLITE_DENY
                }
            }, nil)
    }

    private static func isHarmless(pragma: UnsafePointer<CChar>?) -> Bool {
        guard let pragma else { return false }
        let name = String(cString: pragma)
        return [
            "table_xinfo", "index_list", "index_xinfo", "integrity_check", "quick_check", "foreign_key_check",
            "encoding",
            "page_size", "page_count", "user_version", "application_id", "foreign_key_list",
        ].contains(name)
    }

    /// Stops long statements when a run is cancelled.
    ///
    /// The cancellation must exist longer than the handle; both owners retain it.
    package static func interrupt(_ handle: OpaquePointer, when cancellation: Cancellation) {
        sqlite3_progress_handler(
            handle, 10_000,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
            }, Unmanaged.passUnretained(cancellation).toOpaque())
    }
}
