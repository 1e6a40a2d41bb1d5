internal import GodwitFiles
package import GodwitModel
internal import CSQLiteShim
package import GRDB
import Synchronization

/// A store that the app itself has open through GRDB.
///
/// Invariants: only the app's own connection writes to it, so that the app's triggers, and its sync engine, see every
/// record. Settings that change for a piece of work are restored after it.
/// Godwit reads a private clone, which is made while that connection is idle. The locks of the app's connection stay,
/// because no descriptor on the file is closed any more (`OpenStoreGuard`).
package final class AppStore: OpenedStore {
    private let writer: any DatabaseWriter
    private let queue: AppQueue
    private let file: FileStatus
    /// Paths of the store when it was passed in; a file that replaces it there is not read as if no connection had it
    /// open.
    private let paths = Mutex<Set<String>>([])

    /// Throws (64) for a database without a file.
    package init(_ writer: any DatabaseWriter) throws(GodwitError) {
        self.writer = writer
        queue = AppQueue(writer)
        guard let file = try FileStatus.of(writer.path), file.isRegularFile else {
            throw GodwitError(
                .container, .usage, "the app's database is not in a file: `\(writer.path)`",
                hint: "Pass the database that is open on the store of the manifest.")
        }
        self.file = file
        OpenStoreGuard.beginForApp(of: file)
    }

    /// Throws 64 unless the app has the file at a path open, and 75 if Godwit cannot borrow its connection.
    package func require(
        at path: String, name: String, writes: Bool, stage: GodwitError.Stage, context: RunContext
    ) throws(GodwitError) {
        guard isAt(path) else {
            throw GodwitError(
                stage, .usage, "the app's database is not `\(name)`: it is `\(writer.path)`",
                hint: "Pass the database that is open on the store of the manifest.")
        }
        paths.withLock { $0.formUnion([path, PathText.real(path) ?? path]) }
        try bridging(name, stage, context) { database in
            let connection = try idle(database, name, stage)
            guard !writes || !database.configuration.readonly else {
                throw GodwitError(
                    stage, .permission, "the app has `\(name)` open for reading only",
                    hint: "Pass a database that can be written to.")
            }
            guard try connection.first("PRAGMA main.locking_mode") != .string("exclusive") else {
                throw GodwitError(
                    stage, .busy, "the app holds an exclusive lock on `\(name)`",
                    hint: "Let its connection share the store: PRAGMA locking_mode=NORMAL.")
            }
            guard writes else { return }
            try Self.requireSafeCommits(connection)
            try connection.requireNothingInFront()
        }
    }

    /// Throws (64) if a transaction could not be rolled back, or could be lost after its commit:
    /// <https://sqlite.org/pragma.html#pragma_journal_mode>.
    private static func requireSafeCommits(_ connection: SQLiteConnection) throws(GodwitError) {
        guard try connection.first("PRAGMA query_only") != .integer(1) else {
            throw GodwitError(
                connection.stage, .permission, "the app's connection to `\(connection.name)` has query_only=ON",
                hint: "Set it to OFF before Godwit is called.")
        }
        for (setting, unsafe) in [("journal_mode", ["off", "memory"]), ("synchronous", ["0"])] {
            guard let found = try connection.first("PRAGMA main.\(setting)")?.readable, unsafe.contains(found) else {
                continue
            }
            throw GodwitError(
                connection.stage, .usage,
                "the app's connection to `\(connection.name)` has "
                    + "\(setting)=\(found == "0" ? "OFF" : found.uppercased()): a power cut or a stop could "
                    + "damage the store",
                hint: "Choose another mode before Godwit is called.")
        }
    }

    /// Whether the store is, or was, the file at a path.
    func isAt(_ path: String) -> Bool {
        if paths.withLock({ $0.contains(path) }) { return true }
        guard let found = try? FileStatus.of(path) else { return false }
        return found.isSameFile(as: file)
    }

    /// The app's connection, which must be open and not in a transaction.
    private func idle(
        _ database: Database, _ name: String, _ stage: GodwitError.Stage
    ) throws(GodwitError) -> SQLiteConnection {
        guard let handle = database.sqliteConnection else {
            throw GodwitError(
                stage, .usage, "the app has closed its connection to `\(name)`",
                hint: "Keep the database open until the pipeline has ended.")
        }
        guard !database.isInsideTransaction else {
            throw GodwitError(
                stage, .busy, "the app has a transaction open on its connection to `\(name)`",
                hint: "Commit it before Godwit is called.")
        }
        guard !Self.hasMoved(handle) else {
            throw GodwitError(
                stage, .usage, "the app has a file open that is no longer `\(name)`: it was moved, replaced or removed",
                hint: "Close that database, open the store that is there now, and pass that one.")
        }
        return SQLiteConnection(handle: handle, name: name, stage: stage, isOfApp: true)
    }

    /// Whether the open file was moved or removed: writes to it would reach no store.
    ///
    /// <https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html>
    private static func hasMoved(_ handle: OpaquePointer) -> Bool {
        var hasMoved: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK && hasMoved != 0
    }

    /// Runs a body, with several pieces of work, while the app's connection does nothing else.
    func whileAppWaits<R>(
        _ name: String, _ stage: GodwitError.Stage, _ context: RunContext, _ body: () throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        var result: Result<R, GodwitError>?
        try bridging(name, stage, context) { _ in result = Result { () throws(GodwitError) in try body() } }
        guard let result else { throw GodwitError(stage, .bug, "a task ended without a result") }
        return try result.get()
    }

    /// Runs a body while the app's connection writes nothing, and prevents other writes in rollback mode.
    ///
    /// Uses plain SQL, because GRDB would notify its observers of an empty transaction.
    func whileNobodyWrites<R>(
        _ name: String, _ stage: GodwitError.Stage, _ context: RunContext, _ body: () throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        var result: Result<R, GodwitError>?
        try bridging(name, stage, context) { database in
            let connection = try idle(database, name, stage)
            let borrowed = BorrowedConnection(database, connection, context)
            borrowed.beginWaiting()
            defer { borrowed.endWaiting() }
            try connection.execute("BEGIN")
            defer { try? connection.execute("COMMIT") }
            // BEGIN takes no lock; the first read does.
            _ = try connection.first("SELECT count(*) FROM main.sqlite_master")
            result = Result { () throws(GodwitError) in try body() }
        }
        guard let result else { throw GodwitError(stage, .bug, "a read ended without a result") }
        return try result.get()
    }

    private func bridging(
        _ name: String, _ stage: GodwitError.Stage, _ context: RunContext, _ body: (Database) throws -> Void
    ) throws(GodwitError) {
        do { try queue.enter(name, stage, context, body) } catch {
            throw GodwitError.wrapping(error, name: name, stage: stage, ofApp: context.cancellation)
        }
    }

    /// Lends the app's connection, configured like Godwit's own.
    ///
    /// It keeps what the app has set: its limits, what its schema may run, and a busy handler of its own.
    func lend(
        _ name: String, _ stage: GodwitError.Stage, _ context: RunContext, _ work: (Database) throws -> Void
    ) throws {
        try queue.enter(name, stage, context) { database in
            let borrowed = BorrowedConnection(database, try idle(database, name, stage), context)
            try borrowed.setUp()
            defer { borrowed.setBack() }
            try work(database)
        }
    }

    /// Notifies the app's observers, inside the transaction, that everything may have changed: they see single records
    /// only in GRDB's own statements.
    static func tellObservers(of database: Database, _ connection: SQLiteConnection) throws(GodwitError) {
        // GRDB's schema cache may be from before a migration.
        database.clearSchemaCache()
        guard (try? database.notifyChanges(in: .fullDatabase)) == nil else { return }
        // The store has a name that GRDB does not quote, or a virtual table that cannot be read here.
        let tables = try connection.rows("SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage <> 0")
        for table in tables { try? database.notifyChanges(in: Table(table[0].readable)) }
    }
}

extension RunContext {
    /// The store at a path as the app has it open; nil if the app did not pass it in.
    package func appStore(at path: String) -> AppStore? {
        guard let opened = opened as? AppStore, opened.isAt(path) else { return nil }
        return opened
    }
}
