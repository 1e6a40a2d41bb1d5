import GodwitModel
import GodwitSQLite
import GodwitSchema
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

extension StoreBench {
    /// Updates the store and closes it, even after an error.
    func bringUpToDate(
        _ stage: SchemaStage, context: RunContext = .sample(), committed: (RunReport.Schema) -> Void = { _ in }
    ) throws -> RunReport.Schema {
        let writer = try writer(context)
        defer { try? writer.close(.schema) }
        return try writer.checked { () throws(GodwitError) in
            try stage.bringUpToDate(
                writer, role: .local, file: "Notes.store", created: false, committed: committed)
        }
    }

    /// Versions in the history; nil if there is none.
    var history: [Int]? {
        get throws {
            guard try !rows("SELECT 1 FROM sqlite_schema WHERE name = 'godwit_migration'").isEmpty else { return nil }
            return try rows("SELECT version FROM godwit_migration ORDER BY version").compactMap { Int($0[0].readable) }
        }
    }
}
