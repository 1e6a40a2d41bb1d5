import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Foundation
import Testing

/// A copy whose flag was set and is gone: the preferences were reset, deleted, or put back from a backup.
struct LostFlagTests {
    private static let create = "CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT, updatedAt TEXT);"

    private func copied(_ commands: [Command] = [.run]) throws -> NoteApp {
        let app = try NoteApp(entities: "  Note: { key: id, modified: updatedAt }", migrations: [Self.create])
        try app.write(
            NoteApp.local,
            Self.create
                + "INSERT INTO Note VALUES ('a', 'one', '2020-01-01T00:00:00Z'), ('b', 'two', '2020-01-01T00:00:00Z')")
        for command in commands { try app.perform(command) }
        try FileManager.default.removeItem(atPath: app.folder[NoteApp.preferences])
        return app
    }

    private func notes(_ app: NoteApp) throws -> [String] {
        try app.column(NoteApp.cloud, "SELECT id || ' ' || title FROM Note ORDER BY id")
    }

    @Test(
        "records that users deleted or edited in the cloud store stay so, and the flag is set again",
        arguments: [[Command.run], [.migrate, .copy]])
    func deleted(_ commands: [Command]) throws {
        let app = try copied(commands)
        let now = Date.now.ISO8601Format()
        try app.write(
            NoteApp.cloud, "DELETE FROM Note WHERE id = 'a'; UPDATE Note SET title = 'x', updatedAt = '\(now)'")
        let verified = try app.perform(.verify).verify
        #expect(verified?.checks.first { $0.name == "everyRecordInCloud.Note" }?.verdict == .passed)
        let plan = try app.perform(dryRun: true)
        let report = try app.perform()
        for report in [plan, report] {
            #expect(report.copy?.entities.allSatisfy { $0.inserted == 0 } == true && report.copy?.flag?.isSet == true)
        }
        #expect(try notes(app) == ["b x"])
        #expect(try app.perform(.verify).outcome != .failed)
        #expect(try app.perform().outcome == .alreadyDone)
    }

    @Test("records written to the local store while the flag was gone are copied")
    func entered() throws {
        let app = try copied()
        try app.write(NoteApp.cloud, "DELETE FROM Note WHERE id = 'a'")
        // A second after the clock of the first run.
        try app.write(NoteApp.local, "INSERT INTO Note VALUES ('c', 'new', '2026-11-21T06:00:01Z')")
        try app.perform()
        #expect(try notes(app) == ["b two", "c new"])
    }
}
