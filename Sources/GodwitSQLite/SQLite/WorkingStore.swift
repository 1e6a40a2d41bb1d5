package import GodwitModel
internal import CSQLiteShim

/// A temporary store for a command's intermediate data: on disk, without a name; closing it deletes it.
///
/// SQLite keeps it in memory while it is small, and moves the rest to a temporary file that it unlinks at once:
/// <https://sqlite.org/inmemorydb.html#temp_db>. It needs no journal and no flush.
package final class WorkingStore {
    package let connection: SQLiteConnection

    /// - Parameters:
    ///   - kibibytes: size of its cache in memory; sorting needs the same again.
    ///   - isUTF16: whether its text is UTF-16.
    package init(
        stage: GodwitError.Stage, cancellation: Cancellation, cacheKibibytes kibibytes: Int = 8192,
        name: String = "the notes of this command in TMPDIR", isUTF16: Bool = false
    ) throws(GodwitError) {
        let handle = try SQLiteHandle(temporary: stage, cancellation: cancellation)
        connection = SQLiteConnection(handle, name: name, stage: stage)
        if isUTF16 { try connection.execute(statements: "PRAGMA encoding='UTF-16'") }
        for setting in ["journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE", "cache_size=-\(kibibytes)"] {
            try connection.execute("PRAGMA \(setting)")
        }
        try connection.execute("BEGIN")
        connection.soundIndexes.addAll()
    }
}
