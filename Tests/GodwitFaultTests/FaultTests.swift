import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A run that stops at any point and runs again gives the result of one complete run.
struct FaultTests {
    @Test(
        "a run that stops at any point is completed by the next",
        arguments: GeneratedCases.of(Shape.allCases, few: [.container, .twoDevices]), FaultPoint.allCases)
    func stopped(_ shape: Shape, at point: FaultPoint) throws {
        let calm = try shape.make()
        try calm.perform()
        let app = try shape.make()
        let fault = Fault(at: point)
        let error = failure { try app.perform(faultPoint: fault.meet) }
        #expect(fault.wasMet == shape.faultPoints.contains(point))
        #expect((error?.code == .io) == fault.wasMet)
        #expect(error == nil || error?.report?.outcome == .failed)
        try requireTrueFlag(app)
        #expect(try app.leftovers() == [])

        let second = try app.perform()
        #expect(second.failedChecks == [])
        #expect(try app.contents().differences(from: calm.contents()) == [])
        #expect(try app.readPreferences() == calm.readPreferences())
        #expect(try app.leftovers() == [])
        #expect(try app.perform().outcome == .alreadyDone)
    }

    /// At any point, a flag that is true proves a receipt and a copy of every local record.
    private func requireTrueFlag(_ app: TrainLog) throws {
        guard try app.isFlagSet() else { return }
        #expect(try app.count(TrainLog.cloud, "SELECT count(*) FROM godwit_receipt WHERE stage = 'copy'") == 1)
        for (table, key) in [("Workout", "id"), ("ExerciseSet", "id"), ("FavoriteExercise", "exerciseId")] {
            let keys = "SELECT DISTINCT \(key) FROM \(table)"
            let missing = Set(try app.column(TrainLog.local, keys)).subtracting(try app.column(TrainLog.cloud, keys))
            #expect(missing == [], "\(table)")
        }
    }

    @Test("a run that stops twice is completed by the third")
    func stoppedTwice() throws {
        let calm = try Shape.twoDevices.make()
        try calm.perform()
        let order: [FaultPoint] = [
            .beforeLegacyCommit, .beforeDedupeCommit, .beforeCopyCommit, .afterCopyCommit, .beforeFlag, .afterFlag,
        ]
        for (index, first) in order.enumerated() {
            let app = try Shape.twoDevices.make()
            for point in [first, order[min(index + 1, order.count - 1)]] {
                _ = failure { try app.perform(faultPoint: Fault(at: point).meet) }
            }
            #expect(try app.perform().failedChecks == [], "\(first)")
            #expect(try app.contents().differences(from: calm.contents()) == [], "\(first)")
        }
    }

    @Test(
        "a run that fails before the copy's commit keeps the cloud store unchanged",
        arguments: [Shape.twoDevices, .walCloud])
    func cloudUntouched(_ shape: Shape) throws {
        let app = try shape.make()
        let before = try app.contents()[TrainLog.cloud]
        _ = failure { try app.perform(faultPoint: Fault(at: .beforeCopyCommit).meet) }
        #expect(try app.contents()[TrainLog.cloud] == before)
        #expect(try !app.isFlagSet())
    }

    @Test(
        "a copy into an existing store that fails after its commit is in the failure's report and in the history",
        arguments: [Shape.twoDevices, .walCloud], [Command.run, .copy])
    func copyInFailureReport(_ shape: Shape, _ command: Command) throws {
        let app = try shape.make()
        let error = failure { try app.perform(command, faultPoint: Fault(at: .afterCopyCommit).meet) }
        let copy = error?.report?.copy
        #expect(copy?.outcome == .done && copy?.entities.isEmpty == false && copy?.flag?.isSet == false)
        let ledger = command == .copy ? TrainLog.cloud : TrainLog.local
        #expect(try app.column(ledger, "SELECT outcome FROM godwit_run") == ["failed"])
        #expect(try app.perform(command).copy?.outcome == .healed)
    }

    @Test(
        "a stopped copy on its own keeps its source unchanged, and the next one completes it",
        arguments: FaultPoint.allCases)
    func stoppedCopy(at point: FaultPoint) throws {
        let calm = try Shape.twoDevices.make()
        try calm.perform(.copy)
        let app = try Shape.twoDevices.make()
        let source = try app.folder.bytes(of: TrainLog.local)
        _ = failure { try app.perform(.copy, faultPoint: Fault(at: point).meet) }
        try app.perform(.copy)
        #expect(try app.contents().differences(from: calm.contents()) == [])
        #expect(try app.folder.bytes(of: TrainLog.local) == source)
        #expect(try app.isFlagSet())
    }

    @Test("the next run removes only the temporary file of a killed run")
    func litter() throws {
        let app = try TrainLog(.container)
        let folder = "container/Library/Application Support/"
        try app.folder.write("half a store", to: folder + ".godwit-tmp-0123ABCD")
        try app.folder.write("half a journal", to: folder + ".godwit-tmp-0123ABCD-journal")
        try app.folder.write("mine", to: folder + "godwit-tmp-notes.txt")
        try app.perform()
        #expect(try app.leftovers() == [])
        #expect(try app.folder.text(of: folder + "godwit-tmp-notes.txt") == "mine")
    }
}
