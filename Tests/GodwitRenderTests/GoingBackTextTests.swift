import GodwitModel
import GodwitRender
import Testing

extension Sample {
    static var backup: RunReport.Backup {
        RunReport.Backup(
            folder: "backups/2026-11-21T060000Z",
            files: [
                RunReport.Backup.File(
                    role: .preferences, file: "Library/Preferences/p.plist", exists: true, bytes: 300),
                RunReport.Backup.File(role: .cloud, file: "Cloud.store", exists: false, bytes: 0),
                RunReport.Backup.File(role: .local, file: "Local.store", exists: true, bytes: 188_416),
            ])
    }

    static var rollback: RunReport.Rollback {
        var report = RunReport.Rollback(
            backup: "backups/2026-11-21T060000Z", madeAt: now, runId: "6A8BFB66-5066-4458-8761-BF929D8B8BBC",
            files: [
                RunReport.Rollback.File(role: .preferences, file: "Library/Preferences/p.plist", action: .unchanged),
                RunReport.Rollback.File(
                    role: .cloud, file: "Cloud.store", action: .removed, keptAs: "Cloud.store.before-rollback-T"),
                RunReport.Rollback.File(
                    role: .local, file: "Local.store", action: .restored, keptAs: "Local.store.before-rollback-T"),
            ])
        report.outcome = .done
        (report.newer, report.deleted, report.preferences) = (["Workout": 1], ["Workout": 2], ["theme"])
        report.flag = RunReport.Flag(file: "Library/Preferences/p.plist", key: "cloudMigrationDone", isSet: false)
        return report
    }

    static var reopen: RunReport.Reopen {
        RunReport.Reopen(
            outcome: .done, copiedAt: now, copiedBy: "6A8BFB66-5066-4458-8761-BF929D8B8BBC",
            flag: RunReport.Flag(file: "Library/Preferences/p.plist", key: "cloudMigrationDone", isSet: false))
    }
}

/// What a backup, a rollback and a reopen say of themselves.
struct GoingBackTextTests {
    private func lines(dryRun: Bool = false, _ change: (inout RunReport) -> Void) -> [String] {
        var report = Sample.report(.done, command: "rollback", dryRun: dryRun)
        change(&report)
        let text = report.text(TextStyle(width: 200))
        return text.split(separator: "\n").map(String.init)
    }

    @Test("a backup is counted, and its folder is named on a line of its own")
    func backup() {
        let text = lines { $0.backup = Sample.backup }
        #expect(text.contains("✓ backup   2 files backed up (188,716 bytes)"))
        #expect(text.contains("    backups/2026-11-21T060000Z"))
        #expect(
            lines(dryRun: true) { $0.backup = Sample.backup }.contains { $0.contains("2 files would be backed up") })
    }

    @Test("a rollback names each file that changed, its new name, and the flag")
    func rollback() {
        let text = lines { $0.rollback = Sample.rollback }
        #expect(
            text.contains {
                $0.hasPrefix("✓ rollback 1 file put back as of ")
                    && $0.hasSuffix(", 1 more renamed")
            })
        #expect(text.contains("      Local.store.before-rollback-T"))
        #expect(text.contains("      Cloud.store.before-rollback-T"))
        #expect(text.contains { $0.hasSuffix("flag cloudMigrationDone is not set") })
        #expect(!text.contains { $0.contains("preferences:") })
    }

    @Test("a reopen says which copy is pending, and whether everything is copied again")
    func reopen() {
        #expect(lines { $0.reopen = Sample.reopen }.contains { $0.contains("is pending again") })
        var all = Sample.reopen
        all.all = true
        #expect(lines { $0.reopen = all }.contains { $0.contains("the next run copies every record again") })
        let pending = lines { $0.reopen = RunReport.Reopen(outcome: .nothingToDo) }
        #expect(pending.contains { $0.hasSuffix("the copy is pending already") })
    }
}
