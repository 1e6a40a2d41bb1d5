import GodwitModel
import Foundation
import GodwitTestSupport
import Testing

/// All steps on every container of the other sample apps, compared with SQLite's own queries.
struct AppSampleTests {
    @Test("both stores hold the records that SQL selects, value by value", arguments: AppSample.tried)
    func stores(_ sample: AppSample) throws {
        let scene = try sample.makeScene()
        let oracle = try MergeOracle(sample.app, in: scene)
        try sample.run(in: scene)
        try oracle.open(scene)
        for entity in sample.app.entities {
            let local = oracle.localSchema(of: entity)
            #expect(try oracle.records(entity, in: "m") == oracle.winners(entity, of: [local]), "local \(entity.table)")
            let merged = try oracle.winners(entity, of: [local, "c"])
            #expect(try oracle.records(entity, in: "n") == merged, "cloud \(entity.table)")
            // Only articles and cards must find something; an empty result would always be equal.
            if entity.table == sample.app.entities[0].table { #expect(!merged.isEmpty) }
        }
        try oracle.close()
    }

    @Test("the report has the counts that SQL gives", arguments: AppSample.tried)
    func figures(_ sample: AppSample) throws {
        let scene = try sample.makeScene()
        let oracle = try MergeOracle(sample.app, in: scene)
        let finished = try sample.godwit("run", "--json", in: scene)
        #expect(finished.code == 0, "\(finished.errorText)")
        let report = try finished.json()
        try oracle.open(scene)
        let reported = report["copy", "entities"]?.items ?? []
        #expect(reported.compactMap { $0["name"]?.string } == sample.app.entities.map(\.table))
        for (entity, figures) in zip(sample.app.entities, reported) {
            let expected = try Figures(entity, oracle)
            let found = Figures(
                local: figures["local"]?.integer, inserted: figures["inserted"]?.integer,
                updated: figures["updated"]?.integer, equal: figures["equal"]?.integer,
                cloudKept: figures["cloudKept"]?.integer, cloudAfter: figures["cloudAfter"]?.integer)
            #expect(found == expected, "\(entity.table)")
            let gone = report["dedupe", "removed"]?[entity.table]?.integer ?? 0
            #expect(try gone == oracle.surplus(entity, in: "l"), "local \(entity.table)")
            let goneInCloud = report["copy", "dedupe", "removed"]?[entity.table]?.integer ?? 0
            #expect(try goneInCloud == oracle.surplus(entity, in: "c"), "cloud \(entity.table)")
        }
        try oracle.close()
    }

    @Test("the plan of an app sample reports what the run then does, and changes nothing", arguments: AppSample.tried)
    func plan(_ sample: AppSample) throws {
        let scene = try sample.makeScene()
        let before = try scene.fingerprint()
        var plan = try sample.godwit("plan", "--json", in: scene).json()
        try scene.expectUnchanged(since: before)
        var run = try sample.godwit("run", "--json", in: scene).json()
        for part in ["run", "nextSteps", "plan"] {
            plan[part] = nil
            run[part] = nil
        }
        #expect(try plan.text == run.text)
    }

    @Test("a second run of an app sample finds everything done and changes nothing", arguments: AppSample.tried)
    func twice(_ sample: AppSample) throws {
        let scene = try sample.makeScene()
        try sample.run(in: scene)
        let before = try scene.fingerprint()
        for _ in 1...2 {
            let again = try sample.godwit("run", "--json", in: scene)
            #expect(again.code == 0, "\(again.errorText)")
            #expect(try again.json()["outcome"] == "alreadyDone")
            try scene.expectUnchanged(since: before)
        }
    }

    @Test("the committed expectation of an app sample is met before and after a run", arguments: AppSample.tried)
    func expectation(_ sample: AppSample) throws {
        let scene = try sample.makeScene()
        let path = Golden.path(sample.name + "/expectation.json", of: sample.app.name)
        if Golden.isUpdating {
            #expect(try sample.godwit("verify", "-q", "--expect", path, "--update-expect", in: scene).code == 0)
        }
        for isDone in [false, true] {
            if isDone { try sample.run(in: scene) }
            let before = try scene.fingerprint()
            let finished = try sample.godwit("verify", "--expect", path, "--json", in: scene)
            #expect(finished.code == 0, "\(finished.text)")
            #expect(try finished.json()["expectation", "verdict"] == "met")
            try scene.expectUnchanged(since: before)
        }
    }

    @Test(
        "the flag is added to the first preferences file, and nothing else changes in any of them",
        arguments: AppSample.tried
    )
    func preferences(_ sample: AppSample) throws {
        let scene = try sample.makeScene()
        let there = sample.app.preferences.filter(scene.exists)
        let before = try there.map { try PropertyList.read(scene.path($0)) }
        let bytes = try there.map { try scene.folder.bytes(of: scene.inFolder($0)) }
        try sample.run(in: scene)
        for (at, name) in sample.app.preferences.enumerated() where at == 0 || there.contains(name) {
            var after = try PropertyList.read(scene.path(name))
            if at == 0 { #expect(after.removeValue(forKey: "cloudMigrationDone") as? Bool == true) }
            guard at < there.count else {
                #expect(after.isEmpty)
                continue
            }
            #expect(NSDictionary(dictionary: after) == NSDictionary(dictionary: before[at]))
            let now = try scene.folder.bytes(of: scene.inFolder(name))
            #expect(now.prefix(6) == bytes[at].prefix(6), "binary stays binary, XML stays XML")
            if at > 0 { #expect(now == bytes[at]) }
        }
    }

    @Test("an export has every record as SQLite reads it", arguments: AppSample.tried)
    func export(_ sample: AppSample) throws {
        let scene = try sample.makeScene()
        try sample.run(in: scene)
        let finished = try scene.godwit("export", "-q", "--account", "available")
        #expect([0, 4].contains(finished.code), "\(finished.errorText)")
        let entities = try JSONValue(finished.output)["entities"]?.items ?? []
        #expect(entities.compactMap { $0["name"]?.string } == sample.app.entities.map(\.table))
        let store = try scene.open(sample.app.cloud)
        for (entity, exported) in zip(sample.app.entities, entities) {
            let rows = try store.records(of: entity.table, key: entity.key)
            #expect(exported["records"]?.items == rows, "\(entity.table)")
        }
        try store.close()
    }
}

/// What a copy's report says of an entity.
private struct Figures: Equatable {
    var local: Int64?
    var inserted: Int64?
    var updated: Int64?
    var equal: Int64?
    var cloudKept: Int64?
    var cloudAfter: Int64?
}

extension Figures {
    /// The figures computed from the records of both stores before the run.
    fileprivate init(_ entity: SampleEntity, _ oracle: MergeOracle) throws {
        let index = try oracle.columns(of: entity).firstIndex(of: entity.key) ?? 0
        func byKey(_ schemas: [String]) throws -> [Value: [Value]] {
            Dictionary(uniqueKeysWithValues: try oracle.winners(entity, of: schemas).map { ($0[index], $0) })
        }
        let schema = oracle.localSchema(of: entity)
        let (local, cloud, merged) = (try byKey([schema]), try byKey(["c"]), try byKey([schema, "c"]))
        let both = local.keys.filter { cloud[$0] != nil }
        let equal = both.filter { local[$0] == cloud[$0] }
        let updated = both.filter { local[$0] != cloud[$0] && merged[$0] == local[$0] }
        self.init(
            local: Int64(local.count), inserted: Int64(local.count - both.count), updated: Int64(updated.count),
            equal: Int64(equal.count), cloudKept: Int64(both.count - equal.count - updated.count),
            cloudAfter: Int64(merged.count))
    }
}
