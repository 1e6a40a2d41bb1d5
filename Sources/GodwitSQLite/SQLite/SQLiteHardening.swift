package import GodwitModel
internal import CSQLiteShim

/// What is switched off before a store is looked at: <https://sqlite.org/security.html>.
package enum SQLiteHardening {
    /// Options and limits.
    ///
    /// A store that is only read loses triggers and views as well.
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
        // The schema is read under these limits as well: a trigger, view or check that the app's own SQLite takes must
        // not make a sound store a damaged one. So what a schema may hold has SQLite's own bounds; of arguments newer
        // versions take 1,000, and each takes the smaller of that and its own. <https://sqlite.org/limits.html>
        // The depth of expressions alone has half of it: SQLite recurses over them, and 1,000 levels take 416 KiB of
        // stack, which is nearly all that `WorkerThread` has.
        let limits: [(Int32, Int32)] = [
            (SQLITE_LIMIT_LENGTH, 1 << 30), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20), (SQLITE_LIMIT_COLUMN, 2000),
            (SQLITE_LIMIT_EXPR_DEPTH, 500), (SQLITE_LIMIT_COMPOUND_SELECT, 500), (SQLITE_LIMIT_VDBE_OP, 1 << 20),
            (SQLITE_LIMIT_FUNCTION_ARG, 1000), (SQLITE_LIMIT_ATTACHED, readOnly ? 0 : 1),
            (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000), (SQLITE_LIMIT_VARIABLE_NUMBER, 2000),
            (SQLITE_LIMIT_TRIGGER_DEPTH, 10), (SQLITE_LIMIT_WORKER_THREADS, 0),
        ]
        for (limit, value) in limits { sqlite3_limit(handle, limit, value) }
    }

    /// Lets no trigger run on a connection any more; for private clones.
    package static func switchTriggersOff(_ connection: SQLiteConnection) {
        _ = godwit_sqlite_set_option(connection.handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    }

    /// Whether this SQLite takes its own JSON functions for ones with side effects.
    ///
    /// Versions around Debian 12's 3.40.1 do: with an untrusted schema they call each store that has `json_extract` in an
    /// index or a generated column malformed. There every schema is trusted. What that lets in besides are functions of
    /// SQLite's full-text and R-tree extensions, which have no side effects either; Godwit registers nothing a schema
    /// could do harm with, and no connection loads extensions. Those that are for direct use only stay refused.
    /// <https://sqlite.org/c3ref/c_deterministic.html>
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

    /// Lets the schema's own code run as the app has it run: virtual tables and functions in triggers, views, defaults
    /// and checks. <https://sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfigtrustedschema>
    package static func trustSchema(of handle: OpaquePointer) {
        _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1)
    }

    /// Bounds what SQLite may allocate in the whole process, over all connections; the smaller bound stays.
    package static func limitHeap(toBytes bytes: Int64) {
        let before = sqlite3_hard_heap_limit64(-1)
        if before <= 0 || before > bytes { sqlite3_hard_heap_limit64(bytes) }
    }

    /// The bound that is set, in bytes; 0 for none.
    package static var heapLimit: Int64 { sqlite3_hard_heap_limit64(-1) }

    /// Lets through reading, transactions and a few pragmas; all else is refused when it is compiled.
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

    /// Makes long statements end when a run is cancelled.
    ///
    /// The cancellation must outlive the handle; both owners keep it.
    package static func interrupt(_ handle: OpaquePointer, when cancellation: Cancellation) {
        sqlite3_progress_handler(
            handle, 10_000,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
            }, Unmanaged.passUnretained(cancellation).toOpaque())
    }
}
