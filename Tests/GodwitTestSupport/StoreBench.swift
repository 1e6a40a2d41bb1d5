package import GodwitModel
package import GodwitSQLite

/// A store on disk that a stage works on through the real writer.
package struct StoreBench {
    package let folder: TemporaryFolder
    package let path: String

    /// Makes the store as an app would; without SQL it is empty.
    package init(_ sql: String = "", journal: String? = nil) throws {
        folder = try TemporaryFolder()
        path = folder.path("Notes.store")
        // A store of no bytes is a store without tables; only a write makes it a file.
        try SampleStore.make(path, journal: journal, "PRAGMA user_version=1;" + sql)
    }

    package func writer(_ context: RunContext = .sample()) throws(GodwitError) -> StoreWriter {
        try StoreWriter(existing: path, name: "Notes.store", stage: .schema, context: context)
    }

    /// All rows of a query, as stored.
    package func rows(_ sql: String) throws -> [[Value]] {
        let writer = try writer()
        defer { try? writer.close(.schema) }
        return try writer.read(.schema) { connection throws(GodwitError) in try connection.rows(sql) }
    }

    /// The rows as text, with `|` between columns.
    package func text(_ sql: String) throws -> [String] {
        try rows(sql).map { $0.map(\.readable).joined(separator: "|") }
    }
}

extension StoreWriter {
    /// Runs a body, and checks that foreign keys are on afterwards, as they were before.
    package func checked<R>(_ body: () throws(GodwitError) -> R) throws(GodwitError) -> R {
        defer {
            let state = try? read(.schema) { connection throws(GodwitError) in
                try connection.first("PRAGMA foreign_keys")
            }
            precondition(state == .integer(1), "foreign keys were left off")
        }
        return try body()
    }
}
