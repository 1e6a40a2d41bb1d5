import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A plan that was saved is run as it is, or refused before anything is written.
struct SavedPlanTests {
    @Test("a saved plan is run, and its report is the plan's", arguments: Shape.allCases)
    func runs(_ shape: Shape) throws {
        let app = try shape.make()
        let plan = try app.savePlan()
        #expect(plan.plan?.inputs.isEmpty == false)
        let run = try app.runPlan()
        #expect(run.plan == nil)
        #expect(!run.warningCodes.contains("divergedFromPlan"))
        #expect(try Ending { plan } == Ending { run })
        #expect(try app.isFlagSet())
    }

    @Test("a plan that has been run is refused: its inputs are others now", arguments: Shape.allCases)
    func once(_ shape: Shape) throws {
        let app = try shape.make()
        try app.savePlan()
        try app.runPlan()
        try expectRefusal(app, naming: "changed")
    }

    @Test("a dry run of a saved plan says whether it still holds, and changes nothing")
    func dryRun() throws {
        let app = try TrainLog(.twoDevices)
        try app.savePlan()
        let before = try app.fingerprint()
        let report = try app.runPlan(dryRun: true)
        #expect(report.warnings.map(\.code) == [])
        try app.write(TrainLog.local, "UPDATE Workout SET title = 'x'")
        #expect(failure { try app.runPlan(dryRun: true) }?.code == .data)
        #expect(try app.fingerprint().names == before.names)
        #expect(try !app.isFlagSet())
    }

    @Test("a plan of a container that is done is run, and changes nothing")
    func done() throws {
        let app = try TrainLog(.container)
        try app.perform()
        try app.savePlan()
        let before = try app.fingerprint()
        #expect(try app.runPlan().outcome == .alreadyDone)
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("where a container is, and when the run is, does not matter")
    func later() throws {
        let app = try TrainLog(.twoDevices)
        try app.write(TrainLog.local, "UPDATE Workout SET updatedAt = '2026-11-21T06:30:00Z'")
        let plan = try app.savePlan()
        #expect(plan.warningCodes == ["clockSkew"])
        let run = try app.runPlan() { $0.now = Instant(seconds: Instant.sampleNow.seconds + 86_400) }
        #expect(run.warningCodes == [])
    }

    @Test("a local journal and a -wal file are hashed unchanged")
    func log() throws {
        let app = try Shape.walLocal.make()
        let plan = try app.savePlan()
        let log = plan.plan?.inputs.first { $0.kind == .local && $0.name.hasSuffix("-wal") }
        #expect(log?.exists == true)
        #expect(log?.size == Int64(try app.folder.bytes(of: TrainLog.local + "-wal").count))
    }

    // MARK: Refusals

    /// What may happen to a container between plan and run, and what the refusal then names.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let names: String
        let change: @Sendable (TrainLog) throws -> Void

        init(_ description: String, _ names: String, _ change: @escaping @Sendable (TrainLog) throws -> Void) {
            (testDescription, self.names, self.change) = (description, names, change)
        }
    }

    static let changes = [
        Change("the app saved a record", "local Library/Application Support/TrainLog.store changed in content") {
            try $0.write(TrainLog.local, "UPDATE Workout SET title = 'x' WHERE rowid = 1")
        },
        Change("the local store grew", "local Library/Application Support/TrainLog.store changed in size (") {
            try $0.write(TrainLog.local, "CREATE TABLE Big(x); INSERT INTO Big VALUES (zeroblob(100000))")
        },
        Change("the local store is gone", "local Library/Application Support/TrainLog.store no longer exists") {
            try $0.folder.remove(TrainLog.local)
        },
        Change("the local store has a log", "local Library/Application Support/TrainLog.store-wal appeared") {
            try $0.leaveInLog(TrainLog.local, "UPDATE Workout SET title = 'x' WHERE rowid = 1")
        },
        Change("a journal appeared", "cloud Library/Application Support/TrainLogCloud.store-journal appeared") {
            try $0.folder.write([UInt8](repeating: 0, count: 512), to: TrainLog.cloud + "-journal")
        },
        Change("the cloud store is gone", "cloud Library/Application Support/TrainLogCloud.store no longer exists") {
            try $0.folder.remove(TrainLog.cloud)
        },
        Change("a sync wrote to the cloud store", "cloud Library/Application Support/TrainLogCloud.store changed") {
            try $0.write(TrainLog.cloud, "DELETE FROM Workout WHERE rowid = 1")
        },
        Change("a setting was changed", "preferences Library/Preferences/com.example.trainlog.plist changed in") {
            try $0.writePreferences(["weightUnit": .string("kg")])
        },
        Change(
            "the preferences are gone", "preferences Library/Preferences/com.example.trainlog.plist no longer exists"
        ) {
            try $0.folder.remove(TrainLog.preferences)
        },
        Change("the preferences are dated otherwise", "com.example.trainlog.plist has another modification time") {
            try $0.datePreferences(TrainLog.preferencesWritten + 1)
        },
    ]

    @Test("what changed since is named, and nothing is written", arguments: changes)
    func changed(_ change: Change) throws {
        let app = try TrainLog(.twoDevices)
        try app.savePlan()
        try change.change(app)
        try expectRefusal(app, naming: change.names)
    }

    @Test("all that changed is named at once")
    func several() throws {
        let app = try TrainLog(.twoDevices)
        try app.savePlan()
        try app.folder.remove(TrainLog.cloud)
        try app.write(TrainLog.local, "UPDATE Workout SET title = 'x' WHERE rowid = 1")
        let message = try expectRefusal(app, naming: "3 inputs of the plan") { $0.allowsEmpty = true }
        #expect(message?.contains("TrainLog.store changed in content; cloud ") == true)
    }

    @Test("a store that appeared is named")
    func appeared() throws {
        let app = try TrainLog(.container)
        try app.savePlan()
        try app.make(TrainLog.cloud)
        try expectRefusal(app, naming: "cloud Library/Application Support/TrainLogCloud.store appeared")
    }

    static let options: [(String, @Sendable (inout MigrationOptions) -> Void)] = [
        ("option --allow-orphans is true, was false", { $0.allowsOrphans = true }),
        ("option --allow-empty is true, was false", { $0.allowsEmpty = true }),
        ("option --baseline is 1, was not set", { $0.baseline = 1 }),
        ("option --account is noAccount, was unknown", { $0.account = .noAccount }),
        ("option --network is offline, was unknown", { $0.network = .offline }),
    ]

    @Test("an option that was not the plan's is named", arguments: options.indices)
    func option(_ index: Int) throws {
        let app = try TrainLog(.twoDevices)
        try app.savePlan()
        let (name, change) = Self.options[index]
        try expectRefusal(app, naming: name, change)
    }

    @Test("values that --verbose shows are not part of the plan")
    func verbose() throws {
        let app = try TrainLog(.container)
        try app.savePlan { $0.showsValues = true }
        let report = try app.runPlan()
        #expect(report.warningCodes == [])
        #expect(report.legacy?.buckets["migrated"] == 5)
    }

    @discardableResult
    private func expectRefusal(
        _ app: TrainLog, naming part: String, _ change: (inout MigrationOptions) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String? {
        let before = try app.fingerprint()
        let error = failure { try app.runPlan(options: change) }
        #expect(error?.code == .data, sourceLocation: sourceLocation)
        #expect(error?.message.hasSuffix("; nothing was written") == true, sourceLocation: sourceLocation)
        #expect(
            error?.message.contains(part) == true, Comment(rawValue: error?.message ?? ""),
            sourceLocation: sourceLocation)
        #expect(try app.fingerprint().differences(from: before) == [], sourceLocation: sourceLocation)
        return error?.message
    }
}
