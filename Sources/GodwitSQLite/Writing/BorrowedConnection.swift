internal import GodwitModel
internal import CSQLiteShim
internal import GRDB

/// What is set on an app's connection while it is lent, and set back afterwards.
///
/// Foreign keys and checks are looked at and commits reach the disk, as on Godwit's own connections, whatever the app has
/// chosen for itself: also those of stores that are attached, such as a sync engine's books. In WAL mode SQLite still commits
/// each of them for itself, <https://sqlite.org/lang_attach.html>.
final class BorrowedConnection {
    private let database: Database
    private let connection: SQLiteConnection
    private let context: RunContext
    /// Settings as they were, each as a pragma.
    private var before: [String] = []
    private var busyTimeout: Int32 = 0

    init(_ database: Database, _ connection: SQLiteConnection, _ context: RunContext) {
        (self.database, self.connection, self.context) = (database, connection, context)
    }

    /// Throws (65) where a temporary table of the app's stands before one of the store's own.
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

    /// Waits as Godwit's own connections do; an app that has a handler of its own keeps it, since SQLite does not say
    /// which that is.
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

    /// Has it wait as the app wants it to again.
    func endWaiting() {
        if case .callback = database.configuration.busyMode { return }
        sqlite3_busy_timeout(connection.handle, busyTimeout)
    }

    /// Sets back what was set, and takes away what was made for the work alone.
    func setBack() {
        // First, so that nothing of what follows is interrupted.
        sqlite3_progress_handler(connection.handle, 0, nil, nil)
        endWaiting()
        ByteOrder.withdraw(from: connection.handle)
        NegativeZero.withdraw(from: connection.handle)
        for setting in before.reversed() { try? connection.execute("PRAGMA \(setting)") }
        before = []
        // What is kept of the schema, and statements with it, may be of before a migration.
        database.clearSchemaCache()
    }
}
