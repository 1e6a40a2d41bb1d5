import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// What keeps an export away under `--if-changed`, where exports of everything and of what changed lie side by side.
struct UnchangedExportTests {
    /// TrainLog with an export of everything in `out/full.json`.
    private static func exported() throws -> TrainLog {
        let app = try TrainLog(.twoDevices)
        try app.folder.makeFolder("out")
        try export(app, "full.json", 0)
        return app
    }

    /// Exports into `out`, so many seconds after the first.
    @discardableResult
    private static func export(
        _ app: TrainLog, _ name: String, _ seconds: Int64, since base: String? = nil, _ manifest: Manifest? = nil,
        _ change: (inout ExportOptions) -> Void = { _ in }
    ) throws -> ExportReport {
        var (options, call) = (MigrationOptions(), ExportOptions())
        options.now = Instant(milliseconds: Instant.sampleNow.milliseconds + 1000 * seconds)
        options.lockTimeoutMilliseconds = 0
        call.sincePath = base.map { app.folder["out/\($0)"] }
        change(&call)
        return try Migration(manifest: manifest ?? app.manifest, container: .path(app.container), options: options)
            .exportAndKeep(to: app.folder["out/\(name)"], options: call)
    }

    /// The name of the export that keeps this one away; nil where it is written.
    private static func keeper(
        _ app: TrainLog, _ seconds: Int64 = 9, since base: String? = nil, _ manifest: Manifest? = nil,
        _ change: (inout ExportOptions) -> Void = { _ in }
    ) throws -> String? {
        let report = try export(app, "next.json", seconds, since: base, manifest) {
            ($0.skipsUnchanged, $0.isDryRun) = (true, true)
            change(&$0)
        }
        return report.unchangedSince.map { URL(filePath: $0).lastPathComponent }
    }

    private static func edit(_ app: TrainLog, _ sql: String = "UPDATE Workout SET notes = 'x'") throws {
        try app.write(TrainLog.local, sql)
    }

    private static func replace(_ part: String, _ other: String, in name: String, of app: TrainLog) throws {
        let text = try app.folder.text(of: "out/" + name)
        try #require(text.contains(part))
        try app.folder.write(text.replacingOccurrences(of: part, with: other), to: "out/" + name)
    }

    private static func cut(_ name: String, of app: TrainLog) throws {
        try app.folder.write(Array(app.folder.bytes(of: "out/" + name).dropLast(40)), to: "out/" + name)
    }

    // MARK: Dated in the future

    @Test("an export that is dated in the future keeps none away, and hides none that would")
    func datedAhead() throws {
        let app = try Self.exported()
        try Self.export(app, "ahead.json", 400 * 86_400)
        #expect(try Self.keeper(app) == "full.json")
        try Self.edit(app)
        #expect(try Self.keeper(app) == nil)
        let report = try Self.export(app, "new.json", 1) { $0.skipsUnchanged = true }
        let warning = report.warnings.first { $0.code == "exportAhead" }
        #expect(warning?.message == "ahead.json: dated in the future, so Godwit does not compare with it")
        let again = try Self.export(app, "again.json", 2) { $0.skipsUnchanged = true }
        #expect(again.unchangedSince?.hasSuffix("new.json") == true)
        #expect(again.warnings.contains { $0.code == "exportAhead" })
        // Five minutes are tolerated.
        try app.folder.remove("out/ahead.json")
        try Self.export(app, "soon.json", 300)
        #expect(try Self.keeper(app, 2) == "soon.json")
    }

    @Test("what shrank is found behind an export that is dated in the future, and both are named")
    func shrunkBehindAhead() throws {
        let app = try Self.exported()
        try Self.edit(app, "DELETE FROM ExerciseSet")
        try Self.export(app, "ahead.json", 400 * 86_400)
        let error = failure { try Self.export(app, "next.json", 1) { $0.maxShrinkPercent = 50 } }
        #expect(error?.code == .data && error?.message.contains("full.json") == true)
        #expect(error?.message.contains("ahead.json: dated in the future") == true)
        try app.folder.remove("out/full.json")
        let report = try Self.export(app, "next.json", 1) { $0.maxShrinkPercent = 50 }
        #expect(report.warnings.map(\.code).suffix(2) == ["nothingToCompareWith", "exportAhead"])
    }

    // MARK: An export of everything

    @Test(
        "an increment of the same content does not keep an export of everything away",
        arguments: ["gone", "cut", "old"])
    func incrementOfNow(base: String) throws {
        let app = try Self.exported()
        try Self.edit(app)
        try Self.export(app, "increment.json", 1, since: "full.json")
        if base == "gone" { try app.folder.remove("out/full.json") }
        if base == "cut" { try Self.cut("full.json", of: app) }
        #expect(try Self.keeper(app) == nil)
        try Self.export(app, "whole.json", 2) { $0.skipsUnchanged = true }
        #expect(try Self.keeper(app) == "whole.json")
    }

    @Test("an increment that says that nothing changed leaves the export of everything the one that counts")
    func emptyIncrement() throws {
        let app = try Self.exported()
        try Self.export(app, "increment.json", 1, since: "full.json")
        #expect(try Self.keeper(app) == "full.json")
    }

    @Test("what was changed back since a newer increment is exported again")
    func changedBack() throws {
        let app = try Self.exported()
        try Self.edit(app, "INSERT INTO FavoriteExercise VALUES ('later', NULL, '2026-11-21')")
        try Self.export(app, "increment.json", 1, since: "full.json")
        try Self.edit(app, "DELETE FROM FavoriteExercise WHERE exerciseId = 'later'")
        #expect(try Self.keeper(app) == nil)
        try Self.export(app, "whole.json", 2)
        #expect(try Self.keeper(app) == "whole.json")
    }

    @Test("an increment whose header was edited to say that it holds what there is now keeps nothing away")
    func editedIncrement() throws {
        let app = try Self.exported()
        try Self.edit(app)
        let then = try Self.export(app, "increment.json", 1, since: "full.json").contentVersion
        try Self.edit(app, "UPDATE Workout SET notes = 'y'")
        let now = try Self.export(app, "../elsewhere.json", 2).contentVersion
        try Self.replace("\"contentVersion\": \"\(then)", "\"contentVersion\": \"\(now)", in: "increment.json", of: app)
        #expect(try Self.keeper(app) == nil)
        #expect(try Self.keeper(app, since: "full.json") == nil)
    }

    // MARK: Of what changed

    @Test("an increment is kept away by one that is the same, made since the same export")
    func sameIncrement() throws {
        let app = try Self.exported()
        try Self.edit(app)
        try Self.export(app, "increment.json", 1, since: "full.json")
        #expect(try Self.keeper(app, since: "full.json") == "increment.json")
        try Self.edit(app, "UPDATE Workout SET notes = 'y'")
        #expect(try Self.keeper(app, since: "full.json") == nil)
    }

    @Test("an increment is kept away by an export of everything that holds the same, and by its own base")
    func wholeInstead() throws {
        let app = try Self.exported()
        #expect(try Self.keeper(app, since: "full.json") == "full.json")
        try Self.edit(app)
        try Self.export(app, "whole.json", 1)
        #expect(try Self.keeper(app, since: "full.json") == "whole.json")
        try Self.cut("whole.json", of: app)
        #expect(try Self.keeper(app, since: "full.json") == nil)
    }

    @Test("an increment since another export, be it of the same content, keeps none away")
    func otherBase() throws {
        let app = try Self.exported()
        try Self.export(app, "second.json", 1)
        try Self.edit(app)
        try Self.export(app, "increment.json", 2, since: "full.json")
        #expect(try Self.keeper(app, since: "second.json") == nil)
        #expect(try Self.keeper(app, since: "full.json") == "increment.json")
    }

    @Test("an increment that was cut keeps none away")
    func cutIncrement() throws {
        let app = try Self.exported()
        try Self.edit(app)
        try Self.export(app, "increment.json", 1, since: "full.json")
        try Self.cut("increment.json", of: app)
        #expect(try Self.keeper(app, since: "full.json") == nil)
    }

    // MARK: What the header says besides

    @Test("the same records under another version of the app's exports, or another migration, are not the same export")
    func versions() throws {
        let app = try Self.exported()
        var text = try Repository.text("SampleData/trainlog/godwit.yaml").replacingOccurrences(
            of: "../../Migrations/trainlog", with: Repository.path("Migrations/trainlog"))
        try #require(text.contains("schemaVersion: 1"))
        text = text.replacingOccurrences(of: "schemaVersion: 1", with: "schemaVersion: 2")
        let later = try Manifest.load(path: app.folder.write(text, to: "later.yaml"))
        #expect(try Self.keeper(app) == "full.json")
        #expect(try Self.keeper(app, 9, since: nil, later) == nil)
        try Self.edit(app, "PRAGMA user_version = 7")
        #expect(try Self.keeper(app) == nil)
        try Self.edit(app, "PRAGMA user_version = 0")
        #expect(try Self.keeper(app) == "full.json")
        try Self.replace("\"schemaMigration\": 2", "\"schemaMigration\": 1", in: "full.json", of: app)
        #expect(try Self.keeper(app) == nil)
    }

    // MARK: Selections

    @Test("naming all entities, in any order, is an export of everything")
    func allEntities() throws {
        let app = try Self.exported()
        let all = app.manifest.entities.map(\.name)
        #expect(try Self.keeper(app) { $0.entities = all.reversed() } == "full.json")
        let named = try Self.export(app, "named.json", 1) { $0.entities = all + all }
        #expect(!(try app.folder.text(of: "out/named.json").contains("\"selection\"")))
        #expect(named.contentVersion == (try Self.export(app, "other.json", 2).contentVersion))
        try app.folder.remove("out/full.json")
        try app.folder.remove("out/other.json")
        #expect(try Self.keeper(app) == "named.json")
        try Self.edit(app)
        let increment = try Self.export(app, "increment.json", 3, since: "named.json") { $0.entities = all }
        #expect(increment.counts["Workout"] == 40)
    }
}
