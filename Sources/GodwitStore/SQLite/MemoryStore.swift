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

extension SQLiteConnection {
    /// Runs all statements of a schema file.
    ///
    /// Nothing else may ever be passed: a store's or a manifest's text is data.
    package func execute(schemaFile sql: String) throws(GodwitError) {
        let before = try temporaryObjects()
        guard isOfApp else {
            try execute(statements: sql)
            return try removeTemporaryObjects(besides: before)
        }
        try execute("SAVEPOINT godwit_file")
        do throws(GodwitError) {
            try execute(statements: sql)
        } catch  where error.underlying?.hasPrefix("error in trigger") == true {
            // While a table is rebuilt, a trigger elsewhere may name what is not there for a moment.
            try execute("ROLLBACK TO godwit_file")
            for object in before where object[0] == .string("trigger") {
                try execute("DROP TRIGGER temp.\(quoted(object[1].readable))")
            }
            try execute(statements: sql)
        }
        try execute("RELEASE godwit_file")
        try removeTemporaryObjects(besides: before)
        try restoreTriggers(before)
        try requireNothingInFront()
    }

    /// Makes those temporary triggers of the app's anew that went with a table which the file rebuilt.
    ///
    /// A trigger goes with its table in whichever schema it is, <https://sqlite.org/lang_droptable.html>, and is kept as
    /// CREATE TRIGGER.
    private func restoreTriggers(_ before: [[Value]]) throws(GodwitError) {
        let create = "CREATE TRIGGER"
        let left = Set(try temporaryObjects().map { Array($0.prefix(2)) })
        for lost in before where lost[0] == .string("trigger") && !left.contains(Array(lost.prefix(2))) {
            let sql = lost[3].readable
            guard sql.hasPrefix(create) else { continue }
            do throws(GodwitError) {
                try execute("CREATE TEMP TRIGGER" + sql.dropFirst(create.count))
            } catch  where error.underlying?.hasPrefix("no such table: ") == true {
                // It went with its table for good.
                continue
            }
            try requireRunnable(trigger: lost[1].readable, on: lost[2].readable)
        }
    }

    /// Throws (65) where a trigger names what its table no longer has: SQLite says so only when it is set off, and then to the
    /// app.
    private func requireRunnable(trigger: String, on table: String) throws(GodwitError) {
        let isOwn = try first(
            "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND rootpage <> 0 AND name = ? COLLATE NOCASE",
            [.string(table)])
        guard isOwn != nil else { return }
        let name = "main.\(quoted(table))"
        let columns = try rows("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", [.string(table)])
        let values = columns.map { "\(quoted($0[0].readable)) = NULL" }.joined(separator: ", ")
        for sql in ["INSERT INTO \(name) DEFAULT VALUES", "UPDATE \(name) SET \(values)", "DELETE FROM \(name)"] {
            do throws(GodwitError) {
                _ = try prepare("EXPLAIN " + sql)
            } catch {
                var failure = error
                // Whoever applies a migration says which one it was.
                failure.underlying = "the app's temporary trigger '\(trigger)': \(error.underlying ?? error.message)"
                throw failure
            }
        }
    }

    /// Takes away what a file made in the `temp` schema and left there; what an app has there on its own connection stays.
    ///
    /// It is this connection's alone and would be gone with it. Until then a temporary table stands before the store's
    /// own of that name, <https://sqlite.org/lang_naming.html>, and records meant for the one would go into the other.
    private func removeTemporaryObjects(besides before: [[Value]]) throws(GodwitError) {
        let kept = Set(before.map { Array($0.prefix(2)) })
        let made = try temporaryObjects().filter { !kept.contains(Array($0.prefix(2))) }
        for kind in ["trigger", "view", "table"] {
            // One that belongs to another goes with it.
            for object in made where object[0] == .string(kind) {
                try execute("DROP \(kind) IF EXISTS temp.\(quoted(object[1].readable))")
            }
        }
    }

    /// Kind, name, table and statement of each, in the order in which they were made: triggers run in it.
    private func temporaryObjects() throws(GodwitError) -> [[Value]] {
        try rows(
            """
            SELECT type, name, tbl_name, sql FROM sqlite_temp_schema WHERE substr(name, 1, 7) <> 'sqlite_'
            ORDER BY rowid
            """)
    }
}
