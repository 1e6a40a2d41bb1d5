internal import GodwitFiles
package import GodwitModel
internal import CSQLiteShim

/// A store that no other process can open while this object exists, with all of its records in one file.
///
/// Used while the file is renamed. SQLite's exclusive locking mode also excludes an app that has the store open in WAL
/// mode without reading or writing: <https://sqlite.org/pragma.html#pragma_locking_mode>.
package final class ExclusiveStore {
    private var connection: SQLiteConnection?

    /// Locks an existing store, finishes a transaction that a killed process left, and moves the `-wal` file into the
    /// store.
    ///
    /// - Returns: nil if SQLite cannot read the file as a store; then its companions belong to it as they are.
    /// - Throws: 75 if another process has it open, 74 or 77 if it cannot be written.
    package static func open(
        _ path: String, name: String, stage: GodwitError.Stage, context: RunContext
    ) throws(GodwitError) -> ExclusiveStore? {
        do throws(GodwitError) {
            return try ExclusiveStore(path, name: name, stage: stage, context: context)
        } catch {
            guard error.isFinding else { throw error }
            return nil
        }
    }

    private init(_ path: String, name: String, stage: GodwitError.Stage, context: RunContext) throws(GodwitError) {
        let handle = try SQLiteHandle(writing: path, name: name, stage: stage, cancellation: context.cancellation)
        handle.waitWhenBusy(upTo: context.lockTimeoutMilliseconds)
        let connection = SQLiteConnection(handle, name: name, stage: stage)
        // Before the first read, so that SQLite creates no `-shm`.
        for setting in ["locking_mode=EXCLUSIVE", "synchronous=EXTRA"] {
            try connection.execute("PRAGMA main.\(setting)")
        }
        _ = try connection.first("SELECT count(*) FROM main.sqlite_schema")
        let isBusy = try connection.first("PRAGMA main.wal_checkpoint(TRUNCATE)")
        guard isBusy != .integer(1) else {
            throw .sqlite(SQLITE_BUSY, "its -wal file could not be moved into it", name: name, stage: stage)
        }
        // SQLite flushes the store, but not the truncation of its `-wal` file.
        if try FileStatus.ofLink(path + "-wal")?.isRegularFile == true {
            try OpenFile(reading: path + "-wal", stage: stage).flush()
        }
        try connection.execute("BEGIN EXCLUSIVE")
        self.connection = connection
    }

    /// Closes the file; no file next to it is removed.
    package func close() { connection = nil }
}
