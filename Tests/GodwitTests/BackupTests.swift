import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Backups of whole containers, made by runs and put back.
struct BackupTests {
    static func backedUp(_ app: TrainLog) throws -> RunReport {
        try app.perform { $0.backupPath = app.folder["backups"] }
    }

    static func rollBack(
        _ app: TrainLog, to report: RunReport, discarding newer: Int64? = nil, acceptsOther: Bool = false,
        dryRun: Bool = false,
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws -> RunReport {
        let folder = try #require(report.backup?.folder)
        return try app.migration { $0.now = .sampleNow.advanced(bySeconds: 60) }
            .rollback(
                to: folder, discardingNewer: newer, acceptingOtherContainer: acceptsOther, dryRun: dryRun,
                faultPoint: faultPoint)
    }

    /// Bytes and times of the app's own files, without those that a rollback renamed.
    private static func files(_ app: TrainLog) throws -> [String: [UInt8]] {
        try app.fingerprint().files.filter { !$0.key.contains(".before-rollback-") && $0.value.mode & 0o40000 == 0 }
            .mapValues(\.bytes)
    }

    @Test("a temporary file that a killed run left in a backup goes with the next run, and one in use stays")
    func leftovers() throws {
        let (app, moved) = (try TrainLog(.container), try TrainLog(.container))
        let backup = try #require(Self.backedUp(app).backup?.folder)
        let (abandoned, inUse) = (backup + "/.godwit-out-01234567", backup + "/.godwit-out-89ABCDEF")
        for path in [abandoned, inUse] { try Data().write(to: URL(filePath: path)) }
        let holder = open(inUse, O_RDONLY)
        defer { close(holder) }
        try #require(flock(holder, LOCK_EX | LOCK_NB) == 0)
        try app.perform(dryRun: true) { $0.backupPath = app.folder["backups"] }
        #expect(FileManager.default.fileExists(atPath: abandoned))
        // A container may have been moved since: another path, the same folder of backups.
        try moved.perform { $0.backupPath = app.folder["backups"] }
        #expect(!FileManager.default.fileExists(atPath: abandoned) && FileManager.default.fileExists(atPath: inUse))
    }

    @Test(
        "a run with a backup can be rolled back to the same bytes, and keeps the files that it replaces",
        .commandLineWords,
        arguments: [Scenario.container, .twoDevices, .interrupted])
    func roundTrip(scenario: Scenario) throws {
        let app = try TrainLog(scenario)
        let before = try Self.files(app)
        let report = try Self.backedUp(app)
        let backup = try #require(report.backup)
        #expect(backup.folder.hasPrefix(app.folder["backups"] + "/"))
        #expect(report.nextSteps.contains { $0.contains("godwit rollback \(backup.folder)") })
        let after = try Self.files(app)
        let plan = try Self.rollBack(app, to: report, dryRun: true)
        #expect(try Self.files(app) == after)
        let rolledBack = try Self.rollBack(app, to: report)
        #expect(rolledBack.outcome == .done)
        #expect(rolledBack.rollback?.files.map(\.action) == plan.rollback?.files.map(\.action))
        #expect(try Self.files(app) == before)
        #expect(rolledBack.rollback?.newer == [:])
        #expect(try rolledBack.rollback?.flag?.isSet == app.isFlagSet())
        for file in try #require(rolledBack.rollback).files {
            guard let kept = file.keptAs else { continue }
            #expect(app.folder.exists("container/" + kept))
        }
        #expect(try Self.rollBack(app, to: report).outcome == .alreadyDone)
        #expect(try app.leftovers() == [])
        // The run can be made again from there.
        #expect(try app.perform().verify?.outcome != .failed)
    }

    @Test("a preferences file has its time of modification again, by which legacy values are dated")
    func modificationTime() throws {
        let app = try TrainLog(.container)
        let before = try #require(app.fingerprint().files["Library/Preferences/com.example.trainlog.plist"])
        let report = try Self.backedUp(app)
        _ = try Self.rollBack(app, to: report)
        let after = try #require(app.fingerprint().files["Library/Preferences/com.example.trainlog.plist"])
        #expect(after.modifiedSeconds == before.modifiedSeconds)
        #expect(after.modifiedNanoseconds == before.modifiedNanoseconds)
        #expect(after.mode == before.mode)
    }

    @Test("external data that went missing comes back with its mode, time and folders")
    func externalData() throws {
        let app = try TrainLog(.twoDevices)
        let support = "container/Library/Application Support/.TrainLogCloud_SUPPORT"
        try app.folder.makeFolder(support + "/_EXTERNAL_DATA")
        for (name, mode) in [("A", 0o644), ("B", 0o640)] {
            let file = "\(support)/_EXTERNAL_DATA/\(name)"
            try app.folder.write([1, 2, 3], to: file)
            try app.folder.setModified(seconds: 1_600_000_000, of: file)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: app.folder[file])
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: app.folder[support])
        func data() throws -> [String: [String]] {
            try app.fingerprint().files.filter { $0.key.contains("_SUPPORT") && !$0.key.contains(".before-rollback-") }
                .mapValues { file in
                    let isFolder = file.mode & 0o40000 != 0
                    return ["\(file.mode)", "\(file.bytes)", isFolder ? "" : "\(file.modifiedSeconds)"]
                }
        }
        let before = try data()
        #expect(before.count == 4)
        let report = try Self.backedUp(app)
        try FileManager.default.removeItem(atPath: app.folder[support])
        _ = try Self.rollBack(app, to: report)
        #expect(try data() == before)
        // One that has other bytes keeps what the app gave it, under another name.
        try app.folder.write([4], to: support + "/_EXTERNAL_DATA/A")
        _ = try Self.rollBack(app, to: report)
        #expect(try data() == before)
    }

    @Test("records that are only in a log are in the backup, and come back with the log")
    func log() throws {
        let app = try TrainLog(.twoDevices)
        try app.leaveInLog(
            TrainLog.local,
            "INSERT INTO Workout SELECT 'in-log', title, notes, startedAt, durationSeconds, createdAt, updatedAt FROM Workout LIMIT 1"
        )
        let before = try Self.files(app)
        let report = try Self.backedUp(app)
        _ = try Self.rollBack(app, to: report)
        #expect(try Self.files(app) == before)
        #expect(try app.column(TrainLog.local, "SELECT id FROM Workout WHERE id = 'in-log'") == ["in-log"])
    }

    @Test("a run with nothing to do makes no backup, and neither does a plan")
    func nothingToDo() throws {
        let app = try TrainLog(.container)
        let plan = try app.perform(dryRun: true) { $0.backupPath = app.folder["backups"] }
        #expect(plan.backup?.folder.hasPrefix(app.folder["backups"] + "/") == true)
        #expect(!app.folder.exists("backups"))
        try app.perform()
        let again = try Self.backedUp(app)
        #expect(again.outcome == .alreadyDone)
        #expect(again.backup == nil)
        #expect(!app.folder.exists("backups"))
    }

    @Test("if the backup can't be made, nothing is written")
    func impossible() throws {
        let app = try TrainLog(.container)
        try app.folder.write("", to: "backups")
        let before = try app.fingerprint()
        let error = failure { _ = try Self.backedUp(app) }
        #expect(error?.code == .cannotCreate)
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("records written since are counted, and are set aside only with their number")
    func newer() throws {
        let app = try TrainLog(.container)
        let report = try Self.backedUp(app)
        try app.write(
            TrainLog.cloud,
            """
            INSERT INTO Workout SELECT 'later', title, notes, startedAt, durationSeconds, createdAt,
              '2026-11-21T08:00:00Z' FROM Workout LIMIT 1;
            DELETE FROM ExerciseSet WHERE rowid = (SELECT min(rowid) FROM ExerciseSet);
            """)
        let changed = try app.fingerprint()
        for number in [nil, 2, 999] as [Int64?] {
            let error = failure { _ = try Self.rollBack(app, to: report, discarding: number) }
            #expect(error?.code == .data)
            #expect(error?.message.contains("1 record was written") == true)
            #expect(error?.hint?.contains("`discardingNewer: 1`") == true)
        }
        #expect(try app.fingerprint().differences(from: changed) == [])
        let rolledBack = try Self.rollBack(app, to: report, discarding: 1)
        #expect(rolledBack.rollback?.newer == ["Workout": 1])
        #expect(rolledBack.rollback?.deleted == ["ExerciseSet": 1])
        #expect(rolledBack.warnings.contains { $0.code == "newerSetAside" })
        #expect(rolledBack.warnings.contains { $0.code == "deletedIsBack" })
        let kept = try #require(rolledBack.rollback?.files.first { $0.role == .cloud }?.keptAs)
        let warning = try #require(rolledBack.warnings.first { $0.code == "newerSetAside" })
        #expect(warning.message.contains(kept) && !warning.message.contains("TrainLog.store"))
        #expect(try app.column("container/" + kept, "SELECT id FROM Workout WHERE id = 'later'") == ["later"])
        #expect(!app.folder.exists(TrainLog.cloud))
    }

    @Test("settings that were changed since are named")
    func changedPreferences() throws {
        let app = try TrainLog(.container)
        let report = try Self.backedUp(app)
        var values = try app.readPreferences()
        values["addedLater"] = .bool(true)
        try app.writePreferences(values)
        let rolledBack = try Self.rollBack(app, to: report)
        #expect(rolledBack.rollback?.preferences == ["addedLater"])
        #expect(rolledBack.warnings.contains { $0.code == "preferencesSetAside" && $0.message.contains("addedLater") })
    }

    @Test(
        "a rollback that is stopped at any step blocks other commands, and the same command completes it",
        arguments: [FaultPoint.afterRollbackMove, .beforeRollbackRename, .afterRollbackFile], 1...3)
    func interrupted(point: FaultPoint, times: Int) throws {
        let app = try TrainLog(.twoDevices)
        let before = try Self.files(app)
        let report = try Self.backedUp(app)
        try app.write(
            TrainLog.cloud,
            "UPDATE Workout SET updatedAt = '2026-11-21T08:00:00Z' WHERE rowid = (SELECT min(rowid) FROM Workout)")
        let fault = Fault(at: point, skipping: times - 1)
        let error = failure { _ = try Self.rollBack(app, to: report, discarding: 1, faultPoint: fault.meet) }
        #expect(error?.hint?.contains("same command again") == true)
        let refused = failure { try app.perform() }
        #expect(refused?.code == .data)
        #expect(refused?.message.contains("was interrupted") == true)
        let completed = try Self.rollBack(app, to: report, discarding: 1)
        #expect(completed.outcome == .done)
        #expect(try Self.files(app) == before)
        #expect(try app.leftovers() == [])
        #expect(try app.perform().verify?.outcome != .failed)
    }

    @Test("a folder that is not a backup, or a backup with other bytes or of another app, is rejected")
    func wrongBackup() throws {
        let app = try TrainLog(.container)
        let report = try Self.backedUp(app)
        let folder = try #require(report.backup?.folder)
        let done = try app.fingerprint()
        #expect(
            failure { _ = try app.migration().rollback(to: app.folder["backups"], dryRun: false) }?.code == .noInput)
        #expect(failure { _ = try app.migration().rollback(to: app.folder["none"], dryRun: false) }?.code == .noInput)
        let name = String(folder.dropFirst(app.folder.path.count + 1))
        let text = String(decoding: try app.folder.bytes(of: name + "/backup.json"), as: UTF8.self)
        for wrong in [
            text.replacingOccurrences(of: "\"TrainLog\"", with: "\"Other\""),
            text.replacingOccurrences(of: "\"godwit-backup\"", with: "\"other\""),
            text.replacingOccurrences(of: "\"minReaderVersion\" : 1", with: "\"minReaderVersion\" : 2"),
            text.replacingOccurrences(of: "container/Library/Preferences", with: "../Library/Preferences"),
            String(text.dropLast(20)),
        ] {
            try app.folder.write(wrong, to: name + "/backup.json")
            #expect(failure { _ = try app.migration().rollback(to: folder, dryRun: false) }?.code == .data)
        }
        try app.folder.write(text, to: name + "/backup.json")
        try app.folder.write(
            "cut", to: name + TrainLog.local.replacingOccurrences(of: "container/", with: "/container/"))
        let damaged = failure { _ = try app.migration().rollback(to: folder, dryRun: false) }
        #expect(damaged?.code == .data)
        #expect(try app.fingerprint().differences(from: done) == [])
    }

    @Test("a store that another process has open is not renamed")
    func openElsewhere() throws {
        let app = try TrainLog(.twoDevices)
        let report = try Self.backedUp(app)
        let lock = try ForeignLocks(app.folder[TrainLog.local], .reserved)
        defer { withExtendedLifetime(lock) {} }
        let before = try Self.files(app)
        #expect(failure { _ = try Self.rollBack(app, to: report) }?.code == .busy)
        #expect(try Self.files(app) == before)
    }
}
