import GodwitModel
import Foundation
import GodwitTestSupport
import Testing

/// All steps on every sample container, compared with committed results.
struct SampleRunTests {
    @Test("the report of each sample's run matches its expected file", arguments: Scene.Sample.allCases)
    func run(_ sample: Scene.Sample) throws {
        let scene = try Scene(sample)
        let finished = try scene.godwit("run", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(finished.errors.isEmpty)
        let report = try finished.json().normalisedReport(in: scene)
        try Golden.expect(report.text, equals: sample.rawValue + "/run.json")
        #expect(scene.leftovers == [])
    }

    @Test("the plan of a sample reports what the run then does", arguments: Scene.Sample.allCases)
    func plan(_ sample: Scene.Sample) throws {
        let scene = try Scene(sample)
        let before = try scene.fingerprint()
        var plan = try scene.godwit("plan", "--json").json()
        try scene.expectUnchanged(since: before)
        var run = try scene.godwit("run", "--json").json()
        #expect(plan["run", "dryRun"] == true)
        #expect(plan["run", "command"] == "plan")
        #expect(plan["plan", "formatVersion"] == 1 && run["plan"] == nil)
        for part in ["run", "nextSteps", "plan"] {
            plan[part] = nil
            run[part] = nil
        }
        #expect(try plan.text == run.text)
    }

    @Test(
        "the stores of a sample hold the expected rows",
        arguments: [
            (Scene.Sample.container, StoreRole.local, "container/entities.json"),
            (.container, .cloud, "container/entities.json"),
            (.twoDevices, .local, "two-devices/local-entities.json"),
            (.twoDevices, .cloud, "two-devices/cloud-entities.json"),
            (.interrupted, .local, "interrupted/entities.json"),
            (.interrupted, .cloud, "interrupted/entities.json"),
        ])
    func stores(_ sample: Scene.Sample, _ role: StoreRole, _ golden: String) throws {
        let scene = try Scene(sample)
        #expect(try scene.godwit("run", "-q").code == 0)
        let finished = try scene.godwit("export", "-q", "--account", role == .cloud ? "available" : "noAccount")
        #expect(finished.code == 0, "\(finished.errorText)")
        let entities = try #require(ExportText(finished.text).entities)
        try Golden.expect(entities + "\n", equals: golden)
        let store = try scene.open(role == .cloud ? Scene.cloud : Scene.local)
        for entity in try JSONValue(entities.utf8).items {
            let name = try #require(entity["name"]?.string)
            let rows = try store.records(of: name, key: try #require(entity["key"]?.string))
            #expect(entity["records"]?.items == rows, "\(name) is exported as SQLite reads it")
            #expect(entity["count"]?.integer == Int64(rows.count))
        }
    }

    @Test("the flag is added to the preferences, and nothing else changes")
    func flag() throws {
        let scene = try Scene()
        let path = scene.path(Scene.plist)
        let before = try PropertyList.read(path)
        #expect(try scene.godwit("run", "-q").code == 0)
        var after = try PropertyList.read(path)
        #expect(after.removeValue(forKey: "cloudMigrationDone") as? Bool == true)
        #expect(NSDictionary(dictionary: after) == NSDictionary(dictionary: before))
        #expect(try scene.folder.bytes(of: scene.inFolder(Scene.plist)).starts(with: Array("bplist00".utf8)))
    }

    @Test("records that leave a table are kept in godwit_removed")
    func removed() throws {
        let scene = try Scene(.twoDevices)
        #expect(try scene.godwit("run", "-q").code == 0)
        let store = try scene.open(Scene.cloud)
        let rows = try store.rows(
            """
            SELECT entity, key, count(*) FROM godwit_removed WHERE reason IN ('earliest', 'newest')
            GROUP BY entity, key ORDER BY entity, key
            """)
        let kept = rows.map { row in row.map(\.readable).joined(separator: " ") }
        #expect(kept.contains("FavoriteExercise bench-press 2"), "\(kept)")
        #expect(try store.integer("SELECT count(*) FROM FavoriteExercise WHERE exerciseId = 'bench-press'") == 1)
        let record = try #require(
            try store.text("SELECT record FROM godwit_removed WHERE record LIKE '%again, from the tablet%'"))
        let loser = try JSONValue(record.utf8)
        #expect(loser["exerciseId"] == "bench-press")
        #expect(loser["createdAt"] == "2026-10-12T21:47:05.000Z")
    }

    @Test("an app without data gets no flag and no receipt")
    func nothingYet() throws {
        let scene = try Scene(.empty)
        let before = try scene.fingerprint()
        let finished = try scene.godwit("run", "--json")
        #expect(finished.code == 0)
        let codes = try finished.json()["warnings"]?.items.compactMap { $0["code"]?.string }
        #expect(codes == ["legacyMissing", "localStoreMissing"])
        try scene.expectUnchanged(since: before)
    }

    @Test("with --allow-empty a run without data completes and stays complete")
    func allowedEmpty() throws {
        let scene = try Scene(.empty)
        #expect(try scene.godwit("run", "--allow-empty", "-q").code == 0)
        #expect(try PropertyList.read(scene.path(Scene.plist))["cloudMigrationDone"] as? Bool == true)
        let before = try scene.fingerprint()
        let again = try scene.godwit("run", "--json")
        #expect(try again.json()["outcome"] == "alreadyDone")
        try scene.expectUnchanged(since: before)
    }
}
