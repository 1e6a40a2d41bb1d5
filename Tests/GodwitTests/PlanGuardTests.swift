import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A run that follows a plan works with what was compared, and does what was planned, or stops.
struct PlanGuardTests {
    // MARK: Between the comparison and the first write

    /// Lets the app write right after the comparison, and expects the run to stop with nothing of its own written.
    private func expectNoticed(
        _ app: TrainLog, naming name: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ write: @escaping @Sendable (TrainLog) throws -> Void
    ) throws {
        try app.savePlan()
        let error = failure {
            try app.runPlan(
                faultPoint: { point throws(GodwitError) in
                    if point == .afterPlanComparison { try? write(app) }
                })
        }
        #expect(error?.code == .data, sourceLocation: sourceLocation)
        #expect(
            error?.message.contains("\(name)` after it was compared with the plan")
                == true,
            Comment(rawValue: error?.message ?? "no error"), sourceLocation: sourceLocation)
        #expect(try app.isFlagSet() == false, sourceLocation: sourceLocation)
    }

    @Test(
        "an app's commit to the local store after the comparison is noticed",
        arguments: [Shape.container, .twoDevices, .walLocal])
    func local(_ shape: Shape) throws {
        let app = try shape.make()
        try expectNoticed(app, naming: "TrainLog.store") {
            try $0.write(TrainLog.local, "UPDATE Workout SET title = 'of the app'")
        }
        #expect(
            try app.count(TrainLog.local, "SELECT count(*) FROM sqlite_schema WHERE name = 'godwit_migration'") == 0)
        #expect(try app.count(TrainLog.local, "SELECT count(*) FROM Workout WHERE title <> 'of the app'") == 0)
    }

    @Test("an app's commit to a local store that needs no work is noticed before the copy")
    func finishedLocal() throws {
        let app = try TrainLog(.container)
        try app.perform(.migrate)
        try expectNoticed(app, naming: "TrainLog.store") {
            try $0.write(TrainLog.local, "UPDATE Workout SET title = 'of the app'")
        }
        #expect(!app.folder.exists(TrainLog.cloud))
    }

    @Test(
        "a sync's commit to the cloud store after the comparison is noticed", arguments: [Shape.twoDevices, .walCloud])
    func cloud(_ shape: Shape) throws {
        let app = try shape.make()
        try expectNoticed(app, naming: "TrainLogCloud.store") {
            try $0.write(TrainLog.cloud, "UPDATE Workout SET title = 'of the sync'")
        }
        #expect(try app.count(TrainLog.cloud, "SELECT count(*) FROM sqlite_schema WHERE name = 'godwit_receipt'") == 0)
    }

    @Test("preferences that are saved after the comparison are noticed")
    func preferences() throws {
        let app = try TrainLog(.twoDevices)
        try expectNoticed(app, naming: "com.example.trainlog.plist") {
            try $0.writePreferences(["weightUnit": .string("kg")])
        }
        #expect(try app.count(TrainLog.local, "SELECT count(*) FROM sqlite_schema WHERE name = 'godwit_receipt'") == 0)
    }

    // MARK: Doing something else

    @Test("a legacy import that would come to something else is rolled back")
    func otherLegacy() throws {
        let app = try TrainLog(.container)
        try app.savePlan()
        try app.forgePlan { $0.legacy?.buckets["migrated"] = 6 }
        let error = failure { try app.runPlan() }
        #expect(error?.code == .data)
        #expect(error?.stage == .legacy)
        #expect(error?.message.contains("buckets.migrated") == true)
        #expect(try app.count(TrainLog.local, of: "FavoriteExercise") == 0)
        #expect(try !app.isFlagSet())
    }

    @Test("a dedupe that would choose another winner is rolled back")
    func otherDedupe() throws {
        let app = try Shape.walLocal.make()
        try app.savePlan()
        try app.forgePlan { $0.dedupe?.groups[0].winner.key = "another" }
        let error = failure { try app.runPlan() }
        #expect(error?.stage == .dedupe)
        #expect(error?.message.contains("groups[0].winner.key") == true)
        #expect(try app.count(TrainLog.local, of: "godwit_removed") == 0)
    }

    @Test("a copy that came to something else gets no flag, and a run without the plan finishes it")
    func otherCopy() throws {
        let app = try TrainLog(.twoDevices)
        try app.savePlan()
        try app.forgePlan { $0.copy?.entities[0].inserted += 1 }
        let error = failure { try app.runPlan() }
        #expect(error?.stage == .copy)
        #expect(error?.message.contains("entities[0].inserted") == true)
        #expect(try !app.isFlagSet())
        #expect(try app.perform().copy?.outcome == .healed)
        #expect(try app.isFlagSet())
    }

    @Test("what only the whole report shows is a warning")
    func otherProof() throws {
        let app = try TrainLog(.twoDevices)
        try app.savePlan()
        try app.forgePlan { $0.verify?.checks[0].detail = "something else" }
        let report = try app.runPlan()
        let warning = report.warnings.first { $0.code == "divergedFromPlan" }
        #expect(warning?.message.contains("verify.checks[0].detail") == true)
        #expect(try app.isFlagSet())
    }
}
