package import GodwitModel
internal import CSQLiteShim

/// An empty store in memory, where schema files are tested before they change anything.
///
/// Its authorizer refuses what a schema file must not do: open another file, end its transaction, or change how SQLite
/// works. Everything runs in one transaction that never ends, so a statement that cannot run in one (VACUUM) fails
/// here, and not in the middle of changing a user's store.
package struct MemoryStore: ~Copyable {
    package let connection: SQLiteConnection
    private let authorizer = SchemaFileAuthorizer()

    package init(stage: GodwitError.Stage) throws(GodwitError) {
        let handle = try SQLiteHandle(inMemory: stage)
        sqlite3_exec(handle.pointer, "BEGIN", nil, nil, nil)
        connection = SQLiteConnection(handle, name: "schema files", stage: stage)
        connection.soundIndexes.addAll()
        authorizer.watch(handle.pointer)
    }

    deinit { sqlite3_set_authorizer(connection.handle, nil, nil) }

    /// Runs a schema file as on a store; if it fails, the store does not change.
    ///
    /// - Parameter hasLegacyAlterTable: whether `legacy_alter_table` is on at the start, as an earlier file left it.
    /// - Returns: the settings that it changes for later statements and files.
    /// - Throws: an error with the position of the statement that failed.
    package borrowing func run(
        schemaFile sql: String, hasLegacyAlterTable: Bool = false
    ) throws(GodwitError) -> [LastingSetting] {
        var found: DefaultSettings?
        try authorizer.whileOpen { () throws(GodwitError) in
            found = try DefaultSettings(of: connection, hasLegacyAlterTable: hasLegacyAlterTable)
            try connection.execute("SAVEPOINT godwit_file")
        }
        defer { authorizer.whileOpen { found?.setBack() } }
        _ = authorizer.takePragmas()
        var settings = FileSettings()
        do throws(GodwitError) {
            try connection.run(schemaFile: sql) { statement throws(GodwitError) in
                settings.note(authorizer.takePragmas(), in: statement)
                let found = try connection.first("PRAGMA legacy_alter_table")
                _ = authorizer.takePragmas()
                settings.note(hasLegacyAlterTable: found == .integer(1), in: statement)
            }
        } catch {
            let denied = authorizer.takePragmas().last { !$0.isHarmless }
            try? authorizer.whileOpen { () throws(GodwitError) in
                try connection.execute("ROLLBACK TO godwit_file")
                try connection.execute("RELEASE godwit_file")
            }
            throw denied.map { error.becauseOf($0.name) } ?? error
        }
        try authorizer.whileOpen { () throws(GodwitError) in try connection.execute("RELEASE godwit_file") }
        return settings.lasting
    }
}

extension GodwitError {
    fileprivate func becauseOf(_ pragma: String) -> GodwitError {
        var error = self
        error.message = "`PRAGMA \(pragma)` is not allowed in a schema file"
        error.hint = "Remove the statement: each file runs with SQLite's default settings."
        error.underlying = nil
        return error
    }
}
