import Foundation
import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Exports into a folder: names, the link to the newest, the index.
struct ExportFolderTests {
    let app: TrainLog

    init() throws {
        app = try TrainLog(.twoDevices)
        try app.perform()
        try app.folder.makeFolder("exports")
    }

    @discardableResult
    private func export(
        at seconds: Int64 = 0, _ options: ExportOptions = .init(), fault: Fault? = nil
    ) throws -> ExportReport {
        let pipeline = try app.pipeline { $0.now = Instant.sampleNow.advanced(bySeconds: seconds) }
        let folder = app.folder["exports"]
        let report =
            try fault.map { try pipeline.export(into: folder, options: options, faultPoint: $0.meet) }
            ?? pipeline.export(into: folder, options: options)
        if let file = report.file, !options.isDryRun { try MadeExports.keep(file) }
        return report
    }

    private var names: Set<String> { Set(app.folder.names(in: "exports")) }

    private var outcomes: [String] {
        get throws {
            try app.folder.text(of: "exports/exports.jsonl").split(separator: "\n").map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return object?["outcome"] as? String ?? "?"
            }
        }
    }

    private func latest(_ name: String = "latest") throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: app.folder["exports/\(name)"])
    }

    @Test("each has a name of its own, and the link leads to the newest")
    func naming() throws {
        let first = try export()
        #expect(first.file == app.folder["exports/TrainLog-2026-11-21T060000Z.json"])
        #expect(first.latest == app.folder["exports/latest"])
        #expect(try latest() == "TrainLog-2026-11-21T060000Z.json")
        try export()
        #expect(try latest() == "TrainLog-2026-11-21T060000Z-2.json")
        try export(at: 60, ExportOptions(lines: true, gzip: true))
        #expect(try latest() == "TrainLog-2026-11-21T060100Z.jsonl.gz")
        var some = ExportOptions()
        some.entities = ["ExerciseSet", "Workout"]
        try export(at: 61, some)
        #expect(try latest() == "TrainLog-2026-11-21T060100Z.jsonl.gz")
        #expect(try latest("latest-Workout+ExerciseSet") == "TrainLog-Workout+ExerciseSet-2026-11-21T060101Z.json")
        #expect(try outcomes == ["exported", "exported", "exported", "exported"])
        #expect(names.count == 7)
    }

    @Test("nothing else in the container or the folder changes, and a rehearsal changes nothing at all")
    func changesNothing() throws {
        try app.folder.write("a letter", to: "exports/letter.txt")
        let before = try app.fingerprint()
        try export()
        #expect(try app.fingerprint().differences(from: before) == [])
        let all = try app.folder.fingerprint()
        let report = try export(at: 60, ExportOptions(isDryRun: true))
        #expect(report.dryRun && report.latest == nil)
        #expect(try app.folder.fingerprint().differences(from: all) == [])
    }

    @Test("unchanged content is an attempt that succeeded, without a file")
    func unchanged() throws {
        try export()
        var options = ExportOptions()
        options.skipsUnchanged = true
        let report = try export(at: 60, options)
        #expect(report.unchangedSince == app.folder["exports/TrainLog-2026-11-21T060000Z.json"])
        #expect(try outcomes == ["exported", "unchanged"])
        // An export that was stopped before its link: the next one sets it, though nothing has changed.
        try app.folder.remove("exports/latest")
        #expect(try export(at: 120, options).latest != nil)
        #expect(try latest() == "TrainLog-2026-11-21T060000Z.json")
        #expect(names == ["TrainLog-2026-11-21T060000Z.json", "latest", "exports.jsonl"])
    }

    @Test("a failure is noted, says why, and leaves the link and the exports as they were; freshness tells of it")
    func failed() throws {
        try export()
        var options = ExportOptions()
        options.minRecords = 1_000_000
        let error = failure { try export(at: 60, options) }
        #expect(error?.code == .data)
        let fault = Fault(at: .beforeExportRename)
        #expect(failure { try export(at: 120, fault: fault) }?.code == .io && fault.wasMet)
        #expect(try outcomes == ["exported", "failed", "failed"])
        #expect(try latest() == "TrainLog-2026-11-21T060000Z.json")
        #expect(names == ["TrainLog-2026-11-21T060000Z.json", "latest", "exports.jsonl"])
        var check = FreshnessOptions()
        check.now = Instant.sampleNow.advanced(bySeconds: 180)
        (check.warnAfter, check.errorAfter) = (Span("900d"), Span("1000d"))
        let found = try FreshnessCheck(paths: [app.folder["exports"]], options: check).check().exports
        #expect(found.count == 1 && found.first?.status == .warn)
        #expect(found.first?.findings.map(\.code) == [.attemptFailed])
        #expect(found.first?.lastSuccessAt == .sampleNow)
        #expect(found.first?.lastAttemptAt == Instant.sampleNow.advanced(bySeconds: 120))
        try export(at: 200)
        check.now = Instant.sampleNow.advanced(bySeconds: 210)
        let after = try FreshnessCheck(paths: [app.folder["exports"]], options: check).check().exports
        #expect(after.first?.status == .pass && after.first?.lastAttemptAt == after.first?.lastSuccessAt)
    }

    @Test("an increment gets a name of its own, and the link stays on what restores everything")
    func increment() throws {
        let base = try export()
        var options = ExportOptions()
        options.since = base.file
        let report = try export(at: 60, options)
        #expect(report.file == app.folder["exports/TrainLog-since-2026-11-21T060100Z.json"] && report.latest == nil)
        #expect(try latest() == "TrainLog-2026-11-21T060000Z.json")
    }

    @Test("a link of another app's exports, and a file called latest, are left alone with a warning")
    func foreignLatest() throws {
        try export()
        let other = try app.folder.text(of: "exports/TrainLog-2026-11-21T060000Z.json")
            .replacing("TrainLog\",", with: "TrainLog 2\",")
        try app.folder.write(other, to: "exports/other.json")
        try app.folder.remove("exports/latest")
        try app.folder.makeLink("exports/latest", to: "other.json")
        let report = try export(at: 60)
        #expect(report.warnings.map(\.code).contains("latestNotUpdated") && report.file != nil)
        #expect(try latest() == "other.json")
        try app.folder.remove("exports/latest")
        try app.folder.write(try app.folder.text(of: "exports/TrainLog-2026-11-21T060000Z.json"), to: "exports/latest")
        #expect(try export(at: 120).warnings.map(\.code).contains("latestNotUpdated"))
        // One that leads nowhere is ours to mend: forget may have been asked to, or somebody moved the file.
        try app.folder.remove("exports/latest")
        try app.folder.makeLink("exports/latest", to: "gone.json")
        #expect(try export(at: 180).latest != nil)
        #expect(try latest() == "TrainLog-2026-11-21T060300Z.json")
    }

    @Test("what killed exports left in the folder is swept; what is called otherwise stays")
    func sweeps() throws {
        try app.folder.makeLink("exports/.godwit-link-ABCDEFGH", to: "gone.json")
        try app.folder.write("x", to: "exports/.godwit-out-ABCDEFGH")
        // A run holds the lock of its container, not of a folder in it: what it is writing there is not swept.
        let others: Set = [".godwit-tmp-ABCDEFGH", ".godwit-link-letter", ".godwit-link-HGFEDCBA"]
        for name in others { try app.folder.write("x", to: "exports/" + name) }
        try export()
        #expect(names.filter { $0.hasPrefix(".godwit") } == others)
    }

    @Test("a folder that is not there, the container itself, and an index of another's are refused")
    func refused() throws {
        let pipeline = try app.pipeline()
        #expect(failure { try pipeline.export(into: app.folder["nowhere"], options: .init()) }?.code == .noInput)
        #expect(failure { try pipeline.export(into: app.container, options: .init()) }?.code == .cannotCreate)
        try app.folder.write("a letter", to: "exports/exports.jsonl")
        #expect(failure { try export() }?.code == .cannotCreate)
        #expect(names == ["exports.jsonl"])
    }

    @Test("exports into one folder never run at once: another one waits, and is told to try again")
    func locked() throws {
        let folder = open(app.folder["exports"], O_RDONLY)
        defer { close(folder) }
        try #require(flock(folder, LOCK_EX) == 0)
        #expect(failure { try export() }?.code == .busy)
        var options = RetentionOptions(policy: RetentionPolicy(counts: [.last: 1]))
        options.lockTimeoutMilliseconds = 0
        #expect(failure { try ExportRetention(folder: app.folder["exports"], options: options).apply() }?.code == .busy)
        #expect(names == [])
        flock(folder, LOCK_UN)
        #expect(try export().file != nil)
    }
}
