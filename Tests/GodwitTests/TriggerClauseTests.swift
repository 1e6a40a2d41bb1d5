import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Triggers of an app whose statements have a conflict clause of their own, under every command that writes records.
struct TriggerClauseTests {
    private static let entities = """
          Note: { key: id, modified: updatedAt }
          Settings: { key: id, modified: updatedAt, singleton: one }
          Choice: { key: id, belongsTo: { settingsId: Settings } }
        """

    private static func create(_ statement: String, _ unique: String) -> String {
        let triggers = ["Note", "Settings", "Choice"].flatMap { table in
            ["INSERT", "UPDATE"].map {
                "CREATE TRIGGER \(table)\($0) AFTER \($0) ON \(table) BEGIN \(statement); END;\n"
            }
        }
        return """
            CREATE TABLE Note(id TEXT, title TEXT, place INTEGER \(unique), updatedAt TEXT);
            CREATE TABLE Settings(id TEXT, theme TEXT, updatedAt TEXT);
            CREATE TABLE Choice(id TEXT PRIMARY KEY, settingsId TEXT);
            CREATE TABLE Activity(day TEXT NOT NULL UNIQUE, n INTEGER);

            """ + triggers.joined()
    }

    private func app(_ statement: String, _ unique: String) throws -> NoteApp {
        let create = Self.create(statement, unique)
        var app = try NoteApp(
            entities: Self.entities, migrations: [create], preferences: ["starred": ["f", "g", "h"]])
        app.legacy = "  favorites: [{ key: starred, into: Note.id }]"
        app.legacy = app.legacy.replacing("[{", with: "[{ mode: merge,")
        try app.write(
            NoteApp.local,
            create + """
                INSERT INTO Note VALUES ('n', 'old', 1, '2026-01-01'), ('n', 'new', 2, '2026-01-02'),
                  ('m', 'mine', 3, '2026-01-03');
                INSERT INTO Settings VALUES ('s', 'dark', '2026-01-01'), ('t', 'light', '2026-01-02');
                INSERT INTO Choice VALUES ('c', 's'), ('d', 's'), ('e', 't');
                """)
        try app.write(
            NoteApp.cloud,
            create + """
                INSERT INTO Note VALUES ('m', 'theirs', 3, '2026-01-01'), ('k', 'kept', 4, '2026-01-01');
                """)
        return app
    }

    @Test(
        "records are imported, merged, deduped, undone, exported and restored next to them",
        arguments: [
            "INSERT OR REPLACE INTO Activity VALUES ('all', 1)", "REPLACE INTO Activity VALUES ('all', 1)",
            "INSERT OR IGNORE INTO Activity VALUES ('all', 1)", "INSERT OR IGNORE INTO Activity VALUES (\"all\", 1)",
            "INSERT INTO Activity VALUES ('all', 1) ON CONFLICT(day) DO UPDATE SET n = n + 1",
        ], ["", "UNIQUE ON CONFLICT REPLACE"])
    func everywhere(_ statement: String, _ unique: String) throws {
        let app = try app(statement, unique)
        let report = try app.perform()
        #expect(report.legacy?.inserted == ["Note": 3])
        #expect(report.dedupe?.removed == ["Note": 1, "Settings": 1])
        #expect(report.copy?.entities.first { $0.name == "Note" }?.updated == 1)
        let notes = "SELECT id || ' ' || coalesce(title, '') FROM Note ORDER BY 1"
        #expect(try app.column(NoteApp.cloud, notes) == ["f ", "g ", "h ", "k kept", "m mine", "n new"])
        #expect(try app.column(NoteApp.cloud, "SELECT DISTINCT settingsId FROM Choice") == ["one"])
        #expect(try app.perform(.verify).failedChecks == [])

        let first = app.folder["first.json"]
        var options = ExportOptions()
        options.store = .cloud
        _ = try app.migration().exportAndKeep(to: first, options: options)
        _ = try app.migration().restore(from: first, to: app.folder["restored.store"])
        #expect(try app.column("restored.store", notes) == app.column(NoteApp.cloud, notes))
        #expect(try app.column("restored.store", "SELECT count(*) FROM Activity") == ["1"])

        _ = try app.migration().undoDedupe(of: "latest", dryRun: false)
        #expect(try app.column(NoteApp.local, "SELECT title FROM Note WHERE id = 'n' ORDER BY 1") == ["new", "old"])
        #expect(try app.column(NoteApp.local, "SELECT settingsId FROM Choice ORDER BY id") == ["s", "s", "t"])
    }

    @Test(
        "a table that says REPLACE loses no record in a merge, whether it has triggers or not",
        arguments: ["SELECT 1", "INSERT OR REPLACE INTO Activity VALUES ('all', 1)"])
    func replacing(_ statement: String) throws {
        let app = try app(statement, "UNIQUE ON CONFLICT REPLACE")
        // The local record has got the place of another one of the cloud store.
        try app.write(NoteApp.local, "UPDATE Note SET place = 4 WHERE id = 'm'")
        let before = try StoreContents(StoreCopy(of: app.folder[NoteApp.cloud]).store)
        let error = try #require(failure { try app.perform(.copy) })
        #expect(error.code == .data)
        #expect(error.underlying?.contains("UNIQUE constraint failed: Note.place") == true)
        let after = try StoreContents(StoreCopy(of: app.folder[NoteApp.cloud]).store)
        #expect(after.differences(from: before) == [])
    }
}
