import Godwit
import GodwitModel
import Foundation
import GodwitFleet
import GodwitPipelineSupport
import GodwitTestSupport
import Synchronization
import Testing

/// `run --all` with `--backup`: each container has its own backup, which can be restored by itself.
@Suite(.hangGuard)
struct BackedUpFleetTests {
    private let scene: FleetScene
    private var backups: String { scene.folder["backups"] }

    init() throws {
        scene = try FleetScene()
        for name in ["u1", "users/1", "users/2"] { try scene.add(TrainLog(.container), as: name) }
    }

    private func perform(dryRun: Bool = false, _ pass: FleetScene.Pass = .init()) throws -> FleetReport {
        let folder = backups
        return try scene.perform(.run(dryRun: dryRun), pass) { $0.backupPath = folder }
    }

    private func files(_ name: String) throws -> [String: [UInt8]] {
        let prefix = "fleet/" + name + "/"
        return try scene.folder.fingerprint().files
            .filter {
                $0.key.hasPrefix(prefix) && !$0.key.contains(".before-rollback-") && $0.value.mode & 0o40000 == 0
            }
            .mapValues(\.bytes)
    }

    @Test("each container has a verified backup below the folder, and can be rolled back on its own")
    func each() throws {
        let before = try files("users/1")
        let plan = try perform(dryRun: true)
        #expect(!scene.folder.exists("backups"))
        #expect(plan.containers.allSatisfy { $0.backup != nil && $0.backup?.rollback == nil })
        let report = try perform(.init(jobs: 3))
        #expect(report.verdicts.values.allSatisfy { $0 == .completed })
        for entry in report.containers {
            let backup = try #require(entry.backup)
            #expect(backup.folder.hasPrefix(backups + "/" + entry.container + "/"))
            #expect(FileManager.default.fileExists(atPath: backup.folder + "/backup.json"))
            #expect(backup.rollback?.contains("rollback \(backup.folder) ") == true)
        }
        let other = try files("users/2")
        let backup = try #require(report.containers.first { $0.container == "users/1" }?.backup)
        let migration = try scene.migration().at(scene.folder["fleet/users/1"])
        #expect(try migration.rollback(to: backup.folder, dryRun: false).outcome == .done)
        #expect(try files("users/1") == before)
        #expect(try files("users/2") == other)
    }

    @Test("a run with nothing to do makes no backup")
    func nothingToDo() throws {
        _ = try perform()
        let before = try scene.folder.fingerprint()
        let again = try perform()
        #expect(again.containers.allSatisfy { $0.verdict == .unchanged && $0.backup == nil })
        #expect(try scene.folder.fingerprint().differences(from: before) == [])
    }

    @Test("a resumed run names the backup of the interrupted run")
    func resumed() throws {
        let cancellation = Cancellation()
        let error = failure {
            try perform(
                .init(journal: "j.jsonl", jobs: 1, cancellation: cancellation) { progress in
                    if progress.completed == 1 { cancellation.cancel(.terminated) }
                })
        }
        #expect(error?.code == .terminated)
        // A container whose line is missing.
        let migration = try scene.migration { $0.backupPath = backups + "/users/1" }
        let lost = try migration.at(scene.folder["fleet/users/1"]).perform(.run, dryRun: false)
        let report = try perform(.init(journal: "j.jsonl"))
        let entry = try #require(report.containers.first { $0.container == "users/1" })
        #expect(entry.verdict == .unchanged)
        #expect(entry.backup?.folder == lost.backup?.folder)
        #expect(report.containers.allSatisfy { $0.backup?.rollback != nil })
    }

    @Test("a journal resumes only with the same backup folder")
    func otherFolder() throws {
        _ = try perform(.init(journal: "j.jsonl"))
        let error = failure {
            try scene.perform(.run(dryRun: false), .init(journal: "j.jsonl")) {
                $0.backupPath = scene.folder["elsewhere"]
            }
        }
        #expect(error?.code == .data)
    }

    @Test(
        "a container that fails after its backup names it, and a strict plan that stopped names none",
        arguments: [false, true])
    func failed(dryRun: Bool) throws {
        let app = try TrainLog(.container)
        var report = try app.perform(dryRun: true) { $0.backupPath = backups }
        report.run.dryRun = dryRun
        var error = GodwitError(.copy, .data, "It failed.")
        error.report = report
        let entry = FleetEntry(container: "u1", command: .run, error: error)
        #expect(entry.backup?.folder == (dryRun ? nil : report.backup?.folder))
    }

    @Test("backups below the fleet's folder are not containers, in any version")
    func inside() throws {
        for name in ["a/2026-11-21T060000Z", "b/.godwit-backup-01234567"] {
            try scene.add(TrainLog(.container), as: "backups/\(name)/container")
        }
        try scene.folder.write(
            #"{"format":"godwit-backup","minReaderVersion":9,"#, to: "fleet/backups/a/2026-11-21T060000Z/backup.json")
        let before = try files("backups")
        let report = try perform()
        #expect(report.containers.map(\.container) == ["u1", "users/1", "users/2"])
        #expect(try files("backups") == before)
    }

    @Test("a folder that cannot hold backups is rejected before the first write")
    func unusable() throws {
        try scene.folder.write("", to: "backups")
        let before = try scene.folder.fingerprint()
        #expect(failure { try perform() }?.code == .cannotCreate)
        #expect(try scene.folder.fingerprint().differences(from: before) == [])
    }

    @Test("containers that would share a backup folder are rejected")
    func collision() throws {
        let path = scene.folder["fleet/u1"]
        try FileManager.default.createDirectory(
            atPath: FileManager.default.currentDirectoryPath + path, withIntermediateDirectories: true)
        defer {
            try? FileManager.default.removeItem(
                atPath: FileManager.default.currentDirectoryPath + path)
        }
        try scene.folder.write("\(path)\n\(path.dropFirst())\n", to: "list")
        #expect(failure { try perform(.init(below: "list")) }?.code == .usage)
    }
}
