internal import GodwitFiles
internal import GodwitModel
internal import CSQLiteShim

/// Owns a SQLite handle and closes it when the last connection is released; a leaked one would keep the store's read
/// lock.
final class SQLiteHandle {
    let pointer: OpaquePointer
    /// Retained because the progress handler points to it.
    private let cancellation: Cancellation?
    /// Released after the handle is closed; nil for a store in memory.
    private let use: OpenStoreGuard?
    /// Whether it only reads a store; then SQLite writes only its own temporary files.
    let isReader: Bool
    /// Receives whole rows of a reader; nil for other handles.
    let receiver: RowReceiver?
    /// Collations that are not SQLite's own; nil if none are needed.
    let collations: AppCollations?
    /// Maximum time to wait for a lock, in milliseconds.
    private var patience = 0

    /// - Parameter mayRecover: whether SQLite may roll back a hot journal, which needs write access; only for clones.
    init(
        reading path: String, mayRecover: Bool, name: String, stage: GodwitError.Stage, cancellation: Cancellation
    ) throws(GodwitError) {
        var opened: OpaquePointer?
        let access = mayRecover ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        // Debian's SQLite reads every name that begins with `file:` as a URI, whose parameters may say immutable.
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
        (self.cancellation, self.use) = (cancellation, use)
        isReader = true
        let receiver = RowReceiver()
        receiver.register(on: opened)
        self.receiver = receiver
        collations = AppCollations(on: opened, hasStandIns: true)
        SQLiteHardening.apply(to: opened, readOnly: true)
        ByteOrder.register(on: opened)
        NegativeZero.register(on: opened)
        SQLiteHardening.interrupt(opened, when: cancellation)
        // A clone is temporary, so moving its `-wal` file into it at the end is useless.
        if mayRecover { _ = godwit_sqlite_set_option(opened, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
    }

    /// Opens a store in place, to lock it and to move its `-wal` file into it; never to write records.
    init(writing path: String, name: String, stage: GodwitError.Stage, cancellation: Cancellation) throws(GodwitError) {
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
        (self.cancellation, self.use) = (cancellation, use)
        isReader = false
        receiver = nil
        collations = nil
        SQLiteHardening.apply(to: opened, readOnly: true)
        SQLiteHardening.interrupt(opened, when: cancellation)
        // Its files have other names when it is closed.
        var keep: Int32 = 1
        sqlite3_file_control(opened, "main", SQLITE_FCNTL_PERSIST_WAL, &keep)
        #if canImport(Darwin)
            sqlite3_exec(opened, "PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON", nil, nil, nil)
        #endif
    }

    init(inMemory stage: GodwitError.Stage) throws(GodwitError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw GodwitError(stage, .bug, "SQLite can't make a store in memory")
        }
        pointer = opened
        cancellation = nil
        use = nil
        isReader = false
        receiver = nil
        collations = AppCollations(on: opened, hasStandIns: false)
        SQLiteHardening.apply(to: opened, readOnly: false)
        // It contains only the app's own schema files.
        SQLiteHardening.trustSchema(of: opened)
        ByteOrder.register(on: opened)
        NegativeZero.register(on: opened)
    }

    /// An empty store in a temporary file without a name.
    init(temporary stage: GodwitError.Stage, cancellation: Cancellation) throws(GodwitError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2("", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw GodwitError(
                stage, .io, "SQLite can't make a temporary file",
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

    /// Waits while another process locks the store, until the time is over or the run is cancelled.
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

    /// The error of a cancelled run; nil if the run was not cancelled.
    func cancellationError(_ stage: GodwitError.Stage) -> GodwitError? {
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
