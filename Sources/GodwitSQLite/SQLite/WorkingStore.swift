package import GodwitModel
internal import CSQLiteShim

/// A store of notes that a command makes while it works: on the disk, under no name, gone when its owner goes.
///
/// SQLite keeps it in memory while it is small, and moves what does not fit into a temporary file that it has unlinked
/// at once: <https://sqlite.org/inmemorydb.html#temp_db>. Nothing of it is worth a journal or a flush.
package final class WorkingStore {
    package let connection: SQLiteConnection

    /// - Parameters:
    ///   - kibibytes: how much of it is kept in memory; sorting takes as much again.
    ///   - name: what messages call it.
    ///   - isUTF16: whether it keeps its text as UTF-16.
    package init(
        stage: Stage, cancellation: Cancellation, cacheKibibytes kibibytes: Int = 8192,
        name: String = "the notes of this command in TMPDIR", isUTF16: Bool = false
    ) throws(GodwitError) {
        let handle = try SQLiteHandle(temporary: stage, cancellation: cancellation)
        connection = SQLiteConnection(handle, name: name, stage: stage)
        if isUTF16 { try connection.execute(statements: "PRAGMA encoding='UTF-16'") }
        for setting in ["journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE", "cache_size=-\(kibibytes)"] {
            try connection.execute("PRAGMA \(setting)")
        }
        try connection.execute("BEGIN")
    }
}
