import Godwit
import GodwitModel
import Foundation
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
        let migration = try app.migration { $0.now = Instant.sampleNow.advanced(bySeconds: seconds) }
        let folder = app.folder["exports"]
        let report =
            try fault.map { try migration.export(into: folder, options: options, faultPoint: $0.meet) }
            ?? migration.export(into: folder, options: options)
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

    @Test("nothing else in the container or the folder changes, and a dry run changes nothing at all")
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

    @Test("an entity that the manifest has not is a slip, and no attempt of any series")
    func slip() throws {
        try export()
        let before = try app.folder.fingerprint()
        var options = ExportOptions()
        for names in [["Workuot"], ["Workout", "Workuot"]] {
            options.entities = names
            #expect(failure { try export(at: 60, options) }?.code == .usage)
        }
        #expect(try outcomes == ["exported"])
        #expect(try app.folder.fingerprint().differences(from: before) == [])
    }

    @Test("a failure is noted with its reason, does not change the link and the exports, and freshness reports it")
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
        options.sincePath = base.file
        let report = try export(at: 60, options)
        #expect(report.file == app.folder["exports/TrainLog-since-2026-11-21T060100Z.json"] && report.latest == nil)
        #expect(try latest() == "TrainLog-2026-11-21T060000Z.json")
    }

    @Test("a link to exports of another app, and a file called latest, do not change, and give a warning")
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
        // Godwit corrects one to a missing file: forget may have removed the file, or a user moved it.
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

    @Test("a missing folder, the container itself, and a file are rejected")
    func refused() throws {
        let migration = try app.migration()
        #expect(failure { try migration.export(into: app.folder["nowhere"], options: .init()) }?.code == .noInput)
        #expect(failure { try migration.export(into: app.container, options: .init()) }?.code == .cannotCreate)
        try app.folder.write("a letter", to: "letter")
        let refusal = try #require(failure { try migration.export(into: app.folder["letter"], options: .init()) })
        #expect(refusal.code == .noInput && refusal.message.hasSuffix("is not a folder"))
    }

    @Test(
        "an index of another program does not stop an export and does not change, with a warning",
        arguments: ["a letter", "{\"x\":1}\n", "3,000,000 lines", "folder", "link"])
    func foreignIndex(text: String) throws {
        switch text {
        case "3,000,000 lines":
            // Not as an argument, which the runner prints.
            try app.folder.write(String(repeating: "[1]\n", count: 3_000_000), to: "exports/exports.jsonl")
        case "folder": try app.folder.makeFolder("exports/exports.jsonl")
        case "link":
            try app.folder.write("a letter", to: "letter")
            try app.folder.makeLink("exports/exports.jsonl", to: "../letter")
        default: try app.folder.write(text, to: "exports/exports.jsonl")
        }
        let before = text == "folder" ? nil : try app.folder.bytes(of: "exports/exports.jsonl")
        let report = try export()
        #expect(report.file != nil && report.latest != nil)
        #expect(report.warnings.map(\.code) == ["indexNotKept"])
        if let before { #expect(try app.folder.bytes(of: "exports/exports.jsonl") == before) }
        let migration = try app.migration()
        let file = try #require(report.file)
        #expect(try !migration.noteUnchanged(since: file, into: app.folder["exports"], options: .init()))
        // A failure that can't be noted is reported all the same.
        var refused = ExportOptions()
        refused.minRecords = .max
        #expect(failure { try export(at: 60, refused) }?.code == .data)
    }

    @Test("zeroes that a power cut left in the index do not make it another's, and lines between them are read")
    func zeroedIndex() throws {
        try app.folder.write([UInt8](repeating: 0, count: 400), to: "exports/exports.jsonl")
        #expect(try export().warnings.isEmpty)
        #expect(try outcomes == ["exported"])
        let line = try app.folder.bytes(of: "exports/exports.jsonl")
        try app.folder.write([UInt8](repeating: 0, count: 400) + line, to: "exports/exports.jsonl")
        try export(at: 60)
        #expect(try outcomes == ["exported", "exported"])
    }

    @Test("a folder called latest does not change, with a warning, and the export counts")
    func latestFolder() throws {
        try app.folder.makeFolder("exports/latest")
        let report = try export()
        #expect(report.file != nil && report.warnings.map(\.code) == ["latestNotUpdated"])
        #expect(try outcomes == ["exported"])
    }

    @Test("an unchanged export is noted only if export, link and index did not change")
    func notesUnchanged() throws {
        let report = try export()
        let file = try #require(report.file)
        let name = "TrainLog-2026-11-21T060000Z.json"
        func isNoted(_ options: ExportOptions = .init()) throws -> Bool {
            try app.migration().noteUnchanged(since: file, into: app.folder["exports"], options: options)
        }
        #expect(try isNoted())
        #expect(try outcomes == ["exported", "unchanged"])
        var some = ExportOptions()
        some.entities = ["Workout"]
        #expect(try !isNoted(some), "an export of everything says nothing of another series")
        try app.folder.remove("exports/latest")
        #expect(try !isNoted())
        try app.folder.makeLink("exports/latest", to: name)
        #expect(try isNoted())
        let bytes = try app.folder.bytes(of: "exports/" + name)
        try app.folder.remove("exports/" + name)
        #expect(try !isNoted())
        try app.folder.write(bytes, to: "exports/" + name)
        var refused = ExportOptions()
        refused.minRecords = .max
        #expect(failure { try export(at: 60, refused) }?.code == .data)
        #expect(try !isNoted(), "the last attempt failed")
        #expect(try outcomes == ["exported", "unchanged", "unchanged", "failed"])
    }

    @Test("an export of another store than the one before warns of it, once")
    func storeChanged() throws {
        func codes(_ account: Freshness.Account, at seconds: Int64) throws -> [String] {
            let migration = try app.migration {
                ($0.now, $0.account) = (Instant.sampleNow.advanced(bySeconds: seconds), account)
            }
            return try migration.export(into: app.folder["exports"], options: .init()).warnings.map(\.code)
        }
        #expect(try !codes(.available, at: 0).contains("storeChanged"))
        #expect(try codes(.noAccount, at: 60).contains("storeChanged"))
        #expect(try !codes(.noAccount, at: 120).contains("storeChanged"))
        // A failure between the two hides nothing.
        var refused = ExportOptions()
        refused.minRecords = .max
        #expect(failure { try export(at: 150, refused) }?.code == .data)
        #expect(try codes(.available, at: 180).contains("storeChanged"))
        // Of each store the newest stays: what is exported of one replaces nothing of the other.
        let kept = try ExportRetention(
            folder: app.folder["exports"], options: RetentionOptions(policy: RetentionPolicy(counts: [.last: 1]))
        ).apply().kept.map(\.file)
        #expect(Set(kept) == ["TrainLog-2026-11-21T060200Z.json", "TrainLog-2026-11-21T060300Z.json"])
    }

    @Test("exports into one folder never run at once: another one waits, and its error says to try again")
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
