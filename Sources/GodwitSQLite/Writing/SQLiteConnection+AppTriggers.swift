internal import GodwitModel

/// The temporary triggers of an app on its own connection, which a migration must not cost it.
extension SQLiteConnection {
    /// Makes those temporary triggers of the app's anew that went with a table which the file rebuilt.
    ///
    /// A trigger goes with its table in whichever schema it is, <https://sqlite.org/lang_droptable.html>, and is kept as
    /// CREATE TRIGGER.
    func restoreTriggers(_ before: [[Value]]) throws(GodwitError) {
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
}
