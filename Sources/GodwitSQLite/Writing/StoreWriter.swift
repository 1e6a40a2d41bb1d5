package import GodwitFiles
package import GodwitModel
internal import Libc
internal import CSQLiteShim
internal import GRDB

/// One writing connection to a store through GRDB: Godwit's own, or the app's if the app passed it in (`AppStore`).
///
/// Invariants: every write is inside `transaction`, which begins IMMEDIATE, so that another writer is detected before
/// any decision. Commits are durable: in rollback mode, `synchronous=EXTRA` also flushes the folder after the journal
/// is removed, <https://sqlite.org/pragma.html#pragma_synchronous>.
package final class StoreWriter {
    private let connection: Connection
    package let path: String
    private let name: String
    private let context: RunContext
    /// Whether a `-wal` file existed before the store was opened; nil if the store is new or the `-wal` file is the
    /// app's.
    private let hadLog: Bool?
    private var hasCommitted = false
    /// SQLite's version of the content that a plan used, until the first transaction has found it unchanged.
    private var plannedVersion: Value?
    /// The tables whose indexes were checked, or that Godwit made.
    private let soundIndexes = SoundIndexes()

    private enum Connection {
        case own(DatabaseQueue, OpenStoreGuard)
        case app(AppStore)
    }

    /// Opens an existing store; it keeps its journal mode and, in WAL mode, its `-wal` file.
    package init(
        existing path: String, name: String, stage: GodwitError.Stage, context: RunContext
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
        // Before the store is opened: the first read rolls an unfinished journal back, which changes the bytes.
        let hadJournal = try FileStatus.of(path + "-journal") != nil
        hadLog = try FileStatus.of(path + "-wal") != nil
        let hasPlan = try context.planned?.requireUnwritten(path, stage: stage) ?? false
        connection = .own(try Self.open(path, name: name, stage: stage, context: context), use)
        try bridging(stage) {
            try inDatabase(stage) { database in
                try database.execute(sql: "PRAGMA synchronous=EXTRA")
                // Otherwise the last connection to close would remove the `-wal` file: a file of the user, whose
                // absence looks as if it was not copied (`walMissing`).
                Self.keepLog(of: database, true)
            }
        }
        if hasPlan { try rememberPlannedVersion(hadJournal: hadJournal, stage) }
    }

    /// Sets whether the `-wal` file stays when the last connection closes:
    /// <https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html>.
    private static func keepLog(of database: Database, _ keeps: Bool) {
        // Nil after the connection was closed.
        guard let handle = database.sqliteConnection else { return }
        var keep: Int32 = keeps ? 1 : 0
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keep)
    }

    /// Lets SQLite remove the `-wal` file that it created for this connection, if nothing was committed.
    private func leaveNoNewLog() {
        guard hadLog == false, !hasCommitted else { return }
        try? inDatabase(.container) { Self.keepLog(of: $0, false) }
    }

    /// Records the content that the first transaction must find, so that it detects commits in between: SQLite counts
    /// the commits of other connections, <https://sqlite.org/pragma.html#pragma_data_version>.
    private func rememberPlannedVersion(hadJournal: Bool, _ stage: GodwitError.Stage) throws(GodwitError) {
        plannedVersion = try read(stage) { store throws(GodwitError) in try store.first(Self.dataVersion) }
        if !hadJournal { _ = try context.planned?.requireUnwritten(path, stage: stage) }
        context.planned?.letGo(of: path)
    }

    private static let dataVersion = "PRAGMA data_version"

    /// Throws (65) if another process has committed since the store was compared with the plan.
    private func requirePlanned(_ connection: SQLiteConnection, _ stage: GodwitError.Stage) throws(GodwitError) {
        guard let planned = plannedVersion else { return }
        plannedVersion = nil
        guard try connection.first(Self.dataVersion) == planned else { throw .changedSincePlan(name, stage) }
    }

    /// Creates a new store under a temporary name, in rollback mode: Debian 12's SQLite has the WAL-reset bug that
    /// 3.51.3 corrects, <https://sqlite.org/wal.html>.
    ///
    /// - Parameter model: a file of the app; the store gets its owner, mode and access list.
    package init(
        creatingTemporary path: String, name: String, stage: GodwitError.Stage, context: RunContext,
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
        soundIndexes.addAll()
        let use = OpenStoreGuard(of: path)
        connection = .own(try Self.open(path, name: name, stage: stage, context: context), use)
        try bridging(stage) {
            try inDatabase(stage) { database in
                try database.execute(sql: "PRAGMA journal_mode=DELETE")
                try database.execute(sql: "PRAGMA synchronous=EXTRA")
            }
        }
    }

    /// Runs a body in one transaction; any error rolls it back, also a write error of the system.
    ///
    /// - Parameter isCancellable: whether a run that was cancelled is rolled back at the end; false if the body has
    ///   made changes that cannot be undone.
    package func transaction<R>(
        _ stage: GodwitError.Stage, isCancellable: Bool = true, _ body: (SQLiteConnection) throws(GodwitError) -> R
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
        guard let result else { throw GodwitError(stage, .bug, "a transaction ended without a result") }
        return result
    }

    /// Makes SQLite read a store after a write to it failed.
    ///
    /// Otherwise the journal stays for the next reader, which may be an app without the right to roll it back:
    /// <https://sqlite.org/lockingv3.html#rollback>. If this fails too, it stays.
    private func playBackJournal(_ stage: GodwitError.Stage) {
        guard hadLog != nil, (try? FileStatus.of(path + "-journal")) != nil else { return }
        _ = try? read(stage) { store throws(GodwitError) in try store.first("PRAGMA schema_version") }
    }

    /// Runs a body with several transactions between which the app writes nothing, if the connection is the app's.
    package func keepingAppOut<R>(
        _ stage: GodwitError.Stage, _ body: () throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        guard case .app(let app) = connection else { return try body() }
        return try app.whileAppWaits(name, stage, context, body)
    }

    package func read<R>(
        _ stage: GodwitError.Stage, _ body: (SQLiteConnection) throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        var result: R?
        try bridging(stage) {
            try inDatabase(stage) { database in result = try body(try borrow(database, stage)) }
        }
        guard let result else { throw GodwitError(stage, .bug, "a read ended without a result") }
        return result
    }

    deinit {
        guard case .own(let queue, _) = connection else { return }
        // Before other descriptors on the store are closed.
        leaveNoNewLog()
        try? queue.close()
        Self.letGo(of: queue)
    }

    private var isOfApp: Bool { if case .app = connection { true } else { false } }

    /// Releases an object that owns a Dispatch queue, or leaks it for the life of the process if the system gives no
    /// thread.
    ///
    /// Dispatch frees data of such a queue on its own thread, and waits for one forever
    /// (`_dispatch_temporary_resource_shortage`): with `ulimit -u` or `-v`, a completed run would never end.
    ///
    /// - Parameter startThread: starts a thread like Dispatch's, with a stack of the usual size.
    package static func letGo(of owner: AnyObject, startThread: WorkerThread.Start = { WorkerThread(stack: nil, $0) }) {
        if let thread = startThread({}) { thread.join() } else { _ = Unmanaged.passRetained(owner) }
    }

    /// Moves the `-wal` file into the store before anything is appended to it; in rollback mode nothing happens.
    ///
    /// A run whose flush failed may have left frames in the `-wal` file that the system has not written. They are
    /// readable until a power cut, which then loses everything that was appended after them. Moving them into the store
    /// writes them again. This waits for no other process.
    package func takeOverLog(_ stage: GodwitError.Stage) throws(GodwitError) {
        try read(stage) { connection throws(GodwitError) in
            _ = try connection.first("PRAGMA main.wal_checkpoint(PASSIVE)")
        }
    }

    /// Closes the store, and throws if that fails; SQLite runs a checkpoint on a WAL store if no other connection has
    /// it open.
    ///
    /// The app's own connection stays open.
    package func close(_ stage: GodwitError.Stage) throws(GodwitError) {
        if case .own(let queue, _) = connection {
            leaveNoNewLog()
            try bridging(stage) { try queue.close() }
        }
        // SQLite flushes the folder of a new `-wal` file, but ignores errors.
        if try FileStatus.of(path + "-wal") != nil { try AtomicFile.flushDirectory(of: path) }
    }

    private static func open(
        _ path: String, name: String, stage: GodwitError.Stage, context: RunContext
    ) throws(GodwitError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        // SQLite's own default: the app's triggers may have strings in double quotes.
        // https://sqlite.org/quirks.html#dblquote
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
            // No handle is left that knows the reason. The file existed a moment ago, so it is not missing.
            throw .system("open", name, errno: errno, stage: stage, missing: .io)
        } catch {
            let number = (error as? DatabaseError).map { likelySystemError($0.extendedResultCode.rawValue, path) } ?? 0
            guard number == 0 else { throw .system("read or write", name, errno: number, stage: stage) }
            let wrapped = GodwitError.wrapping(error, name: name, stage: stage)
            if wrapped.code == .interrupted || wrapped.code == .busy { try cancellation.check(stage) }
            throw wrapped
        }
    }

    private func borrow(_ database: Database, _ stage: GodwitError.Stage) throws(GodwitError) -> SQLiteConnection {
        guard let handle = database.sqliteConnection else {
            throw GodwitError(stage, .bug, "the connection to `\(name)` is closed")
        }
        return SQLiteConnection(handle: handle, name: name, stage: stage, isOfApp: isOfApp, soundIndexes)
    }

    private func bridging(_ stage: GodwitError.Stage, _ body: () throws -> Void) throws(GodwitError) {
        do { try body() } catch {
            let wrapped = GodwitError.wrapping(
                error, name: name, stage: stage, ofApp: isOfApp ? context.cancellation : nil)
            // SQLite only reports an interruption or a timeout; the signal decides the exit code.
            if wrapped.code == .interrupted || wrapped.code == .busy { try context.cancellation.check(stage) }
            throw wrapped
        }
    }

    /// Uses the connection, and reads the system's error number while the connection still has it.
    private func inDatabase(_ stage: GodwitError.Stage, _ body: (Database) throws -> Void) throws {
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

    /// ENOSPC if a write failed for a reason that SQLite does not report, such as space for a `-wal` file's index, and
    /// the volume is full; otherwise 0.
    private static func likelySystemError(_ code: Int32, _ path: String) -> Int32 {
        guard code & 0xFF == SQLITE_IOERR, PathText.isVolumeFull(PathText.directory(of: path)) else { return 0 }
        return ENOSPC
    }

    struct Failure: Error {
        let error: DatabaseError
        let systemError: Int32
    }
}
