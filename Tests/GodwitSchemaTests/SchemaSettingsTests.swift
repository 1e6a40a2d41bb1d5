import GodwitModel
import GodwitSchema
import GodwitTestSupport
import Testing

/// A SQLite setting in one schema file must not change the result of a later file.
struct SchemaSettingsTests {
    private static let tables = """
        CREATE TABLE Tag(id TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE NoteTag(noteId TEXT, tagId TEXT REFERENCES Tag(id) ON DELETE CASCADE);
        CREATE VIEW TagName AS SELECT name FROM Tag;
        INSERT INTO Tag VALUES ('a', 'red');
        INSERT INTO NoteTag VALUES ('n', 'a');
        """
    private static let rename = "ALTER TABLE Tag RENAME TO Label;"
    private static let leave = "-- What follows is renamed as it was.\nPRAGMA legacy_alter_table = ON;\n"

    @Test(
        "a file that leaves legacy_alter_table on is rejected with its line and a hint",
        arguments: [
            "PRAGMA legacy_alter_table = ON;", "pragma Legacy_Alter_Table(1)", "PRAGMA main.legacy_alter_table='yes';",
            "PRAGMA \"legacy_alter_table\"=true; SELECT 1;", "/* so */ PRAGMA legacy_alter_table /* on */ = 7;",
            "EXPLAIN PRAGMA legacy_alter_table=ON;",
            "PRAGMA legacy_alter_table=on; PRAGMA foreign_keys=OFF; PRAGMA legacy_alter_table;",
        ])
    func legacyAlterTable(_ pragma: String) throws {
        let files = try SchemaSamples.files([Self.tables, "CREATE TABLE B(x);\n\n  \(pragma)\n", Self.rename])
        let error = try #require(failure { try files.requireSettled(after: 1) })
        #expect(error.code == .data)
        #expect(error.message.contains("Migrations/notes/V0002__step2.sql:3: `PRAGMA legacy_alter_table`"))
        #expect(error.hint == "Write `PRAGMA legacy_alter_table = OFF;` as the last statement of the file.")
        #expect(error.position?.file == "Migrations/notes/V0002__step2.sql")
        #expect(error.position?.line == 3)
        #expect(failure { try files.requireSettled(after: 2) } == nil)
        #expect(failure { try files.upTo(1).requireSettled(after: 0) } == nil)
    }

    @Test(
        "a file that turns foreign keys on is rejected, because they are off for all files",
        arguments: ["PRAGMA foreign_keys=ON;\nDROP TABLE Tag;", "PRAGMA foreign_keys(1); DELETE FROM Tag;"])
    func foreignKeys(_ sql: String) throws {
        let files = try SchemaSamples.files([Self.tables, "\n" + sql])
        let error = try #require(failure { try files.requireSettled(after: 1) })
        #expect(error.message.contains("V0002__step2.sql:2: `PRAGMA foreign_keys`"))
        #expect(error.hint?.contains("Remove the statement") == true)
    }

    @Test(
        "a setting that does not affect later files is accepted",
        arguments: [
            "PRAGMA foreign_keys=OFF; DROP TABLE NoteTag; PRAGMA foreign_key_check; PRAGMA foreign_keys=ON;",
            "PRAGMA foreign_keys=ON; PRAGMA foreign_keys=OFF; DROP TABLE NoteTag;", "PRAGMA foreign_keys;",
            "PRAGMA legacy_alter_table=ON; \(rename) PRAGMA legacy_alter_table=OFF;", "PRAGMA legacy_alter_table;",
            "PRAGMA User_Version = 7;", "PRAGMA integrity_check;", "SELECT * FROM pragma_table_info('Tag');",
            "ALTER TABLE Tag ADD COLUMN size INTEGER NOT NULL DEFAULT 1 CHECK (size > 0);",
            "PRAGMA defer_foreign_keys=ON; DROP TABLE NoteTag;",
            "UPDATE Tag SET name = 'PRAGMA legacy_alter_table=ON';",
        ])
    func harmless(_ sql: String) throws {
        #expect(try SchemaSamples.files([Self.tables, sql]).faults.isEmpty)
    }

    @Test(
        "a file without a statement is refused by name, unless it was applied already",
        arguments: ["", " \n", "-- to be written", "/* later\n */;;"])
    func withoutStatement(_ sql: String) throws {
        let files = try SchemaSamples.files([Self.tables, sql])
        let error = try #require(failure { try files.requireSettled(after: 1) })
        #expect(error.code == .data && error.message.contains("Migrations/notes/V0002__step2.sql` has no statement"))
        #expect(error.hint == "Write its statements, or remove the file.")
        #expect(failure { try files.requireSettled(after: 2) } == nil)
    }

    @Test(
        "other settings are rejected by name and line before any store is opened",
        arguments: [
            "case_sensitive_like = ON", "recursive_triggers=ON", "reverse_unordered_selects(1)",
            "ignore_check_constraints=ON", "writable_schema=ON", "journal_mode=WAL", "Synchronous=OFF",
            "trusted_schema=OFF", "auto_vacuum=FULL", "full_column_names=1",
        ])
    func denied(_ setting: String) throws {
        let error = try #require(
            failure { try SchemaSamples.files([Self.tables, "CREATE TABLE B(x);\nPRAGMA \(setting);"]) })
        let name = try #require(setting.split { "=( ".contains($0) }.first).lowercased()
        #expect(error.code == .data)
        #expect(error.message.hasPrefix("Migrations/notes/V0002__step2.sql:2: `PRAGMA \(name)` is not allowed"))
        #expect(error.position?.line == 2)
    }

    @Test(
        "an error in a file is at the word where SQLite stops, or at its statement",
        arguments: [
            ("  CREATE TABLE C(\n  y;\n", 4, 4, "syntax error near \";\""),
            ("CREATE TABLE C(\n  \"é\" TEXT,, z);", 4, 12, "syntax error near \",\""),
            ("CREATE TABLE C(\n  y", 3, 1, "the statement has no end; a `)`, an `END` or a quote is missing"),
            ("  INSERT INTO B VALUES (1, 2);", 3, 3, "table B has 1 columns but 2 values were supplied"),
            ("INSERT INTO B\n  SELECT y FROM B;", 4, 10, "no such column: y"),
        ])
    func errorPosition(sql: String, line: Int, column: Int, text: String) throws {
        let sql = "CREATE TABLE B(x);\n-- the second\n" + sql
        let error = try #require(failure { try SchemaSamples.files([Self.tables, sql]) })
        #expect(error.message == "Migrations/notes/V0002__step2.sql:\(line): \(text)")
        #expect(error.position?.line == line)
        #expect(error.position?.column == column)
    }

    /// Files that each leave something that the next one could see.
    private static let leaving = [
        tables + "CREATE TRIGGER named AFTER INSERT ON NoteTag BEGIN UPDATE Tag SET name = 'x' WHERE id = 'a'; END;",
        "ALTER TABLE Tag ADD COLUMN size INTEGER;\n" + leave, rename + "PRAGMA foreign_keys=OFF;",
        "CREATE TEMP TABLE Label AS SELECT 1 AS id; PRAGMA defer_foreign_keys=ON; INSERT INTO NoteTag VALUES ('m', 'a');",
        "CREATE TABLE Mark(id INTEGER PRIMARY KEY, text TEXT DEFAULT \"none\"); INSERT INTO Mark VALUES (17, \"set\");",
        "INSERT INTO Mark(text) SELECT last_insert_rowid() || ':' || count(*) FROM Label;",
        "PRAGMA legacy_alter_table=ON; ALTER TABLE Mark RENAME TO Sign;",
        "CREATE INDEX Sign_text ON Sign(text) WHERE text <> \"none\"; ALTER TABLE Label RENAME TO Word;",
    ]

    @Test("released files give the same store in one run and in any two", arguments: 1..<leaving.count)
    func prefixes(_ count: Int) throws {
        func contents(_ parts: [[String]]) throws -> [String] {
            let bench = try StoreBench()
            for part in parts { _ = try bench.bringUpToDate(SchemaSamples.stage(part)) }
            return try bench.text("SELECT type, name, sql FROM sqlite_schema ORDER BY rowid")
                + bench.text("SELECT * FROM Sign ORDER BY id") + bench.text("SELECT * FROM Word ORDER BY id")
        }
        let once = try contents([Self.leaving])
        #expect(try contents([Array(Self.leaving[..<count]), Self.leaving]) == once)
        #expect(once.contains { $0.contains("SELECT name FROM \"Word\"") })
    }

    @Test("a released file that depends on a setting of an earlier file still runs, also on its own")
    func relying() throws {
        // Without the setting, renaming fails at a view of a missing table.
        let rebuild = """
            CREATE TABLE New(id TEXT PRIMARY KEY, name TEXT, size REAL); INSERT INTO New(id, name) SELECT id, name FROM Tag;
            DROP TABLE Tag; ALTER TABLE New RENAME TO Tag;
            """
        let files = try SchemaSamples.files([Self.tables, Self.leave, rebuild])
        #expect(files.faults.keys.sorted() == [2, 3])
        let error = try #require(failure { try files.requireSettled(after: 2) })
        #expect(error.message.contains("V0003__step3.sql:2: the file only runs with"))
        for parts in [[3], [2, 3], [1, 3]] {
            let bench = try StoreBench()
            for count in parts {
                _ = try bench.bringUpToDate(SchemaSamples.stage(Array([Self.tables, Self.leave, rebuild][..<count])))
            }
            #expect(try bench.text("SELECT name FROM TagName") == ["red"])
        }
    }
}
