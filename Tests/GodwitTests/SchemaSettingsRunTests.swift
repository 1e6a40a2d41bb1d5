import Godwit
import GodwitFiles
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Schema files that would change how later ones run, as commands meet them.
struct SchemaSettingsRunTests {
    private static let first = """
        CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT, updatedAt TEXT);
        CREATE TABLE Tag(id TEXT PRIMARY KEY, name TEXT);
        CREATE VIEW TagName AS SELECT name FROM Tag;
        """
    private static let leaving = "ALTER TABLE Note ADD COLUMN font TEXT;\nPRAGMA legacy_alter_table = ON;"
    private static let rename = "ALTER TABLE Tag RENAME TO Label;"
    private static let view = "SELECT sql FROM sqlite_schema WHERE name = 'TagName'"

    private func app(_ migrations: [String]) throws -> NoteApp {
        let app = try NoteApp(entities: "  Note: { key: id, modified: updatedAt }", migrations: migrations)
        try app.write(NoteApp.local, Self.first + "INSERT INTO Note VALUES ('n', 'b', '2026-01-01')")
        return app
    }

    @Test("such a file is refused before anything is written", arguments: [Command.run, .migrate, .copy])
    func refused(_ command: Command) throws {
        let app = try app([Self.first, Self.leaving, Self.rename])
        let before = try FolderFingerprint(app.folder["container"])
        for isDryRun in [true, false] {
            let error = try #require(failure { try app.perform(command, dryRun: isDryRun) })
            #expect(error.code == .data)
            #expect(error.message.contains("V0002__step.sql:2: "))
        }
        #expect(try FolderFingerprint(app.folder["container"]) == before)
        #expect(failure { try app.perform(.verify) }?.message.contains("V0002__step.sql:2") != true)
    }

    @Test("one that was released goes on, and a new cloud store gets the same schema")
    func released() throws {
        let app = try app([Self.first, Self.leaving, Self.rename])
        let rows = [Self.first, Self.leaving].enumerated().map { index, sql in
            "(\(index + 1), 'step', 'sha256-v1:\(sha256Hex(Array(sql.utf8)))', '2026-01-01T00:00:00.000Z', 1, '0.1.0')"
        }
        try app.write(
            NoteApp.local,
            """
            ALTER TABLE Note ADD COLUMN font TEXT;
            CREATE TABLE godwit_migration(
              version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, appliedAt TEXT NOT NULL,
              durationMs INTEGER NOT NULL, godwitVersion TEXT NOT NULL);
            INSERT INTO godwit_migration VALUES \(rows.joined(separator: ", "));
            """)
        let report = try app.perform()
        #expect(report.schema?.applied.map(\.version) == [3])
        for store in [NoteApp.local, NoteApp.cloud] {
            #expect(try app.column(store, Self.view) == ["CREATE VIEW TagName AS SELECT name FROM \"Label\""])
        }
        #expect(try app.perform(.verify).outcome == .done)
    }
}
