import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A run's dedupe undone in whole containers: both stores, their books, what a run says afterwards.
struct UndoRunTests {
    /// Duplicates as a restored backup leaves them: two workouts of one key, their sets, and settings of another device.
    private static let duplicates = """
        INSERT INTO Workout SELECT id, title || ' again', notes, startedAt, durationSeconds, createdAt, '2026-11-20T10:00:00Z'
          FROM Workout ORDER BY id LIMIT 2;
        INSERT INTO ExerciseSet SELECT * FROM ExerciseSet ORDER BY id LIMIT 3;
        INSERT INTO UserSettings VALUES ('other', 'lb', 'dark', 60, 1, '2026-01-01', '2026-11-20T10:00:00Z');
        """

    /// A container whose stores both hold duplicates, at the latest schema.
    private func made() throws -> TrainLog {
        let app = try TrainLog(.twoDevices)
        try app.perform(.migrate)
        try app.write(TrainLog.local, Self.duplicates)
        return app
    }

    @discardableResult
    private func undo(
        _ app: TrainLog, _ run: String = "latest", dryRun: Bool = false,
        options change: (inout MigrationOptions) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws -> RunReport {
        try app.migration(change).undoDedupe(of: run, dryRun: dryRun, faultPoint: faultPoint)
    }

    /// The app's own tables of a store.
    private func records(_ app: TrainLog, _ store: String) throws -> [String: [String]] {
        try app.contents()[store]?.tables.filter { !$0.key.hasPrefix("godwit_") } ?? [:]
    }

    @Test(
        "dedupe, undone: the store's records are what they were, and both runs are in the history", .commandLineWords)
    func dedupe() throws {
        let app = try made()
        let before = try records(app, TrainLog.local)
        let first = try app.perform(.dedupe)
        let deduped = try records(app, TrainLog.local)
        #expect(first.dedupe?.removed == ["Workout": 2, "ExerciseSet": 3, "UserSettings": 1])
        let report = try undo(app)
        #expect(report.outcome == .done)
        #expect(report.undo?.runId == first.run.id)
        #expect(report.undo?.stores.map(\.store) == [.local])
        #expect(report.undo?.stores.first?.restored == first.dedupe?.removed)
        #expect(report.undo?.stores.first?.rekeyed == 1)
        #expect(try records(app, TrainLog.local) == before)
        let history = try app.migration().history().runs
        let entry = try #require(history.first { $0.id == report.run.id })
        #expect(entry.command == "dedupe")
        #expect(entry.summary == "6 duplicates of run \(first.run.id.prefix(8)) put back")
        #expect(history.contains { $0.id == first.run.id })
        #expect(report.nextSteps.contains { $0.contains("godwit dedupe -m") })

        let again = try app.perform(.dedupe)
        #expect(again.run.id != first.run.id)
        #expect(again.dedupe?.removed == first.dedupe?.removed)
        #expect(try records(app, TrainLog.local) == deduped)
        #expect(try undo(app, again.run.id).outcome == .done)
        #expect(try records(app, TrainLog.local) == before)
    }

    @Test("a trigger that no migration made is refused before a record comes back: it would run on it")
    func foreignTrigger() throws {
        let app = try made()
        let first = try app.perform(.dedupe)
        try app.write(TrainLog.local, "CREATE TRIGGER evil AFTER INSERT ON Workout BEGIN DELETE FROM ExerciseSet; END")
        let before = try app.fingerprint()
        let error = failure { _ = try undo(app, first.run.id) }
        #expect(error?.code == .data)
        #expect(error?.message.contains("'evil'") == true)
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("twice is once: the second undo finds it done and changes no byte")
    func twice() throws {
        let app = try made()
        let run = try app.perform(.dedupe).run.id
        let undoing = try undo(app, run).run.id
        let before = try app.fingerprint()
        for text in [run, "latest", String(run.prefix(9)), run.lowercased()] {
            let report = try undo(app, text)
            #expect(report.outcome == .alreadyDone)
            #expect(report.undo?.runId == run)
            #expect(report.undo?.stores.first?.undoneBy == undoing)
        }
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("a run that copied: duplicates of both stores come back, and verify and the next run see them")
    func copied() throws {
        let app = try made()
        let cloudBefore = try records(app, TrainLog.cloud)
        let localBefore = try records(app, TrainLog.local)
        let run = try app.perform()
        #expect(run.failedChecks == [])
        let removed = try #require(run.copy?.dedupe?.removed)
        #expect(removed == ["UserSettings": 2, "FavoriteExercise": 3])
        let merged = try app.contents()[TrainLog.cloud]?.tables ?? [:]
        let report = try undo(app, run.run.id)
        #expect(report.undo?.stores.map(\.store) == [.local, .cloud])
        #expect(report.undo?.stores.last?.restored == removed)
        #expect(try records(app, TrainLog.local) == localBefore)
        let after = try app.contents()[TrainLog.cloud]?.tables ?? [:]
        #expect(after["UserSettings"]?.count == 3)
        #expect(after["FavoriteExercise"]?.count == (merged["FavoriteExercise"]?.count ?? 0) + 3)
        let replacedFavorites = try app.count(
            TrainLog.cloud,
            "SELECT count(*) FROM godwit_removed WHERE entity = 'FavoriteExercise' AND reason LIKE 'replaced:%'")
        let missing = Set(cloudBefore["FavoriteExercise"] ?? []).subtracting(after["FavoriteExercise"] ?? [])
        #expect(missing.count == replacedFavorites, "nothing is away but what the copy replaced")
        #expect(after["Workout"] == merged["Workout"], "what the copy merged stays")
        #expect(after["godwit_removed"] == merged["godwit_removed"], "the books lose nothing")
        let replaced = "SELECT count(*) FROM godwit_removed WHERE reason LIKE 'replaced:%' AND undoneBy IS NOT NULL"
        #expect(try app.count(TrainLog.cloud, replaced) == 0)
        #expect(report.warnings.contains { $0.code == "undoCarried" })

        let verify = try app.perform(.verify)
        #expect(verify.verify?.outcome == .failed)
        #expect(verify.failedChecks.contains("oneRowPerKey.cloud"))
        #expect(try app.isFlagSet())
        let next = try app.perform()
        #expect(next.dedupe?.removed == removed)
        #expect(next.dedupe?.store == .cloud)
        #expect(try app.perform(.verify).failedChecks == [])
    }

    @Test("the report does not mention duplicates of the local store if the run set none aside there")
    func noneCarried() throws {
        let app = try TrainLog(.twoDevices)
        let run = try app.perform()
        #expect(run.copy?.dedupe?.removed.isEmpty == false)
        let report = try undo(app, run.run.id)
        let cloud = try #require(report.undo?.stores.last)
        #expect(cloud.outcome == .done && cloud.carried == 0)
        #expect(!report.warningCodes.contains("undoCarried"))
    }

    @Test("what only came along with the copy is not put into a cloud store that never had it", .commandLineWords)
    func carried() throws {
        let app = try TrainLog(.container)
        try app.perform(.migrate)
        try app.write(TrainLog.local, Self.duplicates)
        let localBefore = try records(app, TrainLog.local)
        let run = try app.perform()
        #expect(run.copy?.createdStore == true)
        let cloud = try app.folder.bytes(of: TrainLog.cloud)
        let report = try undo(app)
        #expect(report.undo?.runId == run.run.id)
        #expect(try records(app, TrainLog.local) == localBefore)
        let store = try #require(report.undo?.stores.last)
        #expect((store.store, store.outcome) == (.cloud, .nothingToDo))
        #expect(store.carried >= 6)
        #expect(try app.folder.bytes(of: TrainLog.cloud) == cloud)
        let warning = try #require(report.warnings.first { $0.code == "undoCarried" })
        #expect(warning.hint?.contains("`key:` in the manifest") == true)
        #expect(warning.hint?.contains("godwit reopen --all -m") == true)
        #expect(warning.hint?.contains("then godwit run -m") == true)
        #expect(try app.perform(.verify).failedChecks == [])
    }

    @Test("a copy by itself dedupes no store of its own: there is nothing to undo")
    func copyAlone() throws {
        let app = try TrainLog(.container)
        try app.perform(.migrate)
        try app.write(TrainLog.local, Self.duplicates)
        let run = try app.perform(.copy)
        let before = try app.fingerprint()
        #expect(try undo(app, run.run.id).outcome == .nothingToDo)
        let latest = try undo(app)
        #expect(latest.outcome == .nothingToDo)
        #expect(latest.undo?.runId == nil)
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test(
        "an undo that stops at any place is finished by the next",
        arguments: [FaultPoint.beforeUndoCommit, .afterUndoCommit], [false, true])
    func stopped(_ point: FaultPoint, isWAL: Bool) throws {
        let app = try made()
        if isWAL { try app.leaveInLog(TrainLog.local, "UPDATE Workout SET notes = 'in the log' WHERE rowid = 1") }
        let localBefore = try records(app, TrainLog.local)
        try app.perform()
        let deduped = try app.contents()
        let fault = Fault(at: point)
        let error = try #require(failure { try undo(app, faultPoint: fault.meet) })
        #expect(fault.wasMet)
        #expect(error.report?.outcome == .failed)
        if point == .beforeUndoCommit {
            #expect(try app.contents() == deduped)
            #expect(error.report?.undo?.outcome.hasChanges == false)
        } else {
            // Between the two commits: the cloud store is done, the local one is not, and the report says so.
            #expect(try records(app, TrainLog.local) != localBefore)
            #expect(error.report?.undo?.stores.map(\.outcome) == [.nothingToDo, .done])
            #expect(try app.count(TrainLog.local, "SELECT count(*) FROM godwit_run WHERE outcome = 'failed'") == 1)
        }
        #expect(try app.leftovers() == [])

        let report = try undo(app)
        #expect(report.outcome == .done)
        #expect(try records(app, TrainLog.local) == localBefore)
        let calm = try made()
        if isWAL { try calm.leaveInLog(TrainLog.local, "UPDATE Workout SET notes = 'in the log' WHERE rowid = 1") }
        try calm.perform()
        try undo(calm)
        #expect(try app.contents().differences(from: calm.contents()) == [])
        #expect(try undo(app).outcome == .alreadyDone)
    }

    @Test("an obstacle in one store changes neither store")
    func refusedInOne() throws {
        let app = try made()
        let run = try app.perform().run.id
        try app.write(TrainLog.local, "ALTER TABLE UserSettings RENAME TO Kept")
        let before = try app.contents()
        let error = try #require(failure { try undo(app, run) })
        #expect(error.code == .data)
        #expect(error.message.contains("UserSettings"))
        #expect(try app.contents() == before)
        try app.write(TrainLog.local, "ALTER TABLE Kept RENAME TO UserSettings")
        try app.write(TrainLog.cloud, "ALTER TABLE FavoriteExercise RENAME COLUMN note TO remark")
        let second = try app.contents()
        #expect(failure { try undo(app, run) }?.message.contains("'note'") == true)
        #expect(try app.contents() == second)
    }

    @Test("a dry run reports what the undo then reports, and changes nothing", .commandLineWords)
    func dryRun() throws {
        let app = try made()
        try app.perform()
        let before = try app.fingerprint()
        let plan = try undo(app, dryRun: true)
        #expect(try app.fingerprint().differences(from: before) == [])
        let run = try undo(app)
        #expect(plan.run.dryRun)
        #expect(
            plan.nextSteps == [
                "To make these changes: godwit dedupe --undo \(run.undo?.runId ?? "") -m \(app.manifest.file) -c \(app.container)"
            ])
        #expect(plan.outcome == run.outcome)
        #expect(plan.warnings == run.warnings)
        #expect(plan.undo?.stores == run.undo?.stores)
    }

    @Test("the options that decided a dry run are in the command that makes the changes", .commandLineWords)
    func optionsOfDryRun() throws {
        let app = try made()
        try app.perform()
        let words = " --strict --account noAccount --network offline -m "
        let options: (inout MigrationOptions) -> Void = {
            ($0.isStrict, $0.account, $0.network) = (true, .noAccount, .offline)
        }
        #expect(try undo(app, dryRun: true, options: options).nextSteps.first?.contains(words) == true)
        let steps = try made().perform(.dedupe, dryRun: true, options: options).nextSteps
        #expect(steps.first?.contains("dedupe" + words) == true)
    }

    @Test("if the -wal file is required, an undo of a store without it fails before anything is written")
    func strictWithoutLog() throws {
        let app = try made()
        try app.perform(.dedupe)
        let store = try SampleStore(app.folder[TrainLog.local])
        try store.execute("PRAGMA journal_mode = WAL")
        try store.close()
        let before = try app.fingerprint()
        let error = failure { try undo(app, options: { $0.requiresLog = true }) }
        #expect(error?.code == .data && error?.message.contains("-wal") == true)
        #expect(try app.fingerprint().differences(from: before) == [])
        #expect(try undo(app).notes.map(\.code).contains("walMissing"))
    }

    @Test("no such run is a mistake on the command line, and the runs there are are named")
    func unknown() throws {
        let app = try made()
        let run = try app.perform(.dedupe).run.id
        let before = try app.fingerprint()
        let error = try #require(failure { try undo(app, "no-such-run") })
        #expect((error.stage, error.code) == (.dedupe, .usage))
        #expect(error.hint?.contains(run) == true)
        #expect(try app.fingerprint().differences(from: before) == [])
        let migrated = try #require(try app.migration().history().runs.last?.id)
        #expect(try undo(app, migrated).outcome == .nothingToDo, "a run that deduped nothing")
    }

    @Test("a store that CloudKit mirrors is not written to")
    func mirrored() throws {
        let app = try made()
        try app.perform(.dedupe)
        try app.write(TrainLog.local, "CREATE TABLE ANSCKEVENT(Z_PK INTEGER)")
        let before = try app.fingerprint()
        #expect(failure { try undo(app) }?.message.contains("mirrors") == true)
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("no store is 66, a store in use is 75, and a cancelled undo is rolled back")
    func refusals() throws {
        #expect(failure { try undo(TrainLog()) }?.code == .noInput)
        let app = try made()
        try app.perform(.dedupe)
        let deduped = try app.contents()
        let other = try SampleStore(app.folder[TrainLog.local])
        try other.execute("BEGIN IMMEDIATE")
        #expect(failure { try undo(app) }?.code == .busy)
        try other.execute("ROLLBACK")
        try other.close()
        let cancellation = Cancellation()
        cancellation.cancel()
        let error = failure { try app.migration().undoDedupe(of: "latest", dryRun: false, cancellation: cancellation) }
        #expect(error?.code == .interrupted)
        #expect(try app.contents() == deduped)
    }

    @Test("the library's own call does the same")
    func library() async throws {
        let app = try made()
        let before = try records(app, TrainLog.local)
        let run = try app.perform(.dedupe)
        let report = try await app.migration().undoDedupe(run: run.run.id)
        #expect(report.undo?.outcome == .done)
        #expect(try records(app, TrainLog.local) == before)
    }
}
