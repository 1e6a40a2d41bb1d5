internal import GodwitModel
internal import CSQLiteShim

/// Resets the settings of a connection that affect the result of a schema file to SQLite's defaults.
///
/// Except foreign keys, which `withForeignKeysOff` handles.
struct DefaultSettings {
    private let connection: SQLiteConnection
    /// Pragmas that restore the previous values.
    private var pragmas: [String] = []
    private var options: [(option: Int32, value: Int32)] = []

    /// Pragmas with SQLite's default values: <https://sqlite.org/pragma.html>.
    private static let pragmas = [
        ("legacy_alter_table", 0), ("recursive_triggers", 0), ("reverse_unordered_selects", 0),
        ("ignore_check_constraints", 0), ("defer_foreign_keys", 0), ("full_column_names", 0), ("short_column_names", 1),
    ]

    /// Whether a text in double quotes may be a string, which GRDB disables: <https://sqlite.org/quirks.html#dblquote>.
    private static let options = [SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML]

    /// Resets all settings, except what an earlier file has changed for later ones.
    init(of connection: SQLiteConnection, hasLegacyAlterTable: Bool) throws(GodwitError) {
        self.connection = connection
        for (name, usual) in Self.pragmas {
            guard case .integer(let found)? = try connection.first("PRAGMA \(name)") else { continue }
            let wanted = name == "legacy_alter_table" && hasLegacyAlterTable ? 1 : usual
            pragmas.append("\(name)=\(found)")
            if found != wanted { try connection.execute("PRAGMA \(name)=\(wanted)") }
        }
        for option in Self.options {
            options.append((option, godwit_sqlite_option(connection.handle, option)))
            _ = godwit_sqlite_set_option(connection.handle, option, 1)
        }
        // The insertions of a file must not depend on earlier ones.
        sqlite3_set_last_insert_rowid(connection.handle, 0)
    }

    /// Restores the previous values.
    func setBack() {
        for pragma in pragmas { try? connection.execute("PRAGMA \(pragma)") }
        for (option, value) in options { _ = godwit_sqlite_set_option(connection.handle, option, value) }
    }
}
