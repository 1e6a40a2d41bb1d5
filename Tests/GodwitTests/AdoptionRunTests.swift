import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A store without a history that is adopted by a version that the user gives.
struct AdoptionRunTests {
    private static let real = "CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT, mood TEXT);"
    private static let wrong = "CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT);"

    private func app(_ migrations: [String]) throws -> NoteApp {
        let app = try NoteApp(entities: "  Note: { key: id }", migrations: migrations)
        try app.write(NoteApp.local, Self.real + "INSERT INTO Note VALUES ('a', 'one', 'calm');")
        return app
    }

    @Test("a column that no schema file makes is refused before anything is written, and the corrected file works")
    func unknownColumn() throws {
        let app = try app([Self.wrong])
        let before = try FolderFingerprint(app.folder["container"])
        for dryRun in [true, false] {
            let error = try #require(failure { try app.perform(dryRun: dryRun) { $0.baseline = 1 } })
            #expect(error.code == .data && error.message.contains("no schema file makes the column `Note.mood`"))
        }
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
        try app.folder.write(Self.real, to: "migrations/V0001__step.sql")
        #expect(try app.perform().outcome == .done)
        #expect(try app.column(NoteApp.cloud, "SELECT mood FROM Note") == ["calm"])
    }

    @Test("a column that only an import or a later file needs does not prevent an adoption without a copy")
    func withoutCopy() throws {
        let app = try app([Self.wrong])
        #expect(try app.perform(.migrate) { $0.baseline = 1 }.schema?.adoptedAt == 1)
    }
}
