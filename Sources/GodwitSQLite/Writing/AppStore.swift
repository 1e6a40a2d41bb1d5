internal import GodwitFiles
package import GodwitModel
internal import CSQLiteShim
package import GRDB
import Synchronization

/// A store that the app itself has open through GRDB.
///
/// Invariant: nobody but the app's own connection writes to it, so that the app's triggers, and with them its sync engine,
/// see every record. What is set on that connection for a piece of work is as it was when the work is over.
///
/// What Godwit reads of it is a private clone, made while that connection rests. The locks that the app's connection has on the file
/// stay: no descriptor on it is closed any more (`OpenStoreGuard`).
package final class AppStore: OpenedStore {
    private let writer: any DatabaseWriter
    private let queue: AppQueue
    private let file: FileStatus
    /// Where the store was when it was handed in: whatever takes its place there is not read as if nobody had it open.
    private let places = Mutex<Set<String>>([])

    /// Throws (64) for a database that is in no file.
    package init(_ writer: any DatabaseWriter) throws(GodwitError) {
        self.writer = writer
        queue = AppQueue(writer)
        guard let file = try FileStatus.of(writer.path), file.isRegularFile else {
            throw GodwitError(
                .container, .usage, "The database that was handed in is in no file: \(writer.path)",
                hint: "Hand in the one that is open on the store that the manifest names.")
        }
        self.file = file
        OpenStoreGuard.beginForApp(of: file)
    }

    /// Throws (64) unless the app has the very file open that lies at a path, and 75 where its connection can't be lent.
    ///
    /// - Parameter writes: whether the store may be written to.
    package func require(
        at path: String, name: String, writes: Bool, stage: Stage, context: RunContext
    ) throws(GodwitError) {
        guard isAt(path) else {
            throw GodwitError(
                stage, .usage, "The database that was handed in is not \(name): it is \(writer.path).",
                hint: "Hand in the one that is open on the store that the manifest names.")
        }
        places.withLock { $0.formUnion([path, PathText.real(path) ?? path]) }
        try bridging(name, stage, context) { database in
            let connection = try idle(database, name, stage)
            guard !writes || !database.configuration.readonly else {
                throw GodwitError(
                    stage, .permission, "The app has \(name) open for reading alone.",
                    hint: "Hand in a database that can be written to.")
            }
            guard try connection.first("PRAGMA main.locking_mode") != .string("exclusive") else {
                throw GodwitError(
                    stage, .busy, "The app has \(name) to itself.",
                    hint: "Let its connection share the store: PRAGMA locking_mode=NORMAL.")
            }
            guard writes else { return }
            try Self.requireSafeCommits(connection)
            try connection.requireNothingInFront()
        }
    }

    /// Throws (64) where a transaction could not be rolled back, or be lost without a word after it was committed:
    /// <https://sqlite.org/pragma.html#pragma_journal_mode>.
    private static func requireSafeCommits(_ connection: SQLiteConnection) throws(GodwitError) {
        guard try connection.first("PRAGMA query_only") != .integer(1) else {
            throw GodwitError(
                connection.stage, .permission, "The app's connection to \(connection.name) has query_only=ON.",
                hint: "Set it OFF before Godwit is called.")
        }
        for (setting, unsafe) in [("journal_mode", ["off", "memory"]), ("synchronous", ["0"])] {
            guard let found = try connection.first("PRAGMA main.\(setting)")?.readable, unsafe.contains(found) else {
                continue
            }
            throw GodwitError(
                connection.stage, .usage,
                "The app's connection to \(connection.name) has \(setting)=\(found == "0" ? "OFF" : found.uppercased()).",
                hint: "A power cut or a stop could damage the store: choose another mode before Godwit is called.")
        }
    }

    /// Whether it is the file at a path, or was.
    func isAt(_ path: String) -> Bool {
        if places.withLock({ $0.contains(path) }) { return true }
        guard let found = try? FileStatus.of(path) else { return false }
        return found.isSameFile(as: file)
    }

    /// The app's connection, which must be open and in no transaction.
    private func idle(_ database: Database, _ name: String, _ stage: Stage) throws(GodwitError) -> SQLiteConnection {
        guard let handle = database.sqliteConnection else {
            throw GodwitError(
                stage, .usage, "The app has closed its connection to \(name).",
                hint: "Keep the database open that was handed in until the pipeline is done.")
        }
        guard !database.isInsideTransaction else {
            throw GodwitError(
                stage, .busy, "The app has a transaction open on its connection to \(name).",
                hint: "Commit it before Godwit is called.")
        }
        guard !Self.hasMoved(handle) else {
            throw GodwitError(
                stage, .usage, "The app has a file open that is no longer \(name): it was moved, replaced or removed.",
                hint: "Close that database, open the store that is there now, and hand that in.")
        }
        return SQLiteConnection(handle: handle, name: name, stage: stage, isOfApp: true)
    }

    /// Whether another file, or none, is where the one was that is open: what is written to it would be in no store.
    /// <https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html>
    private static func hasMoved(_ handle: OpaquePointer) -> Bool {
        var hasMoved: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK && hasMoved != 0
    }

    /// Runs a body while the app's connection does nothing else, between several pieces of work that it is lent for.
    func whileAppWaits<R>(
        _ name: String, _ stage: Stage, _ context: RunContext, _ body: () throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        var result: Result<R, GodwitError>?
        try bridging(name, stage, context) { _ in result = Result { () throws(GodwitError) in try body() } }
        guard let result else { throw GodwitError(stage, .bug, "A piece of work ended without a result.") }
        return try result.get()
    }

    /// Runs a body while the app's connection writes nothing, and keeps everybody else from writing in rollback mode.
    ///
    /// GRDB hears nothing of it: its observers would be told of an empty transaction.
    func whileNobodyWrites<R>(
        _ name: String, _ stage: Stage, _ context: RunContext, _ body: () throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        var result: Result<R, GodwitError>?
        try bridging(name, stage, context) { database in
            let connection = try idle(database, name, stage)
            let lent = BorrowedConnection(database, connection, context)
            lent.beginWaiting()
            defer { lent.endWaiting() }
            try connection.execute("BEGIN")
            defer { try? connection.execute("COMMIT") }
            // BEGIN alone takes no lock; the first read does.
            _ = try connection.first("SELECT count(*) FROM main.sqlite_master")
            result = Result { () throws(GodwitError) in try body() }
        }
        guard let result else { throw GodwitError(stage, .bug, "A read ended without a result.") }
        return try result.get()
    }

    private func bridging(
        _ name: String, _ stage: Stage, _ context: RunContext, _ body: (Database) throws -> Void
    ) throws(GodwitError) {
        do { try queue.enter(name, stage, context, body) } catch {
            throw GodwitError.wrapping(error, name: name, stage: stage, ofApp: context.cancellation)
        }
    }

    /// Hands out the app's connection, set up as Godwit's own are.
    ///
    /// What the app has to say is not overruled: its limits, what its schema may run, and a busy handler of its own.
    func lend(_ name: String, _ stage: Stage, _ context: RunContext, _ work: (Database) throws -> Void) throws {
        try queue.enter(name, stage, context) { database in
            let lent = BorrowedConnection(database, try idle(database, name, stage), context)
            try lent.setUp()
            defer { lent.setBack() }
            try work(database)
        }
    }

    /// Tells the app's observers that anything may have changed, inside the transaction that changed it: of single records
    /// they hear by GRDB's own statements alone.
    static func tellObservers(of database: Database, _ connection: SQLiteConnection) throws(GodwitError) {
        // What GRDB knows of the schema may be of before a migration.
        database.clearSchemaCache()
        guard (try? database.notifyChanges(in: .fullDatabase)) == nil else { return }
        // There is a store with a name that GRDB does not quote, or a virtual table that can't be read here.
        let tables = try connection.rows("SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage <> 0")
        for table in tables { try? database.notifyChanges(in: Table(table[0].readable)) }
    }
}

extension RunContext {
    /// The store at a path as the app has it open; nil where the app has not handed it in.
    package func appStore(at path: String) -> AppStore? {
        guard let opened = opened as? AppStore, opened.isAt(path) else { return nil }
        return opened
    }
}
