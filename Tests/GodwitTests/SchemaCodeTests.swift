import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// What an app's own schema files bring along besides tables: temporary objects, triggers, full-text indexes.
struct SchemaCodeTests {
    private static let create = "CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT, updatedAt TEXT);\n"
    /// A rebuild of the table that forgets its temporary copy.
    private static let rebuild = """
        CREATE TEMP TABLE Note AS SELECT * FROM main.Note;
        DROP TABLE main.Note;
        CREATE TABLE main.Note(id TEXT PRIMARY KEY, body TEXT, updatedAt TEXT, colour TEXT);
        INSERT INTO main.Note(id, body, updatedAt) SELECT id, body, updatedAt FROM temp.Note;
        CREATE TEMP VIEW Tag AS SELECT 1 AS id;
        CREATE TEMP TRIGGER swallow BEFORE INSERT ON main.Note BEGIN SELECT RAISE(IGNORE); END;
        """
    private static let entity = "  Note: { key: id, modified: updatedAt, conflict: keepEarliest }"

    private func app(_ migrations: [String]) throws -> NoteApp {
        var app = try NoteApp(entities: Self.entity, migrations: migrations, preferences: ["starred": ["a", "b"]])
        app.legacy = "  favorites: [{ key: starred, into: Note.id }]"
        return app
    }

    @Test("temporary objects that a schema file leaves behind do not stand before the store's own")
    func temporaryObjects() throws {
        let app = try app([Self.create, Self.rebuild])
        let plan = try app.perform(dryRun: true)
        let report = try app.perform()
        #expect(report.legacy?.inserted == ["Note": 2])
        #expect(plan.legacy?.inserted == ["Note": 2])
        for store in [NoteApp.local, NoteApp.cloud] {
            #expect(try app.column(store, "SELECT id FROM Note ORDER BY id") == ["a", "b"], "\(store)")
        }
        #expect(try app.perform(.verify).outcome == .done)
    }

    @Test("a dedupe after such a rebuild takes duplicates out of the table, and its undo puts back only those")
    func dedupeAfterRebuild() throws {
        let create = "CREATE TABLE Note(id TEXT, body TEXT, updatedAt TEXT);\n"
        let rebuild = Self.rebuild.replacingOccurrences(of: "id TEXT PRIMARY KEY", with: "id TEXT")
        let app = try app([create, rebuild])
        try app.write(
            NoteApp.local, create + "INSERT INTO Note VALUES ('n', '1', '2026-01-01'), ('n', '2', '2026-01-02')")
        let report = try app.perform(.migrate)
        #expect(report.schema?.toVersion == 2)
        let before = try app.column(NoteApp.local, "SELECT id || body FROM Note ORDER BY body")
        #expect(try app.perform(.dedupe).dedupe?.removed == ["Note": 1])
        #expect(try app.column(NoteApp.local, "SELECT body FROM Note WHERE id = 'n'") == ["1"])
        _ = try app.migration().undoDedupe(of: "latest", dryRun: false)
        #expect(try app.column(NoteApp.local, "SELECT id || body FROM Note ORDER BY body") == before)
    }

    @Test("a full-text index that the app's own triggers keep is kept by every stage, the undo and the import included")
    func fullText() throws {
        let create = """
            CREATE TABLE Note(id TEXT, body TEXT, updatedAt TEXT);
            CREATE VIRTUAL TABLE NoteText USING fts5(body, content='Note');
            CREATE TRIGGER added AFTER INSERT ON Note BEGIN
              INSERT INTO NoteText(rowid, body) VALUES (new.rowid, new.body); END;
            CREATE TRIGGER removed AFTER DELETE ON Note BEGIN
              INSERT INTO NoteText(NoteText, rowid, body) VALUES ('delete', old.rowid, old.body); END;
            """
        let app = try app([create])
        try app.write(
            NoteApp.local,
            create
                + "INSERT INTO Note VALUES ('n', 'oats', '2026-01-01'), ('n', 'rye', '2026-01-02'), ('m', 'barley', '')"
        )
        #expect(try app.perform(.dedupe).dedupe?.removed == ["Note": 1])
        let match = "SELECT count(*) FROM NoteText WHERE NoteText MATCH 'rye'"
        #expect(try app.column(NoteApp.local, match) == ["0"])
        _ = try app.migration().undoDedupe(of: "latest", dryRun: false)
        #expect(try app.column(NoteApp.local, match) == ["1"])
        let report = try app.perform()
        #expect(report.outcome == .done)
        #expect(!report.warnings.contains { $0.code == "leftBehind" })
        #expect(try app.column(NoteApp.cloud, "SELECT count(*) FROM NoteText WHERE NoteText MATCH 'barley'") == ["1"])
        _ = try app.migration().export(to: app.folder["e.json"], options: .init())
        _ = try app.migration().restore(from: app.folder["e.json"], to: app.folder["new.store"])
        #expect(try app.column("new.store", "SELECT count(*) FROM NoteText WHERE NoteText MATCH 'barley'") == ["1"])
    }

    @Test("JSON functions in the schema's indexes, generated columns and checks stand in the way of no command")
    func jsonFunctions() throws {
        let create = """
            CREATE TABLE Note(id TEXT, body TEXT CHECK (json_valid(body)), updatedAt TEXT,
              n AS (json_extract(body, '$.n')), packed TEXT AS (json(body)) STORED);
            CREATE INDEX PartOfNotes ON Note(updatedAt) WHERE json_valid(body);
            """
        let later = "CREATE INDEX ByNumber ON Note(json_extract(body, '$.n'), body ->> '$.m');"
        var app = try app([create])
        app.legacy = ""
        try app.write(
            NoteApp.local,
            create
                + "INSERT INTO Note VALUES ('n', '{\"n\": 1}', '2026-01-01'), ('n', '{ }', '2026-01-02'), ('m', '3', '')"
        )
        try app.perform(.migrate)
        try app.folder.write(later, to: "migrations/V0002__index.sql")
        #expect(try app.perform(dryRun: true).outcome == .done)
        #expect(try app.perform().outcome == .done)
        #expect(try app.perform(.verify).outcome == .done)
        #expect(try app.column(NoteApp.cloud, "SELECT packed FROM Note WHERE id = 'n'") == ["{\"n\":1}"])
        _ = try app.migration().undoDedupe(of: "latest", dryRun: false)
        _ = try app.migration().export(to: app.folder["e.json"], options: .init())
        _ = try app.migration().restore(from: app.folder["e.json"], to: app.folder["new.store"])
        #expect(try app.column("new.store", "SELECT n FROM Note WHERE n IS NOT NULL") == ["1"])
    }

    @Test("a counter that a trigger keeps is restored unchanged, and the new store continues to count")
    func counter() throws {
        let create = """
            CREATE TABLE Note(id TEXT PRIMARY KEY, n INTEGER DEFAULT 0, updatedAt TEXT);
            CREATE TABLE Line(id TEXT PRIMARY KEY, note TEXT);
            CREATE TRIGGER counted AFTER INSERT ON Line BEGIN UPDATE Note SET n = n + 1 WHERE id = new.note; END;
            """
        let app = try NoteApp(
            entities: "  Note: { key: id, modified: updatedAt }\n  Line: { key: id }", migrations: [create])
        try app.write(
            NoteApp.local, create + "INSERT INTO Note VALUES ('a', 5, ''); INSERT INTO Line VALUES ('1', 'a')")
        _ = try app.migration().export(to: app.folder["e.json"], options: .init())
        let report = try app.migration().restore(from: app.folder["e.json"], to: app.folder["new.store"])
        #expect(report.warnings.map(\.code) == ["triggersHeldBack"])
        #expect(report.warnings.first?.message.contains("1 trigger did not run") == true)
        #expect(try app.column("new.store", "SELECT n FROM Note") == ["6"])
        try app.write("new.store", "INSERT INTO Line VALUES ('2', 'a')")
        #expect(try app.column("new.store", "SELECT n FROM Note") == ["7"])
    }
}
