package import GodwitModel

extension SQLiteConnection {
    /// Runs all statements of a schema file with SQLite's default settings, and restores the settings afterwards.
    ///
    /// So a file has the same result by itself and after others. Pass nothing else: the text of a store or manifest is
    /// data.
    ///
    /// - Parameter hasLegacyAlterTable: whether `legacy_alter_table` is on at the start, as an earlier file left it.
    /// - Throws: an error with the position of the statement that failed, and the store's name instead of the file's.
    package func execute(schemaFile sql: String, hasLegacyAlterTable: Bool = false) throws(GodwitError) {
        let settings = try DefaultSettings(of: self, hasLegacyAlterTable: hasLegacyAlterTable)
        defer { settings.setBack() }
        try run(schemaFile: sql)
    }

    /// Runs the statements with the current settings.
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
            // While a table is rebuilt, a trigger may refer to a table that does not exist for a moment.
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

    /// Removes what a file left in the `temp` schema; objects of an app on its own connection stay.
    ///
    /// Temporary objects belong to the connection and would disappear with it. Until then, a temporary table hides the
    /// store's table of the same name, <https://sqlite.org/lang_naming.html>, and records would go into the wrong
    /// table.
    private func removeTemporaryObjects(besides before: [[Value]]) throws(GodwitError) {
        let kept = Set(before.map { Array($0.prefix(2)) })
        let made = try temporaryObjects().filter { !kept.contains(Array($0.prefix(2))) }
        for kind in ["trigger", "view", "table"] {
            // An object that belongs to another one is dropped with it.
            for object in made where object[0] == .string(kind) {
                try execute("DROP \(kind) IF EXISTS temp.\(quoted(object[1].readable))")
            }
        }
    }

    /// Type, name, table and statement of each, in order of creation, because triggers run in that order.
    func temporaryObjects() throws(GodwitError) -> [[Value]] {
        try rows(
            """
            SELECT type, name, tbl_name, sql FROM sqlite_temp_schema WHERE substr(name, 1, 7) <> 'sqlite_'
            ORDER BY rowid
            """)
    }
}
