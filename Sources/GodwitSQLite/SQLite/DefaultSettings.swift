internal import GodwitModel
internal import CSQLiteShim

/// What a connection may have set that decides what a schema file makes, while all of it is as SQLite has it by default.
///
/// Foreign keys are not among it: `withForeignKeysOff` sees to them.
struct DefaultSettings {
    private let connection: SQLiteConnection
    /// Pragmas that set back what was found.
    private var pragmas: [String] = []
    private var options: [(option: Int32, value: Int32)] = []

    /// Pragmas with the values that SQLite has by default: <https://sqlite.org/pragma.html>.
    private static let pragmas = [
        ("legacy_alter_table", 0), ("recursive_triggers", 0), ("reverse_unordered_selects", 0),
        ("ignore_check_constraints", 0), ("defer_foreign_keys", 0), ("full_column_names", 0), ("short_column_names", 1),
    ]

    /// Whether a text in double quotes is a text, which GRDB switches off: <https://sqlite.org/quirks.html#dblquote>.
    private static let options = [SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML]

    /// Sets all of it, but for what an earlier file left behind.
    ///
    /// - Parameter hasLegacyAlterTable: whether `legacy_alter_table` is on.
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
        // What a file inserts is not to depend on what was inserted before it.
        sqlite3_set_last_insert_rowid(connection.handle, 0)
    }

    /// Sets everything back to what was found.
    func setBack() {
        for pragma in pragmas { try? connection.execute("PRAGMA \(pragma)") }
        for (option, value) in options { _ = godwit_sqlite_set_option(connection.handle, option, value) }
    }
}
