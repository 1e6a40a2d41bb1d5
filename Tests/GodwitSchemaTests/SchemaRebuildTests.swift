import GodwitModel
import GodwitSQLite
import GodwitSchema
import GodwitTestSupport
import Testing

/// SQLite's recipe for changing a table, on a store whose foreign keys would delete children.
struct SchemaRebuildTests {
    private static let first = """
        CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT);
        CREATE TABLE Tag(id TEXT NOT NULL, noteId TEXT REFERENCES Note(id) ON DELETE CASCADE);
        CREATE TABLE Mark(id TEXT NOT NULL, noteId TEXT REFERENCES Note(id) ON DELETE SET NULL);
        """
    private static let rebuild = """
        CREATE TABLE NewNote(id TEXT PRIMARY KEY, body TEXT NOT NULL DEFAULT '');
        INSERT INTO NewNote SELECT id, coalesce(body, '') FROM Note;
        DROP TABLE Note;
        ALTER TABLE NewNote RENAME TO Note;
        """
    private static let rows = """
        INSERT INTO Note VALUES ('A', NULL), ('B', 'b');
        INSERT INTO Tag VALUES ('t', 'A'), ('u', 'B');
        INSERT INTO Mark VALUES ('m', 'A');
        """

    private func bench() throws -> StoreBench {
        let bench = try StoreBench()
        _ = try bench.bringUpToDate(SchemaSamples.stage([Self.first]))
        try SampleStore.make(bench.path, Self.rows)
        return bench
    }

    private func expectAllThere(_ bench: StoreBench) throws {
        #expect(try bench.text("SELECT * FROM Note ORDER BY id") == ["A|", "B|b"])
        #expect(try bench.text("SELECT * FROM Tag ORDER BY id") == ["t|A", "u|B"])
        #expect(try bench.text("SELECT * FROM Mark") == ["m|A"])
        #expect(try bench.rows("PRAGMA foreign_key_check").isEmpty)
        #expect(try bench.history == [1, 2])
    }

    @Test("rebuilding a parent table keeps every child")
    func ownTransaction() throws {
        let bench = try bench()
        _ = try bench.bringUpToDate(SchemaSamples.stage([Self.first, Self.rebuild]))
        try expectAllThere(bench)
    }

    @Test("rebuilding a parent table keeps every child inside a caller's transaction")
    func within() throws {
        let bench = try bench()
        let stage = try SchemaSamples.stage([Self.first, Self.rebuild])
        let writer = try bench.writer()
        try writer.checked { () throws(GodwitError) in
            try writer.transaction(.copy) { connection throws(GodwitError) in
                _ = try stage.bringUpToDate(within: connection, role: .cloud, file: "c", created: false)
            }
        }
        try writer.close(.copy)
        try expectAllThere(bench)
    }

    @Test("a schema file that leaves orphans is rejected and rolled back")
    func dangling() throws {
        let bench = try bench()
        let error = try #require(
            failure { try bench.bringUpToDate(SchemaSamples.stage([Self.first, "DELETE FROM Note WHERE id = 'A';"])) })
        #expect(error.code == .data)
        #expect(error.message.contains("V0002__step2"))
        #expect(error.underlying?.contains("2 foreign keys") == true)
        #expect(try bench.text("SELECT count(*) FROM Note") == ["2"])
        #expect(try bench.history == [1])
    }

    @Test("existing orphans do not prevent a schema file")
    func oldOrphans() throws {
        let bench = try bench()
        try SampleStore.make(bench.path, "INSERT INTO Tag VALUES ('lost', 'Z');")
        let report = try bench.bringUpToDate(SchemaSamples.stage([Self.first, Self.rebuild]))
        #expect(report.applied.map(\.version) == [2])
        #expect(try bench.text("SELECT count(*) FROM Tag") == ["3"])
    }

    @Test("invalid foreign keys do not prevent a schema file")
    func nonsense() throws {
        let first =
            "CREATE TABLE Note(id TEXT, body TEXT); CREATE TABLE Tag(id TEXT, noteId TEXT REFERENCES Note(body));"
        let bench = try StoreBench(first + "INSERT INTO Tag VALUES ('t', 'x');")
        let report = try bench.bringUpToDate(SchemaSamples.stage([first, "ALTER TABLE Note ADD COLUMN at TEXT;"]))
        #expect(report.applied.map(\.version) == [2])
    }
}
