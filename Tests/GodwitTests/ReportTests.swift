import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Every number of a report against what SQLite itself counts in the stores before and after.
struct ReportTests {
    static let entities = ["Workout", "ExerciseSet", "FavoriteExercise", "UserSettings"]

    @Test("the report's numbers are those of the stores", arguments: Shape.allCases)
    func shapes(_ shape: Shape) throws { try requireTrue(shape.make()) }

    @Test("the report's numbers are those of generated stores", arguments: GeneratedCases.numbers(200..<225, few: 8))
    func generated(seed: Int) throws {
        let sample = try GeneratedContainer(seed: UInt64(seed), isSound: true)
        try requireTrue(sample.app, sample.change)
    }

    private func requireTrue(_ app: TrainLog, _ change: (inout MigrationOptions) -> Void = { _ in }) throws {
        let before = try Self.counts(app)
        let report = try app.perform(options: change)
        guard report.copy?.outcome == .done else { return }
        let after = try Self.counts(app)
        for name in Self.entities {
            let copied: RunReport.Copy.Entity = try #require(report.copied(name))
            let sum = copied.inserted + copied.updated + copied.equal + copied.cloudKept + copied.duplicates
            #expect(copied.local == sum, "\(name)")
            let inserted = report.legacy?.inserted[name] ?? 0
            let removed = report.dedupe?.removed[name] ?? 0
            let (mine, theirs) = (before[TrainLog.local + name] ?? 0, before[TrainLog.cloud + name] ?? 0)
            #expect(Int(copied.local) == mine + inserted - removed, "\(name)")
            #expect(Int(copied.local) == after[TrainLog.local + name], "\(name)")
            let cloudRemoved = report.copy?.dedupe?.removed[name] ?? 0
            #expect(Int(copied.cloudBefore) == theirs - cloudRemoved, "\(name)")
            #expect(Int(copied.cloudAfter) == after[TrainLog.cloud + name], "\(name)")
            #expect(copied.cloudAfter == copied.cloudBefore + copied.inserted, "\(name)")
            let set = "SELECT count(*) FROM godwit_removed WHERE entity = '\(name)' AND reason "
            #expect(try app.count(TrainLog.cloud, set + "NOT LIKE 'replaced:%'") == removed + cloudRemoved, "\(name)")
            #expect(try app.count(TrainLog.cloud, set + "LIKE 'replaced:%'") == Int(copied.updated), "\(name)")
        }
        try requireTrueLedger(report, app)
        #expect(report.dedupe?.groupCount == report.dedupe?.groups.count)
        let losers = report.dedupe?.groups.reduce(0) { $0 + $1.losers.count }
        #expect(losers == report.dedupe?.removed.values.reduce(0, +))
    }

    private func requireTrueLedger(_ report: RunReport, _ app: TrainLog) throws {
        guard let legacy = report.legacy, app.folder.exists(TrainLog.preferences) else { return }
        #expect(legacy.buckets.values.reduce(0, +) == legacy.ledger.count)
        for (bucket, count) in legacy.buckets {
            #expect(legacy.ledger.count { $0.bucket.rawValue == bucket } == count, "\(bucket)")
        }
        guard legacy.outcome != .alreadyDone else { return }
        let fromFile = legacy.ledger.filter { $0.source != nil }
        #expect(Set(fromFile.map(\.key)).count == fromFile.count)
        #expect(fromFile.count == legacy.sources.reduce(0) { $0 + $1.keyCount })
    }

    private static func counts(_ app: TrainLog) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for store in [TrainLog.local, TrainLog.cloud] {
            for name in entities { counts[store + name] = try app.count(store, of: name) }
        }
        return counts
    }

    @Test("the same container is reported in the same words each time")
    func sameWords() throws {
        let app = try TrainLog(.twoDevices)
        let first = try Ending { try app.perform(dryRun: true) }
        let second = try Ending { try app.perform(dryRun: true) }
        #expect(first == second)
        #expect(first.error == nil)
    }
}
