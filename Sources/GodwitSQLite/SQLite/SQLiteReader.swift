package import GodwitModel
internal import CSQLiteShim

/// The one owner of a hardened, read-only SQLite handle; closed when it goes.
///
/// Hardening follows <https://sqlite.org/security.html>: nothing a foreign store's schema holds is run. Triggers and
/// views are off, no extension loads, functions with side effects are refused in schemas, and an authorizer lets only
/// plain reads of tables through. One read transaction spans the reader's life, so that every statement sees one state.
package struct SQLiteReader: ~Copyable {
    package let connection: SQLiteConnection

    /// Opens a store for reading and begins its read transaction.
    ///
    /// - Parameters:
    ///   - path: the file to open: a clone, or a store in rollback mode in place.
    ///   - name: what messages call it.
    ///   - busyMilliseconds: how long to wait for a writer to finish.
    ///   - longestValue: the bytes beyond which no value is read (65); nil for 1 GiB.
    ///   - mayRecover: whether a hot journal may be rolled back; for private clones only.
    ///   - isScanning: whether it reads tables from front to back alone, for which it need not remember many pages.
    package init(
        path: String, name: String, stage: Stage, busyMilliseconds: Int, cancellation: Cancellation,
        mayRecover: Bool = false, longestValue: Int32? = nil, isScanning: Bool = false
    ) throws(GodwitError) {
        let opened = try SQLiteHandle(
            reading: path, mayRecover: mayRecover, name: name, stage: stage, cancellation: cancellation)
        let connection = SQLiteConnection(opened, name: name, stage: stage)
        opened.waitWhenBusy(upTo: busyMilliseconds)
        // integrity_check would otherwise run the store's CHECK expressions.
        let settings = [
            "temp_store=FILE", "cell_size_check=ON", "mmap_size=0", "ignore_check_constraints=ON", "query_only=ON",
        ]
        let cache = isScanning ? ["cache_size=-256"] : []
        for setting in settings + cache { try connection.execute(statements: "PRAGMA \(setting)") }
        if let longestValue { sqlite3_limit(opened.pointer, SQLITE_LIMIT_LENGTH, longestValue) }
        SQLiteHardening.allowOnlyReads(opened.pointer)
        try connection.execute("BEGIN")
        // BEGIN alone takes no lock; the first read does.
        _ = try connection.first("SELECT count(*) FROM sqlite_schema")
        self.connection = connection
    }
}
