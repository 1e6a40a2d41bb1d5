import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Whose backup it is, and what a rollback says about the state that it replaces.
extension BackupTests {
    @Test(
        "a backup of another container is refused unless accepted, and one of a container that was moved is not",
        .commandLineWords)
    func otherContainer() throws {
        let (app, other) = (try TrainLog(.container), try TrainLog(.container))
        let report = try Self.backedUp(app)
        try FileManager.default.removeItem(atPath: other.folder["container"])
        try FileManager.default.copyItem(atPath: app.folder["container"], toPath: other.folder["container"])
        // A newer record as well: that the backup is another container's is said first.
        try other.write(
            TrainLog.cloud,
            "UPDATE Workout SET updatedAt = '2026-11-21T08:00:00Z' WHERE rowid = (SELECT min(rowid) FROM Workout)")
        let before = try other.fingerprint()
        for dryRun in [true, false] {
            let error = failure { _ = try Self.rollBack(other, to: report, discarding: 1, dryRun: dryRun) }
            #expect(error?.code == .data)
            #expect(error?.message.contains("another container, `\(app.folder["container"])`") == true)
            #expect(error?.message.hasSuffix("nothing was changed") == true)
            #expect(error?.hint?.contains("--other-container") == true)
        }
        #expect(try other.fingerprint().differences(from: before) == [])
        #expect(try !Self.rollBack(app, to: report, dryRun: true).warningCodes.contains("otherContainer"))
        let plan = try Self.rollBack(other, to: report, discarding: 1, acceptsOther: true, dryRun: true)
        #expect(plan.warningCodes.contains("otherContainer"))
        #expect(plan.nextSteps.contains { $0.contains("--discard-newer 1 --other-container") })
        try FileManager.default.moveItem(atPath: app.folder["container"], toPath: app.folder["old"])
        #expect(try !Self.rollBack(other, to: report, discarding: 1).warningCodes.contains("otherContainer"))
    }

    @Test("a command that writes refuses the container of a backup, and a plan of it goes on", .commandLineWords)
    func containerOfBackup() throws {
        let app = try TrainLog(.container)
        let report = try Self.backedUp(app)
        let backup = try #require(report.backup?.folder)
        for container in [backup + "/container", backup] {
            func migration() throws -> Migration {
                var options = MigrationOptions()
                options.now = .sampleNow
                options.lockTimeoutMilliseconds = 0
                return try Migration(manifest: app.manifest, container: .path(container), options: options)
            }
            let before = try FolderFingerprint(backup)
            for work in [
                { _ = try migration().perform(.run, dryRun: false) },
                { _ = try migration().perform(.copy, dryRun: false) },
                { _ = try migration().perform(.migrate, dryRun: false) },
                { _ = try migration().perform(.dedupe, dryRun: false) }, { _ = try migration().reopen(dryRun: false) },
                { _ = try migration().undoDedupe(of: "latest", dryRun: false) },
                { _ = try migration().rollback(to: backup, acceptingOtherContainer: true, dryRun: false) },
            ] as [() throws -> Void] {
                let error = failure { try work() }
                #expect(error?.code == .noInput)
                #expect(error?.message.contains("belongs to the backup") == true)
                #expect(error?.hint?.contains(app.folder["container"]) == true)
                #expect(error?.hint?.contains("godwit rollback") == true)
            }
            #expect(try FolderFingerprint(backup).differences(from: before) == [])
        }
        let plan = try Migration(manifest: app.manifest, container: .path(backup + "/container"))
            .perform(.run, dryRun: true)
        #expect(plan.outcome != .failed)
        #expect(try Self.rollBack(app, to: report).outcome == .done)
    }

    @Test("a container that is named through a link is the one that the backup is of")
    func linkedContainer() throws {
        let (app, other) = (try TrainLog(.container), try TrainLog(.container))
        let report = try Self.backedUp(app)
        try FileManager.default.removeItem(atPath: other.folder["container"])
        try FileManager.default.createSymbolicLink(
            atPath: other.folder["container"], withDestinationPath: app.folder["container"])
        for dryRun in [true, false] {
            #expect(try !Self.rollBack(other, to: report, dryRun: dryRun).warningCodes.contains("otherContainer"))
        }
    }

    @Test("an accepted rollback to the backup of another container is completed without accepting it again")
    func interruptedInOtherContainer() throws {
        let (app, other) = (try TrainLog(.container), try TrainLog(.container))
        let report = try Self.backedUp(app)
        try FileManager.default.removeItem(atPath: other.folder["container"])
        try FileManager.default.copyItem(atPath: app.folder["container"], toPath: other.folder["container"])
        let fault = Fault(at: .afterRollbackMove)
        let error = failure {
            _ = try Self.rollBack(other, to: report, acceptsOther: true, faultPoint: fault.meet)
        }
        #expect(error?.hint?.contains("same command again") == true)
        #expect(try Self.rollBack(other, to: report).outcome == .done)
    }

    @Test("a store that changed without a newer record is named, because edits without a later date are not counted")
    func editedWithoutDate() throws {
        let app = try TrainLog(.container)
        let report = try Self.backedUp(app)
        try app.write(
            TrainLog.cloud,
            "UPDATE Workout SET title = 'edited' WHERE rowid = (SELECT min(rowid) FROM Workout)")
        for dryRun in [true, false] {
            let rolledBack = try Self.rollBack(app, to: report, dryRun: dryRun)
            #expect(rolledBack.rollback?.newer == [:])
            let warnings = rolledBack.warnings.filter { $0.code == "newerNotCounted" }
            #expect(warnings.count == 1)
            #expect(warnings.first?.message.contains("TrainLogCloud.store` changed after the run") == true)
        }
    }

    @Test("what an earlier rollback took is not called deleted in the app, nor a store older than none")
    func afterAnotherRollback() throws {
        let app = try TrainLog(.container)
        let first = try Self.backedUp(app)
        let second = try app.migration {
            $0.now = .sampleNow.advanced(bySeconds: 10)
            $0.backupPath = app.folder["backups"]
        }.reopen(dryRun: false)
        _ = try Self.rollBack(app, to: first)
        #expect(!app.folder.exists(TrainLog.cloud))
        for (dryRun, verb) in [(true, "would be"), (false, "are")] {
            let back = try Self.rollBack(app, to: second, dryRun: dryRun)
            let deleted = try #require(back.warnings.first { $0.code == "deletedIsBack" })
            #expect(deleted.message.hasSuffix(" records that the store no longer had \(verb) back"))
            let state = try #require(back.warnings.first { $0.code == "olderStateSyncs" })
            #expect(state.message.contains("as it was on "))
        }
    }
}
