import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Schema files that take data away.
struct DestructiveSchemaTests {
    private static let create = "CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT);"
    private static let drop = "ALTER TABLE Note DROP COLUMN title;"

    /// An app with two notes in its local store.
    private func app(_ sql: String) throws -> NoteApp {
        let app = try NoteApp(entities: "  Note: { key: id }", migrations: [Self.create, sql])
        try app.write(NoteApp.local, Self.create + "INSERT INTO Note VALUES ('a', 'one'), ('b', 'two')")
        return app
    }

    @Test(
        "a schema file that takes data away is a warning before the first write, and the plan proposes a backup",
        .commandLineWords,
        arguments: [
            (drop, "V0002__step.sql removes column title of Note, with 2 values"),
            (
                "CREATE TABLE Tag(id TEXT); UPDATE Note SET title = NULL;",
                "the schema files up to V0002__step.sql remove 2 values of column title of Note from `"
            ),
        ])
    func destructive(_ sql: String, _ words: String) throws {
        let app = try app(sql)
        let before = try FolderFingerprint(app.folder["container"])
        let plan = try app.perform(dryRun: true)
        let warning = try #require(plan.warnings.first { $0.code == "destructiveSchema" })
        #expect(warning.message.hasPrefix(words), "\(warning.message)")
        #expect(plan.nextSteps.first?.contains("--backup backups") == true, "\(plan.nextSteps)")
        #expect(try app.perform { $0.isStrict = true }.stoppedBy == .strict)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
        #expect(try app.perform().warnings.map(\.code) == plan.warnings.map(\.code))
        #expect(try app.perform().warnings.filter { $0.code == "destructiveSchema" } == [])
    }

    @Test("values of their own that all become one value are taken away; a state that is reset is not")
    func levelled() throws {
        func warnings(_ sql: String) throws -> [String] {
            let create = "CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT, state TEXT);"
            let app = try NoteApp(entities: "  Note: { key: id }", migrations: [create, sql])
            let rows = (1...6).map { "('\($0)', 'title \($0)', 'state \($0 % 2)')" }.joined(separator: ", ")
            try app.write(NoteApp.local, create + "INSERT INTO Note VALUES \(rows);")
            return try app.perform(dryRun: true) { $0.baseline = 1 }.warnings.map(\.message)
        }
        let words = "the schema files up to V0002__step.sql remove 6 values of column title of Note"
        #expect(try warnings("UPDATE Note SET title = '';").first?.hasPrefix(words) == true)
        #expect(try warnings("UPDATE Note SET state = 'new';") == [])
        #expect(try warnings("UPDATE Note SET title = upper(title);") == [])
        let moved = "ALTER TABLE Note ADD COLUMN name TEXT; UPDATE Note SET name = title; UPDATE Note SET title = '';"
        #expect(try warnings(moved) == [])
    }

    @Test("a copy without a run says what schema files take away from what it copies")
    func destructiveCopy() throws {
        let app = try app(Self.drop)
        #expect(try app.perform(.copy).warnings.map(\.code).contains("destructiveSchema"))
        #expect(try app.column(NoteApp.local, "SELECT title FROM Note") == ["one", "two"])
    }

    @Test(
        "a schema file without a statement is a warning when it is applied, and stops a strict run before anything is written",
        arguments: ["", " \n", "-- to be written", "/* later\n */;;"])
    func nothingToApply(_ sql: String) throws {
        let app = try app(sql)
        let before = try FolderFingerprint(app.folder["container"])
        #expect(try app.perform { ($0.isStrict, $0.baseline) = (true, 1) }.stoppedBy == .strict)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
        let warnings = try app.perform { $0.baseline = 1 }.warnings.filter { $0.code == "emptySchemaFile" }
        #expect(warnings.map(\.message) == ["V0002__step.sql has no statement, so there is nothing to apply"])
        #expect(try app.perform { $0.isStrict = true }.outcome == .alreadyDone)
    }
}
