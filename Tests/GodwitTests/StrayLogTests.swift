import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A log that was moved or misnamed holds a store's newest records, and SQLite does not look for it.
struct StrayLogTests {
    private static let wal = TrainLog.local + "-wal"

    private func app() throws -> TrainLog {
        let app = try TrainLog(.container)
        try app.leaveInLog(
            TrainLog.local,
            "INSERT INTO Workout SELECT 'in-log', title, notes, startedAt, durationSeconds, createdAt, updatedAt FROM Workout LIMIT 1"
        )
        return app
    }

    @Test(
        "is named, and stops a strict run, in any folder and under any name",
        arguments: [
            "Library/Application Support/TrainLog.sqlite-wal", "Library/Application Support/TrainLog.store.wal",
            "Library/Application Support/TrainLog.store-wal copy", "Library/Application Support/.store-wal",
            "Documents/TrainLog.store-wal", "TrainLog.store-WAL",
        ])
    func named(name: String) throws {
        let app = try app()
        try app.folder.makeFolder("container/Documents")
        try FileManager.default.moveItem(
            atPath: app.folder[Self.wal], toPath: app.folder["container/" + name])
        let before = try app.fingerprint()
        let plan = try app.perform(dryRun: true)
        let warning = try #require(plan.warnings.first { $0.code == "logWithoutStore" })
        #expect(warning.message.hasPrefix("`\(name)` "))
        #expect(try app.perform { $0.isStrict = true }.stoppedBy == .strict)
        #expect(try app.fingerprint().differences(from: before) == [])
        // As the hint says.
        try FileManager.default.moveItem(
            atPath: app.folder["container/" + name], toPath: app.folder[Self.wal])
        #expect(try !app.perform().warningCodes.contains("logWithoutStore"))
        #expect(try app.column(TrainLog.cloud, "SELECT id FROM Workout WHERE id = 'in-log'") == ["in-log"])
    }

    @Test(
        "a log that was moved is not to be put next to a store that was written since, unless the run is rolled back first",
        arguments: [false, true])
    func afterRun(hasBackup: Bool) throws {
        let app = try app()
        try FileManager.default.moveItem(atPath: app.folder[Self.wal], toPath: app.folder["container/moved-wal"])
        let report = try app.perform { $0.backupPath = hasBackup ? app.folder["backups"] : nil }
        let hint = try #require(report.warnings.first { $0.code == "logWithoutStore" }?.hint)
        #expect(hint.contains(hasBackup ? "first roll back this run" : "leave the file where it is"))
        #expect(hasBackup == hint.contains("move the file"))
    }

    @Test(
        "is not of a store that has its own log, nor of one with pages of another size, nor a log next to its own store"
    )
    func others() throws {
        let app = try app()
        let copy = "container/Library/Application Support/Other"
        try app.folder.write(Array(Data(contentsOf: URL(filePath: app.folder[Self.wal]))), to: copy + "-wal")
        #expect(try !app.perform(dryRun: true).warningCodes.contains("logWithoutStore"))
        // Next to a store of its name.
        try FileManager.default.removeItem(atPath: app.folder[Self.wal])
        try FileManager.default.copyItem(atPath: app.folder[TrainLog.local], toPath: app.folder[copy])
        let plan = try app.perform(dryRun: true)
        #expect(plan.notes.contains { $0.code == "walMissing" })
        #expect(!plan.warningCodes.contains("logWithoutStore"))
        // Of other pages.
        try FileManager.default.removeItem(atPath: app.folder[copy])
        let other = try SampleStore(app.folder["app/other"], journal: "WAL", "PRAGMA page_size = 512")
        try other.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        try FileManager.default.removeItem(atPath: app.folder[copy + "-wal"])
        try FileManager.default.copyItem(atPath: app.folder["app/other-wal"], toPath: app.folder[copy + "-wal"])
        try other.close()
        #expect(try app.perform(dryRun: true).notes.contains { $0.code == "walMissing" })
    }
}
