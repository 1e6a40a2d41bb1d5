import Godwit
import GodwitModel
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
        for isRehearsal in [true, false] {
            let error = try #require(failure { try app.perform(dryRun: isRehearsal) })
            #expect(error.code == .data)
            #expect(error.message.contains("can't read the schema of") && error.message.contains("`\(name)`"))
            #expect(error.message.contains("(3."))
            #expect(error.hint?.contains("newer") == true && error.hint?.contains("restore") == false)
        }
        #expect(try FolderFingerprint(app.folder["container"]) == before)
    }

    @Test("so is a file whose schema is of a later format")
    func laterFormat() throws {
        let app = try NoteApp(entities: "  Note: { key: id, modified: updatedAt }", migrations: [Self.create])
        try app.write(NoteApp.local, Self.create)
        var bytes = try app.folder.bytes(of: NoteApp.local)
        bytes[47] = 9
        try app.folder.write(bytes, to: NoteApp.local)
        let error = try #require(failure { try app.perform() })
        #expect(error.code == .data)
        #expect(error.message.contains("its format is newer") && error.hint?.contains("restore") == false)
    }
}
