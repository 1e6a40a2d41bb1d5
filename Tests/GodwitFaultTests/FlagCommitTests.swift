import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Synchronization
import Testing

/// Between the proof and the flag, every write to the local store is noticed, and a failure is never reported as done.
struct FlagCommitTests {
    private let late = "UPDATE Workout SET id = 'LATE' WHERE rowid = 40"

    /// Writes once as the app, at a point in the run.
    private final class Interloper: Sendable {
        private let wasThere = Atomic(false)
        private let outcome = Mutex<String>("not called")

        var result: String { outcome.withLock { $0 } }

        func meet(_ point: FaultPoint, at place: FaultPoint, _ write: () throws -> Void) {
            guard point == place, !wasThere.exchange(true, ordering: .relaxed) else { return }
            do {
                try write()
                outcome.withLock { $0 = "written" }
            } catch {
                outcome.withLock { $0 = "\(error)" }
            }
        }
    }

    @Test("a record that an app commits during the copy prevents the flag, and the next run copies it")
    func writtenMeanwhile() throws {
        let app = try TrainLog(.container)
        try app.perform(.migrate)
        try app.leaveInLog(TrainLog.local, "UPDATE Workout SET notes = 'in the log' WHERE rowid = 1")
        let interloper = Interloper()
        let error = failure {
            try app.perform(faultPoint: { point throws(GodwitError) in
                interloper.meet(point, at: .afterCopyCommit) { try app.write(TrainLog.local, late) }
            })
        }
        #expect(interloper.result == "written")
        #expect(error?.code == .busy)
        #expect(error?.message.hasPrefix("the copy was committed, but its completion flag was not set: ") == true)
        #expect(try !app.isFlagSet())
        let report = try app.perform()
        #expect(try app.isFlagSet())
        #expect(report.verify?.outcome == .done)
        #expect(try app.count(TrainLog.cloud, "SELECT count(*) FROM Workout WHERE id = 'LATE'") == 1)
    }

    @Test(
        "a record of an app that removes its -wal file prevents the flag",
        arguments: [Command.run, .copy])
    func writtenWithoutLog(_ command: Command) throws {
        let app = try TrainLog(.container)
        try app.perform(.migrate)
        try SampleStore(app.folder[TrainLog.local], journal: "WAL").close()
        try #require(!app.folder.exists(TrainLog.local + "-wal"))
        let interloper = Interloper()
        let error = failure {
            try app.perform(
                command,
                faultPoint: { point throws(GodwitError) in
                    interloper.meet(point, at: .afterCopyCommit) { try app.write(TrainLog.local, late) }
                })
        }
        #expect(interloper.result == "written")
        // A run that keeps its ledger there opens its own log afterwards.
        if command == .copy { #expect(!app.folder.exists(TrainLog.local + "-wal")) }
        #expect(error?.code == .busy)
        #expect(try !app.isFlagSet())
        try app.perform()
        #expect(try app.count(TrainLog.cloud, "SELECT count(*) FROM Workout WHERE id = 'LATE'") == 1)
    }

    #if os(Linux)
        @Test(
            "a copy prevents writes to the local store while it sets the flag",
            arguments: ["DELETE", "WAL"], [false, true])
        func lockedBesideACopy(journal: String, isReady: Bool) throws {
            let app = try TrainLog(.twoDevices)
            if isReady {
                try app.perform(.migrate)
                try app.perform(.dedupe)
            }
            if journal == "WAL" {
                try app.leaveInLog(TrainLog.local, "UPDATE Workout SET notes = 'log' WHERE rowid = 1")
            }
            let store = app.folder[TrainLog.local]
            let found = Mutex<[Bool]>([])
            try app.perform(
                .copy,
                faultPoint: { point throws(GodwitError) in
                    guard point == .beforeFlag else { return }
                    let places: [ForeignLocks.Place] = journal == "WAL" ? [.pending, .shared] : [.reserved, .shared]
                    for place in places {
                        let isLocked = (try? ForeignLocks.isLocked(store, place)) == true
                        found.withLock { $0.append(isLocked) }
                    }
                })
            #expect(found.withLock { $0 } == [true, true])
            #expect(try app.isFlagSet())
        }

        @Test("a copy waits for a writer of the local store before it sets the flag")
        func writerDuringCopy() throws {
            let app = try TrainLog(.twoDevices)
            let writer = try ForeignLocks(app.folder[TrainLog.local], .reserved)
            let error = failure { try app.perform(.copy) }
            #expect(error?.code == .busy)
            #expect(try !app.isFlagSet())
            writer.release()
            #expect(try app.perform(.copy).copy?.outcome == .healed)
            #expect(try app.isFlagSet())
        }
    #endif

    @Test("a run whose container is moved fails with 75, and creates no new one")
    func movedContainer() throws {
        for place in [
            FaultPoint.beforeSchemaCommit, .beforeLegacyCommit, .beforeCopyCommit, .afterCopyCommit, .beforeFlag,
        ] {
            let app = try TrainLog(.container)
            let interloper = Interloper()
            let error = failure {
                try app.perform(faultPoint: { point throws(GodwitError) in
                    interloper.meet(point, at: place) {
                        try FileManager.default.moveItem(atPath: app.folder["container"], toPath: app.folder["moved"])
                    }
                })
            }
            #expect(interloper.result == "written", "\(place)")
            #expect(error?.code == .busy, "\(place): \(String(describing: error))")
            #expect(error?.message.contains("moved or replaced") == true)
            #expect(!app.folder.exists("container"))
            try FileManager.default.moveItem(atPath: app.folder["moved"], toPath: app.folder["container"])
            #expect(try app.perform().copy?.flag?.isSet == true)
        }
    }

    @Test(
        "a container that is replaced during a run gets no flag",
        arguments: [Command.run, .copy], [FaultPoint.afterCopyCommit, .beforeFlag])
    func replacedContainer(_ command: Command, at place: FaultPoint) throws {
        let app = try TrainLog(.twoDevices)
        let interloper = Interloper()
        let error = failure {
            try app.perform(
                command,
                faultPoint: { point throws(GodwitError) in
                    interloper.meet(point, at: place) {
                        let (from, to) = (app.folder["container"], app.folder["moved"])
                        try FileManager.default.moveItem(atPath: from, toPath: to)
                        try FileManager.default.copyItem(atPath: to, toPath: from)
                    }
                })
        }
        #expect(interloper.result == "written")
        #expect(error?.code == .busy)
        #expect(try !app.isFlagSet())
        #expect(try app.perform(command).copy?.flag?.isSet == true)
    }

    @Test("an app cannot commit to the local store while the flag is set")
    func lockedUntilTheFlag() throws {
        let app = try TrainLog(.container)
        let interloper = Interloper()
        try app.perform(faultPoint: { point throws(GodwitError) in
            interloper.meet(point, at: .beforeFlag) { try app.write(TrainLog.local, late) }
        })
        #expect(interloper.result.contains("database is locked"))
        #expect(try app.isFlagSet())
        #expect(try app.perform(.verify).verify?.outcome == .done)
    }

    @Test(
        "the local store has no journal while the flag is set, so that a killed run leaves none"
    )
    func noJournalAtTheFlag() throws {
        let app = try TrainLog(.container)
        let seen = Mutex<[Bool]>([])
        try app.perform(faultPoint: { point throws(GodwitError) in
            guard point == .beforeFlag || point == .afterFlag else { return }
            seen.withLock { $0.append(app.folder.exists(TrainLog.local + "-journal")) }
        })
        #expect(seen.withLock { $0 } == [false, false])
    }

    @Test("half-written data of a killed run is rolled back, and not taken for an app's write")
    func hotJournal() throws {
        let app = try TrainLog(.interrupted)
        try tearLocalStore(of: app)
        #expect(try app.perform().copy?.outcome == .healed)
        #expect(try app.isFlagSet())
        #expect(try app.leftovers() == [])
        #expect(try app.count(TrainLog.local, "SELECT count(*) FROM ExerciseSet WHERE exerciseId = 'torn'") == 0)
    }

    @Test("commands that find nothing to do remove the journal of a killed run too")
    func hotJournalWithoutWork() throws {
        let app = try TrainLog(.twoDevices)
        try app.perform(.migrate)
        try app.perform(.dedupe)
        let before = try app.contents()
        for command in [Command.migrate, .dedupe] {
            try tearLocalStore(of: app)
            #expect(try app.perform(command).outcome.hasChanges == false)
            #expect(try app.leftovers() == [])
        }
        #expect(try app.contents().differences(from: before) == [])
    }

    @Test("a journal that was never flushed is not hot, and is removed")
    func coldJournal() throws {
        let app = try TrainLog(.twoDevices)
        try app.perform(.migrate)
        let before = try app.contents()
        try tearLocalStore(of: app)
        var journal = try app.folder.bytes(of: TrainLog.local + "-journal")
        journal.replaceSubrange(0..<12, with: repeatElement(0, count: 12))
        let whole = try TrainLog(.twoDevices)
        try whole.perform(.migrate)
        try whole.folder.write(journal, to: TrainLog.local + "-journal")
        #expect(try whole.perform(.migrate).outcome.hasChanges == false)
        #expect(try whole.leftovers() == [])
        #expect(try whole.contents().differences(from: before) == [])
    }

    @Test("an app's journal during its transaction is kept, without waiting")
    func journalOfLivingApp() throws {
        let app = try TrainLog(.twoDevices)
        try app.perform(.migrate)
        let living = try SampleStore(app.folder[TrainLog.local])
        try living.execute("BEGIN IMMEDIATE")
        try living.execute("UPDATE ExerciseSet SET exerciseId = 'new' WHERE rowid = 1")
        #expect(try app.perform(.migrate).outcome.hasChanges == false)
        #expect(app.folder.exists(TrainLog.local + "-journal"))
        try living.execute("COMMIT")
        try living.close()
        #expect(try app.count(TrainLog.local, "SELECT count(*) FROM ExerciseSet WHERE exerciseId = 'new'") == 1)
    }

    /// Leaves the local store as a killed writer would: pages of an unfinished transaction, and its journal.
    private func tearLocalStore(of app: TrainLog) throws {
        let copy = "torn-\(UUID().uuidString)"
        try app.folder.copyStore(TrainLog.local, to: copy)
        let killed = try SampleStore(app.folder[copy])
        try killed.execute("PRAGMA cache_size=1")
        try killed.execute("BEGIN")
        try killed.execute("UPDATE ExerciseSet SET exerciseId = 'torn'")
        try app.folder.copyStore(copy, to: TrainLog.local)
        try killed.execute("ROLLBACK")
        try killed.close()
        #expect(app.folder.exists(TrainLog.local + "-journal"))
    }

    @Test("a run that failed after a change is in the history with its error")
    func failedRunIsRecorded() throws {
        let app = try TrainLog(.container)
        let error = failure {
            try app.perform(faultPoint: { point throws(GodwitError) in
                if point == .beforeCopyCommit { throw GodwitError(.copy, .io, "The disk is full.") }
            })
        }
        #expect(error?.code == .io)
        let runs = try app.migration().history().runs
        #expect(runs.map(\.outcome) == [.failed])
        #expect(runs.first?.error == error?.message)
        #expect(try app.perform().copy?.outcome == .done)
        #expect(try app.migration().history().runs.map(\.outcome).contains(.done))
    }

    @Test("a copy before the legacy import warns, and names what a later run cannot add")
    func copyAheadOfLegacy() throws {
        let app = try TrainLog(.twoDevices)
        let copy = try app.perform(.copy)
        #expect(copy.warnings.contains { $0.code == "legacyNotImported" })
        let run = try app.perform()
        let favorites = run.legacy?.ledger.first { $0.key == "favoriteExercises" }
        #expect(favorites?.items?["notTaken"] == 3)
        #expect(favorites?.note?.contains("3 of 5 are not among them") == true)
        #expect(try !app.perform().warnings.contains { $0.code == "legacyNotImported" })
    }

    /// If the history has the run, the flag was set once, and nothing is copied again.
    ///
    /// Without it, the run may have been stopped before the flag.
    @Test(
        "after a lost flag, records deleted in the cloud stay so, or come back with a warning",
        arguments: [true, false])
    func lostFlag(isRecorded: Bool) throws {
        let app = try TrainLog(.container)
        let before = try app.folder.bytes(of: TrainLog.preferences)
        try app.perform()
        try app.write(TrainLog.cloud, "DELETE FROM FavoriteExercise WHERE exerciseId = 'back-squat'")
        try app.folder.write(before, to: TrainLog.preferences)
        if !isRecorded { try app.write(TrainLog.local, "DELETE FROM godwit_run") }
        let report = try app.perform()
        let deleted = "SELECT count(*) FROM FavoriteExercise WHERE exerciseId = 'back-squat'"
        #expect(try app.count(TrainLog.cloud, deleted) == (isRecorded ? 0 : 1))
        let warning = report.warnings.first { $0.code == "copiedAgain" }
        #expect((warning == nil) == isRecorded)
        if let warning {
            #expect(warning.message.hasSuffix("this copy inserts 1 record that the cloud store did not have"))
        }
    }

    @Test(
        "after a lost flag, records edited in the cloud stay so, or are replaced by the rule with a warning",
        arguments: [ConflictRule.keepEarliest, .keepLocal, .keepNewest, .keepCloud], [true, false])
    func lostFlagAfterEdits(rule: ConflictRule, isRecorded: Bool) throws {
        var manifest = TrainLogManifest()
        manifest.conflicts = ["Workout": rule]
        let app = try TrainLog(manifest)
        let columns = "Workout(id, title, startedAt, createdAt, updatedAt)"
        let old = "'2026-01-01T00:00:00.000Z'"
        try app.make(TrainLog.local, "INSERT INTO \(columns) VALUES ('a', 'A', \(old), \(old), \(old))")
        try app.writePreferences(["hasSeenTutorial": .bool(true)])
        try app.perform()
        try app.write(
            TrainLog.cloud, "UPDATE Workout SET notes = 'edited', updatedAt = '2026-11-01T00:00:00.000Z'")
        try app.writePreferences(["hasSeenTutorial": .bool(true)])
        if !isRecorded { try app.write(TrainLog.local, "DELETE FROM godwit_run") }
        let edited = "SELECT count(*) FROM Workout WHERE notes = 'edited'"
        let kept = "SELECT count(*) FROM godwit_removed WHERE reason LIKE 'replaced:%' AND record LIKE '%edited%'"
        let isReplaced = !isRecorded && [.keepEarliest, .keepLocal].contains(rule)
        for dryRun in [true, false] {
            let report = try app.perform(dryRun: dryRun)
            let warning = report.warnings.first { $0.code == "replacedAgain" }
            #expect((warning != nil) == isReplaced)
            if let warning {
                #expect(warning.message.hasSuffix("this copy replaces 1 record of the cloud store by the local one"))
            }
            #expect(!report.warnings.contains { $0.code == "copiedAgain" })
        }
        #expect(try app.count(TrainLog.cloud, edited) == (isReplaced ? 0 : 1))
        #expect(try app.count(TrainLog.cloud, kept) == (isReplaced ? 1 : 0))
        #expect(try app.isFlagSet())
    }

    @Test("an export does not take the name of a store or its journal", arguments: ["", "-journal", "-wal"])
    func reservedNames(suffix: String) throws {
        let app = try TrainLog(.container)
        let error = failure {
            try app.migration().export(to: app.folder[TrainLog.cloud + suffix], options: ExportOptions())
        }
        #expect(error?.code == .cannotCreate)
        #expect(!app.folder.exists(TrainLog.cloud + suffix))
    }
}
