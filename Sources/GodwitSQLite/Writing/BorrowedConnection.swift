internal import GodwitModel
internal import CSQLiteShim
internal import GRDB

/// Settings of an app's connection that change while Godwit borrows it, and are restored afterwards.
///
/// Foreign keys and checks are enforced and commits are flushed, as on Godwit's own connections, also for attached
/// stores such as a sync engine's own. In WAL mode, SQLite still commits each store separately:
/// <https://sqlite.org/lang_attach.html>.
final class BorrowedConnection {
    private let database: Database
    private let connection: SQLiteConnection
    private let context: RunContext
    /// The previous settings, as pragmas.
    private var before: [String] = []
    private var busyTimeout: Int32 = 0

    init(_ database: Database, _ connection: SQLiteConnection, _ context: RunContext) {
        (self.database, self.connection, self.context) = (database, connection, context)
    }

    /// Throws (65) if a temporary table of the app hides one of the store.
    func setUp() throws(GodwitError) {
        beginWaiting()
        do throws(GodwitError) {
            try connection.requireNothingInFront()
            for (name, value) in [("foreign_keys", 1), ("ignore_check_constraints", 0), ("legacy_alter_table", 0)] {
                try set(name, to: value)
            }
            for store in try connection.rows("PRAGMA database_list") where store[1] != .string("temp") {
                try set("\(quoted(store[1].readable)).synchronous", to: 3)
            }
            #if canImport(Darwin)
                for name in ["fullfsync", "checkpoint_fullfsync"] { try set(name, to: 1) }
            #endif
        } catch {
            setBack()
            throw error
        }
        ByteOrder.register(on: connection.handle)
        NegativeZero.register(on: connection.handle)
        SQLiteHardening.interrupt(connection.handle, when: context.cancellation)
    }

    private func set(_ name: String, to value: Int) throws(GodwitError) {
        guard case .integer(let found)? = try connection.first("PRAGMA \(name)") else { return }
        before.append("\(name)=\(found)")
        try connection.execute("PRAGMA \(name)=\(value)")
    }

    /// Waits for locks like Godwit's own connections; an app's own busy handler stays, because SQLite could not restore
    /// it.
    func beginWaiting() {
        if case .callback = database.configuration.busyMode { return }
        if case .integer(let found)? = try? connection.first("PRAGMA busy_timeout") {
            busyTimeout = Int32(clamping: found)
        }
        sqlite3_busy_handler(
            connection.handle,
            { lent, count in
                guard let lent else { return 0 }
                let context = Unmanaged<BorrowedConnection>.fromOpaque(lent).takeUnretainedValue().context
                let patience = context.lockTimeoutMilliseconds
                return BusyWait.goesOn(after: Int(count), upTo: patience, context.cancellation) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func endWaiting() {
        if case .callback = database.configuration.busyMode { return }
        sqlite3_busy_timeout(connection.handle, busyTimeout)
    }

    /// Restores the settings and removes what was registered for the work.
    func setBack() {
        // First, so that the cancellation does not interrupt the rest.
        sqlite3_progress_handler(connection.handle, 0, nil, nil)
        endWaiting()
        ByteOrder.withdraw(from: connection.handle)
        NegativeZero.withdraw(from: connection.handle)
        for setting in before.reversed() { try? connection.execute("PRAGMA \(setting)") }
        before = []
        // The cached schema and statements may be from before a migration.
        database.clearSchemaCache()
    }
}
