package import GodwitFiles
package import GodwitModel
internal import Libc
internal import CSQLiteShim
internal import GRDB

/// One writing connection to a store, over GRDB: Godwit's own, or the app's where the app has handed it in (`AppStore`).
///
/// Invariant: everything is written inside `transaction`, which begins IMMEDIATE, so that another writer is met before
/// anything was decided, and commits durably: `synchronous=EXTRA` in rollback mode flushes the folder as well after the
/// journal is gone, <https://sqlite.org/pragma.html#pragma_synchronous>.
package final class StoreWriter {
    private let connection: Connection
    package let path: String
    private let name: String
    private let context: RunContext
    /// Whether a log lay beside the store before it was opened; nil where the store is made here, or the log is the app's.
    private let hadLog: Bool?
    private var hasCommitted = false
    /// What SQLite calls the content that a plan was made of, until the first transaction has found it unchanged.
    private var plannedVersion: Value?

    private enum Connection {
        case own(DatabaseQueue, OpenStoreGuard)
        case app(AppStore)
    }

    /// Opens an existing store; it keeps its journal mode and, in WAL mode, its log.
    package init(
        existing path: String, name: String, stage: Stage, context: RunContext
    ) throws(GodwitError) {
        (self.path, self.name, self.context) = (path, name, context)
        try Self.requireWritable(path, name: name, stage: stage, context: context)
        try context.requireBackup(beforeWriting: path)
        if let app = context.appStore(at: path) {
            _ = try context.planned?.requireUnwritten(path, stage: stage)
            context.planned?.letGo(of: path)
            (connection, hadLog) = (.app(app), nil)
            return
        }
        let use = OpenStoreGuard(of: path)
        // Before anything is opened: the first look plays an unfinished journal back, after which the bytes are others.
        let hadJournal = try FileStatus.of(path + "-journal") != nil
        hadLog = try FileStatus.of(path + "-wal") != nil
        let isHeld = try context.planned?.requireUnwritten(path, stage: stage) ?? false
        connection = .own(try Self.open(path, name: name, stage: stage, context: context), use)
        try bridging(stage) {
            try inDatabase(stage) { database in
                try database.execute(sql: "PRAGMA synchronous=EXTRA")
                // The last connection to close would remove the log: a file beside a user's store that Godwit did not
                // make, and whose absence looks as if it had been forgotten (`walMissing`).
                Self.keepLog(of: database, true)
            }
        }
        if isHeld { try holdToPlan(hadJournal: hadJournal, stage) }
    }

    /// Says whether the log stays when the last connection closes: <https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html>.
    private static func keepLog(of database: Database, _ keeps: Bool) {
        // There is none once it is closed.
        guard let handle = database.sqliteConnection else { return }
        var keep: Int32 = keeps ? 1 : 0
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keep)
    }

    /// Has SQLite take the log away that it began for this connection, where nothing was committed.
    private func leaveNoNewLog() {
        guard hadLog == false, !hasCommitted else { return }
        try? inDatabase(.container) { Self.keepLog(of: $0, false) }
    }

    /// Remembers what the first transaction has to find, so that nobody commits between here and there unnoticed: SQLite
    /// counts the commits of others, <https://sqlite.org/pragma.html#pragma_data_version>.
    private func holdToPlan(hadJournal: Bool, _ stage: Stage) throws(GodwitError) {
        plannedVersion = try read(stage) { store throws(GodwitError) in try store.first(Self.dataVersion) }
        if !hadJournal { _ = try context.planned?.requireUnwritten(path, stage: stage) }
        context.planned?.letGo(of: path)
    }

    private static let dataVersion = "PRAGMA data_version"

    /// Throws (65) where somebody has committed since the store was found to be what the plan was made of.
    private func requirePlanned(_ connection: SQLiteConnection, _ stage: Stage) throws(GodwitError) {
        guard let planned = plannedVersion else { return }
        plannedVersion = nil
        guard try connection.first(Self.dataVersion) == planned else { throw .changedSincePlan(name, stage) }
    }

    /// Makes a new store under a temporary name of Godwit's own, in rollback mode: Debian 12's SQLite still has the
    /// WAL-reset bug that 3.51.3 mends, <https://sqlite.org/wal.html>.
    ///
    /// - Parameter model: whose the store is to be: what a file of the app's own says.
    package init(
        creatingTemporary path: String, name: String, stage: Stage, context: RunContext,
        ownedLike model: FileOwnership? = nil
    ) throws(GodwitError) {
        (self.path, self.name, self.context) = (path, name, context)
        do throws(GodwitError) {
            let file = try OpenFile(creating: path, stage: stage)
            if let model { try file.take(model, staysWritable: true) }
            try file.close()
        } catch {
            throw error.naming(name, insteadOf: path)
        }
        hadLog = nil
        let use = OpenStoreGuard(of: path)
        connection = .own(try Self.open(path, name: name, stage: stage, context: context), use)
        try bridging(stage) {
            try inDatabase(stage) { database in
                try database.execute(sql: "PRAGMA journal_mode=DELETE")
                try database.execute(sql: "PRAGMA synchronous=EXTRA")
            }
        }
    }

    /// Runs a body in one transaction; any error rolls it back, at once also where the system refused to write.
    ///
    /// - Parameter isCancellable: whether a run that was cancelled meanwhile is rolled back at the very end; not where
    ///   the body has done what can't be taken back.
    package func transaction<R>(
        _ stage: Stage, isCancellable: Bool = true, _ body: (SQLiteConnection) throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        var result: R?
        do throws(GodwitError) {
            try bridging(stage) {
                try inDatabase(stage) { database in
                    try database.inTransaction(.immediate) {
                        let borrowed = try borrow(database, stage).keepingStatements()
                        try requirePlanned(borrowed, stage)
                        result = try body(borrowed)
                        try context.watched?.requireSound()
                        if isCancellable { try context.cancellation.check(stage) }
                        if isOfApp {
                            try borrowed.removeNotes()
                            try AppStore.tellObservers(of: database, borrowed)
                        }
                        return .commit
                    }
                }
            }
        } catch {
            if error.code == .io { playBackJournal(stage) }
            throw error
        }
        hasCommitted = true
        guard let result else { throw GodwitError(stage, .bug, "A transaction ended without a result.") }
        return result
    }

    /// Has SQLite look at a store in which it could not write on.
    ///
    /// It leaves the journal as it is then, for whoever reads next to play back, which may be an app that is not allowed to:
    /// <https://sqlite.org/lockingv3.html#rollback>. Where that fails as well, it is left to them.
    private func playBackJournal(_ stage: Stage) {
        guard hadLog != nil, (try? FileStatus.of(path + "-journal")) != nil else { return }
        _ = try? read(stage) { store throws(GodwitError) in try store.first("PRAGMA schema_version") }
    }

    /// Runs a body between whose transactions the app does not write either, where the connection is the app's.
    package func keepingAppOut<R>(
        _ stage: Stage, _ body: () throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        guard case .app(let app) = connection else { return try body() }
        return try app.whileAppWaits(name, stage, context, body)
    }

    /// Reads outside a transaction.
    package func read<R>(
        _ stage: Stage, _ body: (SQLiteConnection) throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        var result: R?
        try bridging(stage) {
            try inDatabase(stage) { database in result = try body(try borrow(database, stage)) }
        }
        guard let result else { throw GodwitError(stage, .bug, "A read ended without a result.") }
        return result
    }

    deinit {
        guard case .own(let queue, _) = connection else { return }
        // Before what others had looked at it with is closed.
        leaveNoNewLog()
        try? queue.close()
        Self.letGo(of: queue)
    }

    private var isOfApp: Bool { if case .app = connection { true } else { false } }

    /// Has an object that owns a queue of Dispatch's go with its last owner; where the system has no thread to give, it stays
    /// for the life of the process.
    ///
    /// What was set for such a queue is freed by a thread of Dispatch's own, and Dispatch waits for one for ever
    /// (`_dispatch_temporary_resource_shortage`): under `ulimit -u`, or `-v`, a run that had done its work would never end.
    ///
    /// - Parameter startThread: starts one like Dispatch's, whose stacks are of the usual size.
    package static func letGo(of owner: AnyObject, startThread: WorkerThread.Start = { WorkerThread(stack: nil, $0) }) {
        if let thread = startThread({}) { thread.join() } else { _ = Unmanaged.passRetained(owner) }
    }

    /// Moves what lies in the log into the store, before anything is appended to it; in rollback mode nothing happens.
    ///
    /// A run whose flush failed may have left frames there that the system has forgotten to write: they read well until a
    /// power cut, which then takes all that was appended after them. Moved into the store they are written anew. Nobody is
    /// waited for.
    package func takeOverLog(_ stage: Stage) throws(GodwitError) {
        try read(stage) { connection throws(GodwitError) in
            _ = try connection.first("PRAGMA main.wal_checkpoint(PASSIVE)")
        }
    }

    /// Closes the store and says so if that failed; a WAL store is checkpointed where nobody else has it open.
    ///
    /// The app's own connection stays open.
    package func close(_ stage: Stage) throws(GodwitError) {
        if case .own(let queue, _) = connection {
            leaveNoNewLog()
            try bridging(stage) { try queue.close() }
        }
        // SQLite flushes the folder of a new log, and does not look whether that went well.
        if try FileStatus.of(path + "-wal") != nil { try AtomicFile.flushDirectory(of: path) }
    }

    private static func open(
        _ path: String, name: String, stage: Stage, context: RunContext
    ) throws(GodwitError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        // SQLite's own default: triggers of the app may have texts in double quotes. https://sqlite.org/quirks.html#dblquote
        configuration.acceptsDoubleQuotedStringLiterals = true
        let (cancellation, patience) = (context.cancellation, context.lockTimeoutMilliseconds)
        configuration.busyMode = .callback { BusyWait.goesOn(after: $0, upTo: patience, cancellation) }
        configuration.prepareDatabase { database in
            guard let handle = database.sqliteConnection else { return }
            SQLiteHardening.apply(to: handle, readOnly: false)
            ByteOrder.register(on: handle)
            NegativeZero.register(on: handle)
            SQLiteHardening.interrupt(handle, when: cancellation)
            try database.execute(sql: "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0")
            #if canImport(Darwin)
                try database.execute(sql: "PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON")
            #endif
        }
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            // No handle is left to ask for the reason. The file was there a moment ago, so it is not missing.
            throw .system("open", name, errno: errno, stage: stage, missing: .io)
        } catch {
            let number = (error as? DatabaseError).map { likelySystemError($0.extendedResultCode.rawValue, path) } ?? 0
            guard number == 0 else { throw .system("read or write", name, errno: number, stage: stage) }
            let wrapped = GodwitError.wrapping(error, name: name, stage: stage)
            if wrapped.code == .interrupted || wrapped.code == .busy { try cancellation.check(stage) }
            throw wrapped
        }
    }

    private func borrow(_ database: Database, _ stage: Stage) throws(GodwitError) -> SQLiteConnection {
        guard let handle = database.sqliteConnection else {
            throw GodwitError(stage, .bug, "The connection to \(name) is closed.")
        }
        return SQLiteConnection(handle: handle, name: name, stage: stage, isOfApp: isOfApp)
    }

    private func bridging(_ stage: Stage, _ body: () throws -> Void) throws(GodwitError) {
        do { try body() } catch {
            let wrapped = GodwitError.wrapping(
                error, name: name, stage: stage, ofApp: isOfApp ? context.cancellation : nil)
            // SQLite only knows that it was interrupted, or has waited enough; which signal it was decides the exit code.
            if wrapped.code == .interrupted || wrapped.code == .busy { try context.cancellation.check(stage) }
            throw wrapped
        }
    }

    /// Works with the connection; what the system said of a failure is asked while the connection still knows.
    private func inDatabase(_ stage: Stage, _ body: (Database) throws -> Void) throws {
        func work(_ database: Database) throws {
            do { try body(database) } catch let error as DatabaseError {
                let code = error.extendedResultCode.rawValue
                let number = database.sqliteConnection.map { godwit_sqlite_system_error($0, code) } ?? 0
                throw Failure(error: error, systemError: number == 0 ? Self.likelySystemError(code, path) : number)
            }
        }
        switch connection {
        case .own(let queue, _): try queue.inDatabase(work)
        case .app(let app): try app.lend(name, stage, context, work)
        }
    }

    /// ENOSPC where a write failed for a reason that SQLite does not pass on, such as room for a log's index, and nothing
    /// is free beside the store; else 0.
    private static func likelySystemError(_ code: Int32, _ path: String) -> Int32 {
        guard code & 0xFF == SQLITE_IOERR, PathText.isVolumeFull(PathText.directory(of: path)) else { return 0 }
        return ENOSPC
    }

    /// An error of SQLite with the system's number behind it.
    struct Failure: Error {
        let error: DatabaseError
        let systemError: Int32
    }
}
