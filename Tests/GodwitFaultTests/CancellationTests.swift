import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Cancelling rolls back the current stage; what was committed before stays and is reported.
struct CancellationTests {
    @Test("a cancelled task throws, and the container is unchanged")
    func task() async throws {
        let app = try TrainLog(.container)
        let migration = try app.migration()
        let before = try app.fingerprint()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await migration.run()
        }
        let error = await #expect(throws: GodwitError.self) { _ = try await task.value }
        #expect(error?.code == .interrupted)
        #expect(error?.report != nil)
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test(
        "a run cancelled inside a stage rolls back that stage and keeps the earlier ones",
        arguments: [
            FaultPoint.beforeSchemaCommit, .beforeLegacyCommit, .beforeDedupeCommit, .beforeCopyCommit,
        ])
    func stage(_ point: FaultPoint) throws {
        // A failure at the same point shows the expected contents of the stores.
        let failed = try prepared()
        _ = failure { try failed.perform(faultPoint: Fault(at: point).meet) }
        let app = try prepared()
        let cancellation = Cancellation()
        let error = failure {
            try app.perform(
                cancellation: cancellation,
                faultPoint: { reached throws(GodwitError) in if reached == point { cancellation.cancel() } })
        }
        #expect(error?.code == .interrupted)
        #expect(error?.hint?.isEmpty == false)
        #expect(try app.contents().differences(from: failed.contents()) == [])
        #expect(try !app.isFlagSet())
        #expect(try app.leftovers() == [])
        #expect(try app.perform().failedChecks == [])
    }

    @Test("a run cancelled between commit and flag sets no flag, and the next run sets it")
    func committed() throws {
        let app = try prepared()
        let cancellation = Cancellation()
        let error = failure {
            try app.perform(
                cancellation: cancellation,
                faultPoint: { point throws(GodwitError) in if point == .afterCopyCommit { cancellation.cancel() } })
        }
        #expect(error?.code == .interrupted)
        #expect(try !app.isFlagSet())
        #expect(try app.leftovers() == [])
        let report = try app.perform()
        #expect(report.copy?.outcome == .healed)
        #expect(try app.isFlagSet())
    }

    @Test(
        "a run cancelled at the flag sets it, and any later error says so",
        arguments: [FaultPoint.beforeFlag, .afterFlag], [Command.run, .copy])
    func sealed(_ faultPoint: FaultPoint, _ command: Command) throws {
        let app = try prepared()
        let cancellation = Cancellation()
        var report: RunReport?
        let error = failure {
            report = try app.perform(
                command, cancellation: cancellation,
                faultPoint: { point throws(GodwitError) in if point == faultPoint { cancellation.cancel() } })
        }
        #expect(try app.isFlagSet())
        #expect((report ?? error?.report)?.copy?.flag?.isSet == true)
        #expect(error == nil || error?.stage == .verify)
        #expect(try app.perform(command).outcome == .alreadyDone)
    }

    /// A container in which every stage has work.
    private func prepared() throws -> TrainLog {
        let app = try TrainLog(.container)
        try app.make(TrainLog.cloud, "INSERT INTO UserSettings(id) VALUES ('a'), ('b')")
        try app.write(TrainLog.local, "INSERT INTO Workout SELECT * FROM Workout WHERE rowid = 1")
        return app
    }

    @Test("the exit code shows which signal arrived", arguments: [GodwitError.Code.interrupted, .terminated])
    func code(_ code: GodwitError.Code) throws {
        let app = try TrainLog(.container)
        for dryRun in [true, false] {
            let early = Cancellation()
            early.cancel(code)
            #expect(failure { try app.perform(dryRun: dryRun, cancellation: early) }?.code == code)
            let late = Cancellation()
            let error = failure {
                try app.perform(
                    dryRun: dryRun, cancellation: late,
                    faultPoint: { point throws(GodwitError) in if point == .beforeCopyCommit { late.cancel(code) } })
            }
            #expect(error?.code == code)
            #expect(error?.report?.run.dryRun == dryRun)
        }
    }

    @Test(
        "an error after the copy's commit says that it was committed, and whether the flag is set",
        arguments: [Scenario.container, .twoDevices], [FaultPoint.afterCopyCommit, .beforeFlag, .afterFlag])
    func afterCommit(sample: Scenario, point: FaultPoint) throws {
        // The commit of a new store that has no name yet has no effect.
        let isCommitted = point != .afterCopyCommit || sample == .twoDevices
        for (code, message) in [(GodwitError.Code.terminated, "Cancelled."), (.io, "There is no space left.")] {
            let app = try TrainLog(sample)
            let error = try #require(
                failure {
                    try app.perform(
                        faultPoint: { reached throws(GodwitError) in
                            if reached == point { throw GodwitError(.copy, code, message, hint: "Try again.") }
                        })
                })
            #expect(error.code == code)
            #expect(try app.isFlagSet() == (point == .afterFlag))
            let isTold = isCommitted && point != .afterFlag
            if code == .terminated {
                #expect(
                    error.message
                        == (isTold
                            ? "cancelled after the copy was committed; only its completion flag is missing" : message))
            } else {
                #expect(
                    error.message
                        == (isTold ? "the copy was committed, but its completion flag was not set: " : "") + message)
                #expect(error.hint == "Try again.")
            }
            #expect(try app.perform().outcome != .failed && app.isFlagSet())
        }
    }

    @Test("the exit code shows which signal arrived, also if SQLite was interrupted")
    func interruptedStatement() throws {
        let app = try TrainLog(.container)
        let cancellation = Cancellation()
        let error = failure {
            try app.perform(
                cancellation: cancellation,
                faultPoint: { _ throws(GodwitError) in
                    cancellation.cancel(.terminated)
                    throw GodwitError(.schema, .interrupted, "cancelled; this stage was rolled back")
                })
        }
        #expect(error?.code == .terminated)
    }

    @Test(
        "cancelling a large store at any time gives an interruption",
        arguments: [
            Command.run, .copy, .verify,
        ])
    func large(_ command: Command) throws {
        let app = try TrainLog()
        let rows = (1...9000).map { "('w\($0)', 't', NULL, 's', NULL, 'c', '2026-01-01')" }.joined(separator: ",")
        try app.make(TrainLog.local, "INSERT INTO Workout VALUES \(rows)")
        let before = try app.fingerprint()
        for code in [GodwitError.Code.interrupted, .terminated] {
            let cancellation = Cancellation()
            cancellation.cancel(code)
            #expect(failure { try app.perform(command, cancellation: cancellation) }?.code == code)
            #expect(try app.fingerprint().differences(from: before) == [])
        }
    }

    @Test("a cancelled export leaves no file")
    func export() async throws {
        let app = try TrainLog(.container)
        try app.perform()
        let migration = try app.migration()
        let url = app.folder.url("export.json")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await migration.export(to: url)
        }
        let error = await #expect(throws: GodwitError.self) { _ = try await task.value }
        #expect(error?.code == .interrupted)
        #expect(app.folder.names().filter { $0.contains("export") || $0.hasPrefix(".godwit") } == [])
    }

    @Test("a run reports its progress")
    func progress() async throws {
        let app = try TrainLog()
        let rows = (1...9000).map { "('w\($0)', 't', NULL, 's', NULL, 'c', '2026-01-01')" }.joined(separator: ",")
        try app.make(TrainLog.local, "INSERT INTO Workout VALUES \(rows)")
        let steps = Steps()
        let report = try await app.migration().run { steps.add($0) }
        #expect(report.outcome == .done)
        #expect(steps.completed.last == 8192)
    }
}
