package import GodwitModel

/// A schema file, run as a whole.
extension SQLiteConnection {
    /// Runs all statements of a schema file, with the settings that SQLite has by default, and sets back what it changes of
    /// them: a file makes the same schema whether it runs by itself or after others.
    ///
    /// Nothing else may ever be passed: a store's or a manifest's text is data.
    ///
    /// - Parameter hasLegacyAlterTable: whether it begins with `legacy_alter_table` on, as an earlier file left it.
    /// - Throws: with the position of the statement that failed, and the name of the store in the place of the file's.
    package func execute(schemaFile sql: String, hasLegacyAlterTable: Bool = false) throws(GodwitError) {
        let settings = try DefaultSettings(of: self, hasLegacyAlterTable: hasLegacyAlterTable)
        defer { settings.setBack() }
        try run(schemaFile: sql)
    }

    /// Runs them with the settings that are there.
    ///
    /// - Parameter isDone: called after each statement; never on an app's own connection.
    func run(
        schemaFile sql: String, _ isDone: (SQLScript.Statement) throws(GodwitError) -> Void = { _ in }
    ) throws(GodwitError) {
        let before = try temporaryObjects()
        guard isOfApp else {
            try execute(statements: sql, isDone)
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
    func temporaryObjects() throws(GodwitError) -> [[Value]] {
        try rows(
            """
            SELECT type, name, tbl_name, sql FROM sqlite_temp_schema WHERE substr(name, 1, 7) <> 'sqlite_'
            ORDER BY rowid
            """)
    }
}
