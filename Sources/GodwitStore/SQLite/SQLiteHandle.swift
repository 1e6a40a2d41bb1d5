internal import CSQLiteShim
internal import GodwitModel

/// A SQLite handle, closed exactly once, when the last connection to it goes; if it leaked, the store's read lock would
/// stay for the life of the process.
final class SQLiteHandle {
    let pointer: OpaquePointer
    /// Kept because the progress handler points to it.
    private let cancellation: Cancellation?

    init(readOnly path: String, name: String, stage: Stage, cancellation: Cancellation) throws(GodwitError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let text = opened.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? ""
            sqlite3_close_v2(opened)
            throw .sqlite(code, text, name: name, stage: stage)
        }
        pointer = opened
        self.cancellation = cancellation
        SQLiteHardening.apply(to: opened, readOnly: true)
        SQLiteHardening.interrupt(opened, when: cancellation)
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
        SQLiteHardening.apply(to: opened, readOnly: false)
    }

    deinit {
        sqlite3_progress_handler(pointer, 0, nil, nil)
        sqlite3_close_v2(pointer)
    }
}
