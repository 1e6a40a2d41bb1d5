internal import GodwitFiles
internal import GodwitModel
internal import CSQLiteShim

/// A SQLite handle, closed exactly once, when the last connection to it goes; if it leaked, the store's read lock would
/// stay for the life of the process.
final class SQLiteHandle {
    let pointer: OpaquePointer
    /// Kept because the progress handler points to it.
    private let cancellation: Cancellation?
    /// Goes after the handle was closed; nil for a store in memory.
    private let use: OpenStoreGuard?
    /// Whether it only reads a store: what it writes are SQLite's own temporary files.
    let isReader: Bool
    /// Takes whole rows of a reader; nil for what is no reader.
    let receiver: RowReceiver?
    /// Collations that are not SQLite's own; nil where none is needed.
    let collations: AppCollations?
    /// How long to wait for a lock, in milliseconds.
    private var patience = 0

    /// - Parameter mayRecover: whether a hot journal may be rolled back, which needs a handle that can write; for
    ///   clones only.
    init(
        reading path: String, mayRecover: Bool, name: String, stage: Stage, cancellation: Cancellation
    ) throws(GodwitError) {
        var opened: OpaquePointer?
        let access = mayRecover ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        // Debian's SQLite takes every name that begins with `file:` for a URI, whose parameters may say immutable.
        let plain = path.utf8.first == 0x2F ? path : "./" + path
        let use = OpenStoreGuard(of: plain)
        let code = sqlite3_open_v2(
            plain, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, godwit_sqlite_reading_vfs())
        guard code == SQLITE_OK, let opened else {
            let text = opened.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? ""
            let number = opened.map { godwit_sqlite_system_error($0, code) } ?? 0
            sqlite3_close_v2(opened)
            throw .sqlite(code, text, name: name, stage: stage, systemError: number)
        }
        pointer = opened
        self.cancellation = cancellation
        self.use = use
        isReader = true
        let receiver = RowReceiver()
        receiver.register(on: opened)
        self.receiver = receiver
        collations = AppCollations(on: opened, hasStandIns: true)
        SQLiteHardening.apply(to: opened, readOnly: true)
        ByteOrder.register(on: opened)
        NegativeZero.register(on: opened)
        SQLiteHardening.interrupt(opened, when: cancellation)
        // A clone is thrown away: nothing is gained by moving its log into it at the end.
        if mayRecover { _ = godwit_sqlite_set_option(opened, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
    }

    /// A store in its place, to be locked and to have its log moved into it; no record is written through it.
    init(writing path: String, name: String, stage: Stage, cancellation: Cancellation) throws(GodwitError) {
        var opened: OpaquePointer?
        let plain = path.utf8.first == 0x2F ? path : "./" + path
        let use = OpenStoreGuard(of: plain)
        let code = sqlite3_open_v2(
            plain, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            let text = opened.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? ""
            let number = opened.map { godwit_sqlite_system_error($0, code) } ?? 0
            sqlite3_close_v2(opened)
            throw .sqlite(code, text, name: name, stage: stage, systemError: number)
        }
        pointer = opened
        self.cancellation = cancellation
        self.use = use
        isReader = false
        receiver = nil
        collations = nil
        SQLiteHardening.apply(to: opened, readOnly: true)
        SQLiteHardening.interrupt(opened, when: cancellation)
        // By the time it is closed, its files have other names.
        var keep: Int32 = 1
        sqlite3_file_control(opened, "main", SQLITE_FCNTL_PERSIST_WAL, &keep)
        #if canImport(Darwin)
            sqlite3_exec(opened, "PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON", nil, nil, nil)
        #endif
    }

    /// An empty store in memory.
    init(inMemory stage: Stage) throws(GodwitError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw GodwitError(stage, .bug, "SQLite can't make a store in memory.")
        }
        pointer = opened
        cancellation = nil
        use = nil
        isReader = false
        receiver = nil
        collations = AppCollations(on: opened, hasStandIns: false)
        SQLiteHardening.apply(to: opened, readOnly: false)
        // Nothing gets into it but the app's own schema files.
        SQLiteHardening.trustSchema(of: opened)
        ByteOrder.register(on: opened)
        NegativeZero.register(on: opened)
    }

    /// An empty store on the disk that has no name.
    init(temporary stage: Stage, cancellation: Cancellation) throws(GodwitError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2("", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw GodwitError(
                stage, .io, "SQLite can't make a temporary file.",
                hint: "Set TMPDIR to a folder that can be written to.")
        }
        pointer = opened
        self.cancellation = cancellation
        use = nil
        isReader = false
        receiver = nil
        collations = nil
        SQLiteHardening.apply(to: opened, readOnly: false)
        ByteOrder.register(on: opened)
        NegativeZero.register(on: opened)
        SQLiteHardening.interrupt(opened, when: cancellation)
    }

    /// Makes the handle wait where another process holds the store, until that is over or the run is cancelled.
    func waitWhenBusy(upTo milliseconds: Int) {
        patience = milliseconds
        sqlite3_busy_handler(
            pointer,
            { context, count in
                guard let context else { return 0 }
                let handle = Unmanaged<SQLiteHandle>.fromOpaque(context).takeUnretainedValue()
                return BusyWait.goesOn(after: Int(count), upTo: handle.patience, handle.cancellation) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// What a cancelled run ends with; nil where nobody cancelled it.
    func cancellationError(_ stage: Stage) -> GodwitError? {
        do throws(GodwitError) {
            try cancellation?.check(stage)
            return nil
        } catch {
            return error
        }
    }

    deinit {
        sqlite3_progress_handler(pointer, 0, nil, nil)
        sqlite3_close_v2(pointer)
    }
}
