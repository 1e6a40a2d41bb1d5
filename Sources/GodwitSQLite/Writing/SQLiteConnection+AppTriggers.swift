internal import GodwitModel

/// An app's temporary triggers on its own connection, which a migration must keep.
extension SQLiteConnection {
    /// Creates an app's temporary triggers again that were dropped with a table which the file rebuilt.
    ///
    /// A trigger is dropped with its table, in any schema, <https://sqlite.org/lang_droptable.html>. SQLite keeps its
    /// text as CREATE TRIGGER.
    func restoreTriggers(_ before: [[Value]]) throws(GodwitError) {
        let create = "CREATE TRIGGER"
        let left = Set(try temporaryObjects().map { Array($0.prefix(2)) })
        for lost in before where lost[0] == .string("trigger") && !left.contains(Array(lost.prefix(2))) {
            let sql = lost[3].readable
            guard sql.hasPrefix(create) else { continue }
            do throws(GodwitError) {
                try execute("CREATE TEMP TRIGGER" + sql.dropFirst(create.count))
            } catch  where error.underlying?.hasPrefix("no such table: ") == true {
                // Its table was dropped for good.
                continue
            }
            try requireRunnable(trigger: lost[1].readable, on: lost[2].readable)
        }
    }

    /// Throws (65) if a trigger names something that its table no longer has: otherwise the app would get the error
    /// when the trigger fires.
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
                // The caller knows which migration it was.
                failure.underlying = "the app's temporary trigger '\(trigger)': \(error.underlying ?? error.message)"
                throw failure
            }
        }
    }
}
