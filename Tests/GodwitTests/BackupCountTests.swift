import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Which records a rollback counts as newer than its backup: those that neither the backup has nor the run wrote.
struct BackupCountTests {
    private static let create = "CREATE TABLE Note(id TEXT PRIMARY KEY, changedAt TEXT);"

    /// An app whose run imported three favorites into an entity without a date, and the folder of that run's backup.
    private static func starred() throws -> (app: NoteApp, backup: String) {
        var app = try NoteApp(
            entities: "  Note: { key: id, modified: changedAt }\n  Star: { key: noteId }",
            migrations: [create, "CREATE TABLE Star(noteId TEXT PRIMARY KEY);"],
            preferences: ["starred": ["a", "b", "c"]])
        app.legacy = "  favorites:\n    - { key: starred, into: Star.noteId }"
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('a', '2026-05-01T10:00:00Z')")
        let backups = app.folder["backups"]
        let report = try app.perform(.run, dryRun: false, { $0.backupPath = backups })
        #expect(try app.column(NoteApp.cloud, "SELECT count(*) FROM Star") == ["3"])
        return (app, try #require(report.backup?.folder))
    }

    private static func rollBack(
        _ app: some ManifestApp, to backup: String, discarding newer: Int64? = nil, dryRun: Bool = false
    ) throws -> RunReport {
        try app.migration(cloud: .file, { $0.now = .sampleNow.advanced(bySeconds: 60) })
            .rollback(to: backup, discardingNewer: newer, dryRun: dryRun)
    }

    /// Changes what `after.json` says of the records that the run wrote; nil removes it.
    private static func rewrite(
        _ backup: String, _ change: ([String: [String: Any]]) -> [String: [String: Any]]?
    ) throws {
        let url = URL(filePath: backup + "/after.json")
        var object = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        let written = try #require(object.removeValue(forKey: "written") as? [String: [String: Any]])
        if let changed = change(written) { object["written"] = changed }
        try JSONSerialization.data(withJSONObject: object).write(to: url)
    }

    @Test("what the run wrote is not newer than its backup, also in an entity without a date")
    func writtenByRun() throws {
        let (app, backup) = try Self.starred()
        try app.write(NoteApp.cloud, "DELETE FROM Star WHERE noteId = 'a'")
        let report = try Self.rollBack(app, to: backup)
        #expect(report.outcome == .done)
        #expect(report.rollback?.newer == [:])
    }

    @Test("records that a sync engine brings are newer than the backup, for any dates", .commandLineWords)
    func synced() throws {
        let (app, backup) = try Self.starred()
        try app.write(
            NoteApp.cloud,
            "INSERT INTO Note VALUES ('n', '2026-01-01T00:00:00Z'); INSERT INTO Star VALUES ('n')")
        for dryRun in [true, false] {
            let error = failure { _ = try Self.rollBack(app, to: backup, dryRun: dryRun) }
            #expect(error?.code == .data)
            #expect(error?.message.contains("2 records were written after the backup was made: 1 Note, 1 Star") == true)
            #expect(error?.hint?.contains("--discard-newer 2 to have them only in the files that get another") == true)
        }
        let report = try Self.rollBack(app, to: backup, discarding: 2)
        #expect(report.rollback?.newer == ["Note": 1, "Star": 1])
    }

    @Test("a record that the run wrote, and that was given a later date since, is newer")
    func editedSince() throws {
        let app = try TrainLog(.container)
        let report = try BackupTests.backedUp(app)
        try app.write(
            TrainLog.cloud,
            """
            UPDATE FavoriteExercise SET createdAt = '2026-11-21T08:00:00Z'
            WHERE rowid = (SELECT min(rowid) FROM FavoriteExercise)
            """)
        #expect(failure { _ = try BackupTests.rollBack(app, to: report) }?.code == .data)
        let rolledBack = try BackupTests.rollBack(app, to: report, discarding: 1)
        #expect(rolledBack.rollback?.newer == ["FavoriteExercise": 1])
    }

    @Test("what a run copied from a Core Data store, which no backup has, is not newer")
    func coreData() throws {
        let app = try CoreDataApp()
        let backups = app.folder["backups"]
        let report = try app.perform(.run, dryRun: false, { $0.backupPath = backups })
        try app.write(CoreDataApp.cloud, "DELETE FROM Tag WHERE rowid = (SELECT min(rowid) FROM Tag)")
        let rolledBack = try Self.rollBack(app, to: #require(report.backup?.folder))
        #expect(rolledBack.rollback?.newer == [:])
    }

    @Test("a backup that does not say what the run wrote is put back, with a warning")
    func earlierVersion() throws {
        let (app, backup) = try Self.starred()
        try Self.rewrite(backup) { _ in nil }
        try app.write(NoteApp.cloud, "INSERT INTO Note VALUES ('n', '2026-01-01T00:00:00Z')")
        let report = try Self.rollBack(app, to: backup, discarding: 3)
        let warnings = report.warnings.filter { $0.code == "newerNotCounted" }
        #expect(warnings.contains { $0.message.contains("does not say which records the run wrote") })
    }

    @Test("where the run wrote too many records for the backup to name them, their number is compared")
    func tooMany() throws {
        let (app, backup) = try Self.starred()
        try Self.rewrite(backup) { written in written.mapValues { $0.filter { $0.key != "hashes" } } }
        try app.write(NoteApp.cloud, "INSERT INTO Star VALUES ('n')")
        let report = try Self.rollBack(app, to: backup, discarding: 1)
        #expect(report.rollback?.newer == ["Star": 1])
        #expect(report.warnings.contains { $0.code == "newerNotCounted" && $0.message.contains("`Star`") })
    }
}
