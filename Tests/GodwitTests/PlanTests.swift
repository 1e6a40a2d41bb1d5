import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// What a plan reports is what the run then reports; the plan itself changes nothing.
struct PlanTests {
    @Test("the plan of a sample is what the run then does", arguments: Scenario.allCases, [false, true])
    func samples(_ scenario: Scenario, allowsEmpty: Bool) throws {
        try requireFaithful(TrainLog(scenario)) { $0.allowsEmpty = allowsEmpty }
    }

    @Test("the plan of a container in any state is what the run then does", arguments: Shape.allCases)
    func shapes(_ shape: Shape) throws {
        try requireFaithful(shape.make())
    }

    @Test("a dry run of any command is what the command then does", arguments: Command.allCases, Shape.allCases)
    func commands(_ command: Command, _ shape: Shape) throws {
        try requireFaithful(shape.make(), command)
    }

    @Test(
        "the plan of a container that is done, or half done, is what the run then does",
        arguments: [
            FaultPoint.beforeLegacyCommit, .afterCopyCommit, .beforeFlag, .afterFlag,
        ])
    func halfDone(_ point: FaultPoint) throws {
        let app = try Shape.twoDevices.make()
        _ = failure { try app.perform(faultPoint: Fault(at: point).meet) }
        try requireFaithful(app)
        try requireFaithful(app)
    }

    @Test(
        "the plan of a generated container is what the run then does",
        arguments: GeneratedCases.numbers(0..<120, few: 25))
    func generated(seed: Int) throws {
        let sample = try GeneratedContainer(seed: UInt64(seed))
        try requireFaithful(sample.app, change: sample.change)
    }

    private func requireFaithful(
        _ app: TrainLog, _ command: Command = .run, change: (inout MigrationOptions) -> Void = { _ in }
    ) throws {
        let before = try app.fingerprint()
        let plan = try Ending { try app.perform(command, dryRun: true, options: change) }
        #expect(try app.fingerprint().differences(from: before) == [])
        let run = try Ending { try app.perform(command, options: change) }
        #expect(plan == run)
    }

    @Test(
        "a plan shows the command for its changes, and quotes a word with a blank", .commandLineWords
    )
    func nextStep() throws {
        let app = try TrainLog(.container)
        let plan = try app.perform(dryRun: true)
        #expect(plan.run.command == "plan")
        #expect(plan.run.dryRun)
        #expect(plan.nextSteps.contains { $0.contains("godwit run -m ") && $0.contains(app.container) })
        try app.perform()
        #expect(try app.perform(dryRun: true).nextSteps == [])
    }

    @Test("neither a plan nor a run, done or failed, leaves a scratch folder", .hangGuard)
    func noScratch() async throws {
        let earlier = Set(ScratchFolders.unowned())
        for shape in Shape.allCases {
            let app = try shape.make()
            _ = try app.perform(dryRun: true)
            _ = failure { try app.perform(dryRun: true, faultPoint: Fault(at: .beforeCopyCommit).meet) }
            _ = failure { try app.perform(faultPoint: Fault(at: .beforeFlag).meet) }
            try app.perform()
            _ = try app.migration().exportAndKeep(to: app.folder["export.json"], options: .init())
        }
        // Tests next to this one make scratch folders as well, and have them for a moment before they lock them.
        var left = Set(ScratchFolders.unowned()).subtracting(earlier)
        for _ in 0..<50 where !left.isEmpty {
            try await Task.sleep(for: .milliseconds(100))
            left.formIntersection(ScratchFolders.unowned())
        }
        #expect(left == [])
    }
}
