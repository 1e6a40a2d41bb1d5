import GodwitModel
import GodwitSchema
import GodwitTestSupport
import Testing

/// Stores that an app made: tables, but no history.
struct SchemaAdoptionTests {
    private let steps = [SchemaSamples.notes, SchemaSamples.dates, SchemaSamples.tags]

    @Test("a store is adopted at the version that it equals, with its rows unchanged", arguments: [1, 2, 3])
    func adopted(_ version: Int) throws {
        let bench = try StoreBench(
            steps.prefix(version).joined(separator: "\n") + "INSERT INTO Note(id, body) VALUES ('A', 'kept');")
        let report = try bench.bringUpToDate(SchemaSamples.stage())
        #expect(report.outcome == .done)
        #expect(report.adoptedAt == version)
        #expect(report.fromVersion == version)
        #expect(report.applied.map(\.version) == Array((version + 1)..<4))
        #expect(try bench.history == [1, 2, 3])
        #expect(
            try bench.text("SELECT checksum FROM godwit_migration ORDER BY version")
                == SchemaSamples.files().files.map(\.checksum))
        #expect(try bench.text("SELECT id, body FROM Note") == ["A|kept"])
        #expect(try bench.bringUpToDate(SchemaSamples.stage()).outcome == .nothingToDo)
    }

    @Test("columns in another order are the same columns")
    func order() throws {
        let bench = try StoreBench(
            "CREATE TABLE Note(updatedAt TEXT, id TEXT NOT NULL); ALTER TABLE Note ADD body TEXT;")
        #expect(try bench.bringUpToDate(SchemaSamples.stage()).adoptedAt == 2)
    }

    @Test("an index of the app does not prevent adoption")
    func ownIndex() throws {
        let bench = try StoreBench(SchemaSamples.notes + "CREATE INDEX Mine ON Note(body);")
        #expect(try bench.bringUpToDate(SchemaSamples.stage()).adoptedAt == 1)
    }

    @Test("an index that only one version has identifies that version")
    func indexOnly() throws {
        let texts = [SchemaSamples.notes, "CREATE INDEX Note_id ON Note(id);"]
        let old = try StoreBench(texts[0])
        #expect(try old.bringUpToDate(SchemaSamples.stage(texts)).applied.map(\.version) == [2])
        let new = try StoreBench(texts.joined())
        #expect(try new.bringUpToDate(SchemaSamples.stage(texts)).adoptedAt == 2)
    }

    @Test("tables of SQLite and Godwit are not part of the shape")
    func ownTables() throws {
        let bench = try StoreBench(
            """
            CREATE TABLE Note(id TEXT NOT NULL, body TEXT); CREATE TABLE Counter(n INTEGER PRIMARY KEY AUTOINCREMENT);
            DROP TABLE Counter; ANALYZE; CREATE TABLE godwit_receipt(x);
            """)
        #expect(try bench.bringUpToDate(SchemaSamples.stage()).adoptedAt == 1)
    }

    @Test(
        "a store with any other difference is rejected, with the difference",
        arguments: [
            ("CREATE TABLE Draft(x);", "table Draft"),
            ("CREATE TRIGGER Mine AFTER INSERT ON Note BEGIN SELECT 1; END;", "trigger Mine"),
            ("CREATE VIEW Short AS SELECT id FROM Note;", "view Short"),
            ("CREATE VIRTUAL TABLE Found USING rtree(id, a, b);", "Found"),
            ("ALTER TABLE Note ADD COLUMN colour TEXT;", "column Note.colour"),
            ("ALTER TABLE Note DROP COLUMN body;", "column Note.body"),
            ("ALTER TABLE Note DROP COLUMN body; ALTER TABLE Note ADD body BLOB;", "column Note.body"),
        ])
    func different(_ change: String, _ expected: String) throws {
        let bench = try StoreBench(SchemaSamples.notes + change)
        let before = try bench.folder.fingerprint()
        let error = try #require(failure { try bench.bringUpToDate(SchemaSamples.stage()) })
        #expect(error.code == .data)
        #expect(error.stage == .schema)
        #expect(error.message.contains("nearest is version 1"))
        #expect(error.message.contains(expected))
        // A store that lacks a table of the files is adopted at no version.
        let proposesBaseline = error.hint?.contains("`MigrationOptions.baseline`")
        #expect(proposesBaseline != error.message.contains("is missing in the store"))
        #expect(try bench.folder.fingerprint().differences(from: before) == [])
    }

    @Test("--baseline adopts a store that equals no version, and applies the later files")
    func baseline() throws {
        let bench = try StoreBench(SchemaSamples.notes + "CREATE TABLE Draft(x);")
        let report = try bench.bringUpToDate(SchemaSamples.stage(baseline: 1))
        #expect(report.adoptedAt == 1)
        #expect(report.applied.map(\.version) == [2, 3])
        #expect(try bench.history == [1, 2, 3])
        #expect(try bench.rows("SELECT 1 FROM sqlite_schema WHERE name = 'Draft'").count == 1)
    }

    @Test("an edited history in a real store is rejected, and nothing is applied")
    func edited() throws {
        let bench = try StoreBench()
        _ = try bench.bringUpToDate(SchemaSamples.stage([SchemaSamples.notes, SchemaSamples.dates]))
        let edited = [SchemaSamples.notes + " -- a word", SchemaSamples.dates, SchemaSamples.tags]
        let error = try #require(failure { try bench.bringUpToDate(SchemaSamples.stage(edited)) })
        #expect(error.message.contains("changed after it was applied"))
        #expect(try bench.history == [1, 2])
        let newer = try #require(failure { try bench.bringUpToDate(SchemaSamples.stage([SchemaSamples.notes])) })
        #expect(newer.message.contains("newer"))
        try SampleStore.make(bench.path, "DELETE FROM godwit_migration WHERE version = 1;")
        let hole = try #require(failure { try bench.bringUpToDate(SchemaSamples.stage()) })
        #expect(hole.message.contains("lacks schema file 1"))
    }
}
