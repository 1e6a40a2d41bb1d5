import GodwitMigrate
import GodwitModel
import GodwitStore
import GodwitTestSupport

/// A schema of three versions, and stores for it.
enum SchemaSamples {
    static let notes = "CREATE TABLE Note(id TEXT NOT NULL, body TEXT);"
    static let dates = "ALTER TABLE Note ADD COLUMN updatedAt TEXT;"
    static let tags = "CREATE TABLE Tag(id TEXT NOT NULL, noteId TEXT);\nCREATE INDEX Tag_noteId ON Tag(noteId);"

    /// Schema files from their texts, numbered from 1.
    static func files(_ texts: [String] = [notes, dates, tags]) throws(GodwitError) -> SchemaFiles {
        try SchemaFiles(
            directory: "Migrations/notes",
            files: texts.enumerated().map { SchemaFile(version: $0 + 1, name: "step\($0 + 1)", sql: $1) })
    }

    static func stage(
        _ texts: [String] = [notes, dates, tags], context: RunContext = .sample(), baseline: Int? = nil
    ) throws(GodwitError) -> SchemaStage {
        SchemaStage(files: try files(texts), context: context, baseline: baseline)
    }
}

/// A store on disk that a stage works on through the real writer.
struct StoreBench {
    let folder: TemporaryFolder
    let path: String

    /// Makes the store as an app would, with some SQL; an empty store without.
    init(_ sql: String = "", journal: String? = nil) throws {
        folder = try TemporaryFolder()
        path = folder.path("Notes.store")
        // A store of no bytes is a store without tables; what makes it a file is a write.
        try SampleStore.make(path, journal: journal, "PRAGMA user_version=1;" + sql)
    }

    func writer(_ context: RunContext = .sample()) throws(GodwitError) -> StoreWriter {
        try StoreWriter(existing: path, name: "Notes.store", stage: .schema, context: context)
    }

    /// Brings the store up to date and closes it, whatever comes of it.
    func bringUpToDate(
        _ stage: SchemaStage, context: RunContext = .sample(), committed: (SchemaReport) -> Void = { _ in }
    ) throws -> SchemaReport {
        let writer = try writer(context)
        defer { try? writer.close(.schema) }
        return try writer.checked { () throws(GodwitError) in
            try stage.bringUpToDate(
                writer, role: .local, file: "Notes.store", created: false, committed: committed)
        }
    }

    /// All rows of a query, exactly as stored.
    func rows(_ sql: String) throws -> [[Value]] {
        let writer = try writer()
        defer { try? writer.close(.schema) }
        return try writer.read(.schema) { connection throws(GodwitError) in try connection.rows(sql) }
    }

    /// The rows as text, columns joined with a bar.
    func text(_ sql: String) throws -> [String] {
        try rows(sql).map { $0.map(\.readable).joined(separator: "|") }
    }

    /// Versions in the history; nil where there is none.
    var history: [Int]? {
        get throws {
            guard try !rows("SELECT 1 FROM sqlite_schema WHERE name = 'godwit_migration'").isEmpty else { return nil }
            return try rows("SELECT version FROM godwit_migration ORDER BY version").compactMap { Int($0[0].readable) }
        }
    }
}

extension StoreWriter {
    /// Runs a body, and sees to it that foreign keys are on afterwards, as they were before.
    func checked<R>(_ body: () throws(GodwitError) -> R) throws(GodwitError) -> R {
        defer {
            let state = try? read(.schema) { connection throws(GodwitError) in
                try connection.first("PRAGMA foreign_keys")
            }
            precondition(state == .integer(1), "foreign keys were left off")
        }
        return try body()
    }
}
