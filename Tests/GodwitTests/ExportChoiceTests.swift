import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// What is exported at all: chosen entities, changed content, plausible numbers.
struct ExportChoiceTests {
    @discardableResult
    private func export(
        _ app: TrainLog, as name: String = "out/a.json", at now: Instant = .sampleNow,
        _ change: (inout ExportOptions) -> Void = { _ in }
    ) throws -> ExportReport {
        try app.folder.makeFolder("out")
        var options = ExportOptions()
        change(&options)
        return try app.migration { $0.now = now }.exportAndKeep(to: app.folder[name], options: options)
    }

    private func members(_ app: TrainLog, _ name: String) throws -> [String: Any] {
        let parsed = try JSONSerialization.jsonObject(with: Data(contentsOf: app.folder.url(name)))
        return try #require(parsed as? [String: Any])
    }

    private func names(_ app: TrainLog) -> [String] {
        app.folder.exists("out")
            ? (try? FileManager.default.contentsOfDirectory(atPath: app.folder["out"]).sorted()) ?? [] : []
    }

    // MARK: Entities

    @Test("the export has only the selected entities, in manifest order, and its header lists them")
    func entities() throws {
        let app = try TrainLog(.twoDevices)
        let report = try export(app) { $0.entities = ["UserSettings", "Workout", "Workout"] }
        #expect(
            report.counts == ["Workout": 40, "UserSettings": try Int64(app.count(TrainLog.local, of: "UserSettings"))])
        let document = try members(app, "out/a.json")
        #expect(document["selection"] as? [String] == ["Workout", "UserSettings"])
        let entities = try #require(document["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["Workout", "UserSettings"])
        let whole = try export(app, as: "out/b.json")
        #expect(whole.counts["ExerciseSet"] == 600)
        #expect(try members(app, "out/b.json")["selection"] == nil)
        #expect(whole.contentVersion != report.contentVersion)
    }

    @Test("an entity that the manifest does not have is a mistake on the command line, and nothing is written")
    func unknownEntity() throws {
        let app = try TrainLog(.twoDevices)
        let error = failure { try export(app) { $0.entities = ["Workout", "workout"] } }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("'workout'") == true)
        #expect(error?.hint?.contains("Workout") == true)
        #expect(names(app) == [])
    }

    @Test("a selection is restored like any export", arguments: [false, true])
    func restoredSelection(_ lines: Bool) throws {
        let app = try TrainLog(.twoDevices)
        let report = try export(app) { ($0.entities, $0.lines) = (["Workout"], lines) }
        let restored = try app.migration().restore(from: app.folder["out/a.json"], to: app.folder["out/new.store"])
        #expect(restored.counts == report.counts)
        #expect(restored.sha256 == report.sha256)
        #expect(restored.warnings.map(\.code).contains("selection"))
        #expect(try app.count("out/new.store", of: "Workout") == 40)
        #expect(try app.count("out/new.store", of: "ExerciseSet") == 0)
    }

    @Test("the changes of a selection are found from an export of the same selection, and of no other")
    func selectedSince() throws {
        let app = try TrainLog(.twoDevices)
        try export(app) { $0.entities = ["Workout", "UserSettings"] }
        let base = app.folder["out/a.json"]
        try app.write(TrainLog.local, "UPDATE Workout SET notes = 'x' WHERE id = (SELECT min(id) FROM Workout)")
        let report = try export(app, as: "out/b.json") {
            $0.sincePath = base
            $0.entities = ["UserSettings", "Workout"]
        }
        #expect(report.counts == ["Workout": 1, "UserSettings": 0])
        for others in [["Workout"], []] {
            let error = failure {
                try export(app, as: "out/c.json") {
                    $0.sincePath = base
                    $0.entities = others
                }
            }
            #expect(error?.code == .data && error?.message.contains("other `ExportOptions.entities`") == true)
        }
    }

    // MARK: Only if changed

    @Test("the same content is not written again in any form", arguments: [false, true], [false, true])
    func unchanged(_ lines: Bool, _ gzip: Bool) throws {
        let app = try TrainLog(.twoDevices)
        let first = try export(app) { ($0.lines, $0.gzip) = (lines, gzip) }
        let before = try (app.fingerprint(), app.folder.bytes(of: "out/a.json"))
        let second = try export(app, as: "out/b.json", at: Instant(milliseconds: Instant.sampleNow.milliseconds + 1000))
        {
            $0.skipsUnchanged = true
        }
        #expect((second.file, second.unchangedSince) == (nil, app.folder["out/a.json"]))
        #expect(second.contentVersion == first.contentVersion)
        #expect(try app.fingerprint().differences(from: before.0) == [])
        #expect(try app.folder.bytes(of: "out/a.json") == before.1)
        #expect(names(app) == ["a.json"])
    }

    @Test("changed content is written, and so is what was changed back since the newest export")
    func changed() throws {
        let app = try TrainLog(.twoDevices)
        func next(_ name: String, _ seconds: Int64) throws -> ExportReport {
            let now = Instant(milliseconds: Instant.sampleNow.milliseconds + 1000 * seconds)
            return try export(app, as: "out/\(name)", at: now) { $0.skipsUnchanged = true }
        }
        #expect(try next("a.json", 0).unchangedSince == nil)
        try app.write(TrainLog.local, "UPDATE Workout SET notes = 'x' WHERE id = (SELECT min(id) FROM Workout)")
        #expect(try next("b.json", 1).unchangedSince == nil)
        #expect(try next("c.json", 2).unchangedSince == app.folder["out/b.json"])
        #expect(names(app) == ["a.json", "b.json"])
    }

    @Test("an export that is no longer whole does not keep the next away", arguments: ["cut", "edited"])
    func damaged(_ how: String) throws {
        let app = try TrainLog(.twoDevices)
        try export(app)
        var bytes = try app.folder.bytes(of: "out/a.json")
        if how == "cut" { bytes.removeLast(bytes.count / 3) } else { bytes[bytes.count / 2] ^= 1 }
        try app.folder.write(bytes, to: "out/a.json")
        let report = try export(app, as: "out/b.json") { $0.skipsUnchanged = true }
        #expect(report.unchangedSince == nil)
        #expect(report.file == app.folder["out/b.json"])
    }

    @Test("a header that was edited to say that nothing changed is not believed")
    func editedHeader() throws {
        let app = try TrainLog(.twoDevices)
        let old = try export(app).contentVersion
        try app.write(TrainLog.local, "UPDATE Workout SET notes = 'x'")
        let now = try export(app, as: "elsewhere.json").contentVersion
        let text = String(decoding: try app.folder.bytes(of: "out/a.json"), as: UTF8.self)
        let member = "\"contentVersion\": \""
        try app.folder.write(text.replacingOccurrences(of: member + old, with: member + now), to: "out/a.json")
        #expect(try export(app, as: "out/b.json") { $0.skipsUnchanged = true }.unchangedSince == nil)
    }

    @Test(
        "an increment does not take the place of the export that it was made since", arguments: ["a.json", "link.json"])
    func replacedBase(base: String) throws {
        let app = try TrainLog(.twoDevices)
        try export(app)
        try app.folder.makeLink("out/link.json", to: "a.json")
        let before = try app.folder.bytes(of: "out/a.json")
        let since = app.folder["out/" + base]
        let error = failure {
            try export(app) {
                $0.sincePath = since
                $0.replacesExisting = true
            }
        }
        #expect(error?.code == .usage)
        #expect(try app.folder.bytes(of: "out/a.json") == before)
    }

    @Test("exports of other apps, other selections, links and other files do not count")
    func others() throws {
        let app = try TrainLog(.twoDevices)
        let report = try export(app, as: "elsewhere.json")
        try export(app, as: "out/selected.json") { $0.entities = ["Workout"] }
        let text = String(decoding: try app.folder.bytes(of: "elsewhere.json"), as: UTF8.self)
        try app.folder.write(text.replacingOccurrences(of: "\"TrainLog\"", with: "\"RunLog\""), to: "out/other.json")
        try app.folder.write("{}", to: "out/note.json")
        try app.folder.makeFolder("out/folder.json")
        try FileManager.default.createSymbolicLink(
            atPath: app.folder["out/link.json"], withDestinationPath: app.folder["elsewhere.json"])
        let next = try export(app, as: "out/next.json") { $0.skipsUnchanged = true }
        #expect(next.unchangedSince == nil && next.contentVersion == report.contentVersion)
    }

    @Test("a dry run says that nothing changed, too")
    func dryRun() throws {
        let app = try TrainLog(.twoDevices)
        try export(app)
        let report = try export(app, as: "out/b.json") { ($0.skipsUnchanged, $0.isDryRun) = (true, true) }
        #expect(report.unchangedSince != nil && report.dryRun)
    }

    // MARK: Plausible numbers

    @Test("too few records are refused before anything is written")
    func tooFew() throws {
        let app = try TrainLog(.twoDevices)
        let error = failure { try export(app) { $0.minRecords = 100_000 } }
        #expect(error?.code == .data && error?.stage == .export)
        #expect(names(app) == [])
        #expect(try export(app) { $0.minRecords = 640 }.counts["Workout"] == 40)
    }

    @Test("a store that was emptied does not take the place of its last export", arguments: [false, true])
    func shrunk(_ replaces: Bool) throws {
        let app = try TrainLog(.twoDevices)
        let name = replaces ? "out/a.json" : "out/b.json"
        let first = try export(app) { $0.maxShrinkPercent = 50 }
        #expect(first.warnings.map(\.code).contains("nothingToCompareWith"))
        try app.write(TrainLog.local, "DELETE FROM ExerciseSet")
        let before = try app.folder.fingerprint()
        let error = failure {
            try export(app, as: name) { ($0.maxShrinkPercent, $0.replacesExisting) = (50, replaces) }
        }
        #expect(error?.code == .data)
        #expect(error?.message.contains("a.json") == true)
        #expect(try app.folder.fingerprint().differences(from: before) == [])
        let allowed = try export(app, as: name) { ($0.maxShrinkPercent, $0.replacesExisting) = (100, replaces) }
        #expect(allowed.counts["ExerciseSet"] == 0 && !allowed.warnings.map(\.code).contains("nothingToCompareWith"))
    }

    @Test("what is compared is the newest export that is whole")
    func newestWhole() throws {
        let app = try TrainLog(.twoDevices)
        let later = Instant(milliseconds: Instant.sampleNow.milliseconds + 60_000)
        try export(app, as: "out/z-old.json")
        try app.write(TrainLog.local, "DELETE FROM ExerciseSet")
        try export(app, as: "out/a-new.json", at: later)
        #expect(try export(app, as: "out/c.json") { $0.maxShrinkPercent = 10 }.counts["ExerciseSet"] == 0)
        let bytes = try app.folder.bytes(of: "out/a-new.json")
        try app.folder.write(Array(bytes.dropLast(10)), to: "out/a-new.json")
        try FileManager.default.removeItem(at: app.folder.url("out/c.json"))
        let error = failure { try export(app, as: "out/d.json") { $0.maxShrinkPercent = 10 } }
        #expect(error?.message.contains("z-old.json") == true)
    }

    @Test("what can't be meant is a mistake on the command line")
    func senseless() throws {
        let app = try TrainLog(.twoDevices)
        for change: (inout ExportOptions) -> Void in [
            { $0.maxShrinkPercent = 101 }, { $0.maxShrinkPercent = -1 }, { $0.minRecords = -1 }, { $0.level = 0 },
        ] {
            #expect(failure { try export(app, change) }?.code == .usage)
        }
        var options = ExportOptions()
        options.skipsUnchanged = true
        #expect(failure { try app.migration().export(to: nil, options: options) }?.code == .usage)
    }
}
