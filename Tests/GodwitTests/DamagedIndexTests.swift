import Foundation
import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitSQLite
import GodwitTestSupport
import Testing

/// An index that differs from its table changes nothing that is read, and is never written to.
struct DamagedIndexTests {
    /// How the entries of the indexes differ from the records: SQL that changes a copy of the table, and the order in which
    /// its indexes are made.
    enum Damage: String, CaseIterable {
        case missing = "DELETE FROM S WHERE rowid % 3 = 0"
        case doubled = "INSERT INTO S(rowid, id, title, at) SELECT rowid + 9000, id, title, at FROM S"
        case elsewhere = "UPDATE S SET (id, title) = (SELECT id, title FROM Note WHERE rowid = S.rowid % 300 + 1)"
        case emptied = "DELETE FROM S"
        case unordered = "UPDATE S SET title = title"

        var order: String { self == .unordered ? "DESC" : "ASC" }
    }

    private static let schema = """
        CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT, at TEXT);
        CREATE INDEX Note_title ON Note(title);
        CREATE TABLE Tag(id TEXT PRIMARY KEY NOT NULL, noteId TEXT REFERENCES Note(id));
        """
    private static let records = """
        INSERT INTO Note WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        SELECT printf('N-%04d', i * 7919 % 10007), 'title ' || (i % 50), '2026-01-01T00:00:00Z' FROM n;
        INSERT INTO Tag SELECT 'T-' || id, id FROM Note;
        """

    private func makeApp() throws -> NoteApp {
        let app = try NoteApp(
            entities: "  Note: { key: id, modified: at }\n  Tag: { key: id, belongsTo: { noteId: Note } }",
            migrations: [Self.schema])
        try app.write(NoteApp.local, Self.schema + Self.records)
        return app
    }

    /// Gives the indexes of a table the roots of others, which were made of a changed copy.
    private func damage(_ store: String, of app: NoteApp, _ damage: Damage) throws {
        try app.write(
            store,
            """
            CREATE TABLE S(id TEXT, title TEXT, at TEXT);
            INSERT INTO S(rowid, id, title, at) SELECT rowid, id, title, at FROM Note;
            \(damage.rawValue);
            CREATE INDEX JI ON S(id \(damage.order)); CREATE INDEX JT ON S(title \(damage.order));
            CREATE TABLE R AS SELECT name AS n, rootpage AS p FROM sqlite_schema WHERE tbl_name IN ('S', 'Note');
            PRAGMA writable_schema=ON;
            UPDATE sqlite_schema SET rootpage = (SELECT p FROM R WHERE n = CASE name
                WHEN 'JI' THEN 'sqlite_autoindex_Note_1' WHEN 'sqlite_autoindex_Note_1' THEN 'JI'
                WHEN 'JT' THEN 'Note_title' WHEN 'Note_title' THEN 'JT' END)
                WHERE name IN ('JI', 'JT', 'sqlite_autoindex_Note_1', 'Note_title');
            PRAGMA writable_schema=RESET;
            """)
        try app.write(store, "DROP TABLE S; DROP TABLE R;")
        #expect(try app.column(store, "PRAGMA quick_check(1)") == ["ok"])
        #expect(try app.column(store, "PRAGMA integrity_check(1)") != ["ok"])
    }

    private func export(_ app: NoteApp, _ name: String) throws -> [UInt8] {
        _ = try app.migration().exportAndKeep(to: app.folder[name], options: .init())
        let bytes = try app.folder.bytes(of: name)
        // What comes before has the time and the identifier of the export.
        let start = try #require(String(decoding: bytes, as: UTF8.self).range(of: "\"entities\""))
        return Array(String(decoding: bytes, as: UTF8.self)[start.lowerBound...].utf8)
    }

    private let rows = "SELECT id || title || at FROM Note NOT INDEXED ORDER BY rowid"

    @Test(
        "in the local store it changes no byte of an export, no record and no index of the new store",
        arguments: Damage.allCases)
    func local(kind: Damage) throws {
        let app = try makeApp()
        let before = try export(app, "before.json")
        let records = try app.column(NoteApp.local, rows)
        try damage(NoteApp.local, of: app, kind)
        #expect(try export(app, "after.json") == before)
        let report = try app.perform(.run)
        #expect(report.copy?.entities.map(\.inserted) == [300, 300] && report.dedupe?.removed.isEmpty != false)
        #expect(report.verify?.outcome == .done)
        #expect(try app.column(NoteApp.cloud, rows) == records)
        #expect(try app.column(NoteApp.cloud, "PRAGMA integrity_check") == ["ok"])
        #expect(try export(app, "cloud.json") == before)
    }

    @Test(
        "in the cloud store it changes nothing that is read, and only a deep verify finds it",
        arguments: Damage.allCases)
    func cloud(kind: Damage) throws {
        let app = try makeApp()
        _ = try app.perform(.run)
        let before = try export(app, "before.json")
        try damage(NoteApp.cloud, of: app, kind)
        #expect(try export(app, "after.json") == before)
        #expect(try app.perform(.verify).verify?.outcome == .done)
        let found = try app.perform(.verify) { $0.verifiesDeeply = true }.verify
        let failed = found?.checks.filter { $0.verdict == .failed } ?? []
        #expect(failed.map(\.name) == ["integrity.cloud"])
        #expect(failed.first?.detail.contains("index") == true, "\(failed)")
    }

    @Test("a copy into a store with such an index is refused before the store changes", arguments: Damage.allCases)
    func written(kind: Damage) throws {
        let app = try makeApp()
        try app.write(
            NoteApp.cloud, Self.schema + Self.records + "DELETE FROM Note WHERE rowid > 200; DELETE FROM Tag;")
        try damage(NoteApp.cloud, of: app, kind)
        let before = try app.folder.bytes(of: NoteApp.cloud)
        let error = failure { _ = try app.perform(.copy) }
        #expect(error?.code == .data)
        #expect(error?.message == "`Library/Application Support/NotesCloud.store` is not a usable SQLite store")
        #expect(error?.underlying?.contains("index") == true, "\(String(describing: error))")
        #expect(try app.folder.bytes(of: NoteApp.cloud) == before)
    }

    @Test(
        "a private copy of a store gets its indexes again before schema files and dedupe use them",
        arguments: Damage.allCases)
    func clone(kind: Damage) throws {
        let app = try NoteApp(
            entities: "  Note: { key: id, modified: at }",
            migrations: [
                "CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT, at TEXT); CREATE INDEX Note_title ON Note(title);",
                "UPDATE Note SET at = '2026-02-02T00:00:00Z' WHERE title = 'title 7';",
            ])
        try app.write(NoteApp.local, Self.schema + Self.records + "DROP TABLE Tag;")
        try damage(NoteApp.local, of: app, kind)
        _ = try app.perform(.copy) { $0.baseline = 1 }
        #expect(try app.column(NoteApp.cloud, "SELECT count(*) FROM Note NOT INDEXED WHERE at > '2026-02'") == ["6"])
        #expect(try app.column(NoteApp.cloud, "PRAGMA integrity_check") == ["ok"])
    }
}
