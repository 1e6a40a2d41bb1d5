internal import CSQLiteShim
package import GodwitModel

/// An empty store in memory, where schema files are tried before they touch anything.
///
/// Its authorizer refuses what a schema file has no business to do: reach another file, end the transaction it runs in,
/// or change how SQLite works. All happens in one transaction that never ends, so that what can't run in one (VACUUM) is
/// refused here and not halfway through somebody's store.
package struct MemoryStore: ~Copyable {
    package let connection: SQLiteConnection

    package init(stage: Stage) throws(GodwitError) {
        let handle = try SQLiteHandle(inMemory: stage)
        sqlite3_exec(handle.pointer, "BEGIN", nil, nil, nil)
        sqlite3_set_authorizer(
            handle.pointer,
            { _, action, first, _, _, _ in
                switch action {
                case SQLITE_ATTACH, SQLITE_DETACH, SQLITE_TRANSACTION, SQLITE_SAVEPOINT: SQLITE_DENY
                case SQLITE_PRAGMA: MemoryStore.isHarmless(pragma: first) ? SQLITE_OK : SQLITE_DENY
                default: SQLITE_OK
                }
            }, nil)
        connection = SQLiteConnection(handle, name: "schema files", stage: stage)
    }

    /// Pragmas that look at the schema or write a field of the store's header; `foreign_keys` does nothing inside a
    /// transaction, but the usual recipe for rebuilding a table begins with it.
    private static func isHarmless(pragma: UnsafePointer<CChar>?) -> Bool {
        guard let pragma else { return false }
        return [
            "application_id", "data_version", "defer_foreign_keys", "encoding", "foreign_key_check",
            "foreign_key_list", "foreign_keys", "index_info", "index_list", "index_xinfo", "legacy_alter_table",
            "page_size", "table_info", "table_list", "table_xinfo", "user_version",
        ].contains(String(cString: pragma))
    }
}
