import Godwit
import GodwitModel
import GodwitSQLite
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Stores of an app whose SQLite is newer than the one that is here.
struct NewerSQLiteTests {
    private static let create = "CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT, updatedAt TEXT);\n"

    @Test(
        "an object that this SQLite does not understand is named, with this SQLite's version, and nothing is written",
        arguments: [
            ("view", "Titles", "CREATE VIEW Titles AS SELECT body FROM Note QUALIFY ROW FIRST"),
            ("index", "Bodies", "CREATE INDEX Bodies ON Note(body) USING FOREST"),
            ("table", "Tag", "CREATE TABLE Tag(id TEXT PRIMARY KEY) STRICT, COMPACT"),
            ("trigger", "added", "CREATE TRIGGER added AFTER INSERT ON Note BEGIN MERGE INTO Note; END"),
        ])
    func unknownSyntax(type: String, name: String, sql: String) throws {
        let app = try NoteApp(
            entities: "  Note: { key: id, modified: updatedAt }", migrations: [Self.create])
        let owner = type == "table" ? name : "Note"
        try app.write(
            NoteApp.local,
            Self.create + """
                PRAGMA writable_schema=ON;
                INSERT INTO sqlite_schema VALUES ('\(type)', '\(name)', '\(owner)', \(type == "view" ? 0 : 2), '\(sql)');
                """)
        let before = try FolderFingerprint(app.folder["container"])
        for isDryRun in [true, false] {
            let error = try #require(failure { try app.perform(dryRun: isDryRun) })
            #expect(error.code == .data)
            #expect(error.message.contains("can't read the schema of") && error.message.contains("`\(name)`"))
            #expect(error.message.contains("(3."))
            #expect(error.hint?.contains("a newer SQLite than 3.") == true && error.hint?.contains("restore") == false)
        }
        #expect(try FolderFingerprint(app.folder["container"]) == before)
    }

    @Test("the oldest version that reads the object is named if its SQL shows it", arguments: Command.allCases)
    func leastVersion(_ command: Command) throws {
        guard let (sql, version) = Self.newest else { return }
        let app = try NoteApp(entities: "  Note: { key: id, modified: updatedAt }", migrations: [Self.create])
        let quoted = sql.replacing("'", with: "''")
        try app.write(
            NoteApp.local,
            Self.create + """
                PRAGMA writable_schema=ON;
                INSERT INTO sqlite_schema VALUES ('view', 'Titles', 'Titles', 0, '\(quoted)');
                """)
        let error = try #require(failure { try app.perform(command) })
        #expect(error.code == .data && error.message.contains("`Titles`; SQLite \(version) does"))
        #expect(error.hint?.contains("with SQLite \(version) or newer") == true)
        let inspected = try Inspector(path: app.folder["container"]).inspect()
        #expect(inspected.stores.first?.risks.first?.message.contains("SQLite \(version) does") == true)
    }

    /// SQL that the SQLite of this machine does not read; nil if it reads all that is known here.
    private static var newest: (sql: String, version: String)? {
        [
            ("CREATE VIEW Titles AS SELECT group_concat(body ORDER BY id) FROM Note", "3.44"),
            ("CREATE VIEW Titles AS SELECT body FROM Note LIMIT 1_000", "3.46"),
        ].first { (sql, _) in (try? MemoryStore(stage: .schema).run(schemaFile: create + sql)) == nil }
    }

    @Test("a schema file that needs a newer SQLite is refused with its line and the version")
    func schemaFile() throws {
        guard let (sql, version) = Self.newest else { return }
        let app = try NoteApp(
            entities: "  Note: { key: id, modified: updatedAt }",
            migrations: [Self.create, "-- A view.\n" + sql + ";\n"])
        try app.write(NoteApp.local, Self.create)
        let error = try #require(failure { try app.perform() })
        #expect(error.code == .data && error.position?.line == 2)
        #expect(error.message.contains("V0002__step.sql:2: this SQLite (3."))
        #expect(error.message.contains("SQLite \(version) does"))
    }

    @Test(
        "a file of a later format, or whose schema is of one, is called newer and not damaged, by every command",
        arguments: [[19], [18, 19], [47], [44], [18, 19, 47]], Command.allCases)
    func laterFormat(_ places: [Int], _ command: Command) throws {
        let app = try NoteApp(entities: "  Note: { key: id, modified: updatedAt }", migrations: [Self.create])
        try app.write(NoteApp.local, Self.create)
        var bytes = try app.folder.bytes(of: NoteApp.local)
        for place in places { bytes[place] = 9 }
        try app.folder.write(bytes, to: NoteApp.local)
        let error = try #require(failure { try app.perform(command) })
        #expect(error.code == .data)
        #expect(error.message.contains("newer file format") && error.hint?.contains("restore") == false)
        #expect(try app.folder.bytes(of: NoteApp.local) == bytes)
    }
}
