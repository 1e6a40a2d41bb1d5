import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Stores whose names are as long as SQLite opens them: with `-journal` they have 255 bytes.
struct LongNameTests {
    private struct LongName: ManifestApp {
        let app: NoteApp
        let length: Int

        var folder: TemporaryFolder { app.folder }
        var names: [String] { ["A", "B"].map { String(repeating: $0, count: length - 6) + ".store" } }
        var manifest: String {
            app.manifest.replacingOccurrences(of: "NotesCloud.store", with: names[1])
                .replacingOccurrences(of: "Notes.store", with: names[0])
        }
    }

    @Test("it is migrated, verified, exported, backed up and rolled back", arguments: [220, 235, 247])
    func everyCommand(_ length: Int) throws {
        let create = "CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT);"
        let app = LongName(app: try NoteApp(entities: "  Note: { key: id }", migrations: [create]), length: length)
        let support = "container/Library/Application Support/"
        try app.app.write(support + app.names[0], create + "INSERT INTO Note VALUES ('a', 'one')")
        let before = try Data(contentsOf: URL(fileURLWithPath: app.folder[support + app.names[0]]))
        _ = try app.perform(dryRun: true)
        let report = try app.perform { $0.backupPath = app.folder["backups"] }
        #expect(try app.app.column(support + app.names[1], "SELECT title FROM Note") == ["one"])
        #expect(try app.perform(.verify).failedChecks == [])
        _ = try app.migration().exportAndKeep(to: app.folder["a.json"], options: ExportOptions())
        let folder = try #require(report.backup?.folder)
        let rolledBack = try app.migration { $0.now = .sampleNow.advanced(bySeconds: 60) }
            .rollback(to: folder, discardingNewer: nil, dryRun: false)
        #expect(rolledBack.outcome == .done)
        #expect(try Data(contentsOf: URL(fileURLWithPath: app.folder[support + app.names[0]])) == before)
        let kept = app.folder.names(in: String(support.dropLast())).filter { $0.contains(".before-rollback-") }
        #expect(kept.count >= 2 && kept.allSatisfy { $0.utf8.count <= 255 })
    }
}
