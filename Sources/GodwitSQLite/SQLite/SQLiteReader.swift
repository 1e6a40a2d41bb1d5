package import GodwitModel
internal import CSQLiteShim

/// The only owner of a hardened, read-only SQLite handle; deinit closes it.
///
/// Hardening follows <https://sqlite.org/security.html>: no code in a foreign store's schema runs. Triggers and views
/// are off, no extension loads, schemas cannot use functions with side effects, and an authorizer permits only plain
/// reads of tables. One read transaction lasts as long as the reader, so every statement sees the same state.
package struct SQLiteReader: ~Copyable {
    package let connection: SQLiteConnection

    /// Opens a store for reading and begins its read transaction.
    ///
    /// - Parameters:
    ///   - path: the file to open: a clone, or a store in rollback mode in place.
    ///   - busyMilliseconds: maximum time to wait for a writer.
    ///   - longestValue: maximum length of a value in bytes (65); nil for 1 GiB.
    ///   - mayRecover: whether SQLite may roll back a hot journal; for private clones only.
    ///   - isScanning: whether it only scans tables, for which a small page cache is enough.
    package init(
        path: String, name: String, stage: GodwitError.Stage, busyMilliseconds: Int, cancellation: Cancellation,
        mayRecover: Bool = false, longestValue: Int32? = nil, isScanning: Bool = false
    ) throws(GodwitError) {
        let opened = try SQLiteHandle(
            reading: path, mayRecover: mayRecover, name: name, stage: stage, cancellation: cancellation)
        let connection = SQLiteConnection(opened, name: name, stage: stage)
        opened.waitWhenBusy(upTo: busyMilliseconds)
        // Otherwise SQLite's checks would evaluate the store's CHECK expressions.
        let settings = [
            "temp_store=FILE", "cell_size_check=ON", "mmap_size=0", "ignore_check_constraints=ON", "query_only=ON",
        ]
        let cache = isScanning ? ["cache_size=-256"] : []
        for setting in settings + cache { try connection.execute(statements: "PRAGMA \(setting)") }
        if let longestValue { sqlite3_limit(opened.pointer, SQLITE_LIMIT_LENGTH, longestValue) }
        SQLiteHardening.allowOnlyReads(opened.pointer)
        try connection.execute("BEGIN")
        // BEGIN takes no lock; the first read does.
        _ = try connection.first("SELECT count(*) FROM sqlite_schema")
        self.connection = connection
    }
}
