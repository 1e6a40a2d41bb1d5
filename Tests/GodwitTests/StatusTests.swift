import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// `status` and `history`: the state of a container, reported without touching it.
struct StatusTests {
    @Test(
        "each state of the copy is reported, with what to do next",
        arguments: [
            StatusReport.CopyState.notDone, .interrupted, .done, .flagWithoutReceipt,
        ])
    func copyStates(_ state: StatusReport.CopyState) throws {
        let app = try TrainLog(.twoDevices)
        switch state {
        case .notDone, .notDoneHere: break
        case .interrupted: _ = failure { try app.perform(faultPoint: Fault(at: .beforeFlag).meet) }
        case .done: try app.perform()
        case .flagWithoutReceipt: try app.writePreferences(["cloudMigrationDone": .bool(true)])
        }
        let before = try app.fingerprint()
        let status = try app.migration().status()
        #expect(status.copy == state)
        #expect(status.flag.isSet == (state == .done || state == .flagWithoutReceipt))
        #expect(status.nextSteps.isEmpty == (state == .done))
        #expect(status.activeStore == (status.flag.isSet ? .cloud : .local))
        #expect(status.pendingChanges?.isEmpty == (state == .interrupted || state == .done))
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("stores are described as SQLite counts them")
    func stores() throws {
        let app = try TrainLog(.container)
        var status = try app.migration().status()
        #expect(status.local.exists && !status.cloud.exists)
        #expect(status.local.schemaVersion == nil)
        #expect(status.local.pendingMigrations == 1)
        #expect(status.local.counts == ["Workout": 40, "ExerciseSet": 600])
        try app.perform()
        status = try app.migration().status()
        #expect(status.cloud.schemaVersion == 2)
        #expect(status.cloud.pendingMigrations == 0)
        for (entity, count) in status.cloud.counts {
            #expect(try Int64(app.count(TrainLog.cloud, of: entity)) == count)
        }
        #expect(status.lastRuns.map(\.command) == ["run"])
        #expect(status.app == "TrainLog" && status.container == app.container)
        #expect(status.asOf == .sampleNow)
    }

    @Test("pending changes are the records a copy would have to write")
    func pending() throws {
        let app = try TrainLog(.twoDevices)
        let pending = try #require(app.migration().status().pendingChanges)
        // Only on the phone, or newer there: 27 + 3 workouts, 409 + 6 sets.
        #expect(pending["Workout"] == 30)
        #expect(pending["ExerciseSet"] == 415)
        let report = try app.perform()
        for name in ["Workout", "ExerciseSet"] {
            let copied = try #require(report.copied(name))
            #expect(copied.inserted + copied.updated == pending[name])
        }
        #expect(try app.migration().status().pendingChanges == [:])
    }

    @Test("an empty container has a status, too")
    func empty() throws {
        let app = try TrainLog(.empty)
        let status = try app.migration().status()
        #expect(status.activeStore == nil)
        #expect(status.copy == .notDone)
        #expect(status.nextSteps == [])
        #expect(status.userStatus.state == "notConfigured")
        #expect(try app.migration().history().runs == [])
    }

    @Test("the message for the user is in Japanese if the language asks for it")
    func language() throws {
        let app = try TrainLog(.container)
        let english = try app.migration().status().userStatus
        let japanese = try app.migration { $0.language = "ja" }.status().userStatus
        #expect(english.state == japanese.state)
        #expect(english.message.allSatisfy { $0.isASCII })
        #expect(!japanese.message.allSatisfy { $0.isASCII })
    }

    @Test("a damaged store or preferences file is an error, not a wrong answer")
    func damaged() throws {
        let app = try TrainLog(.container)
        try app.folder.write("no property list", to: TrainLog.preferences)
        #expect(failure { try app.migration().status() }?.code == .data)
        try app.folder.remove(TrainLog.preferences)
        try app.folder.write("no store", to: TrainLog.local)
        #expect(failure { try app.migration().status() }?.code == .data)
    }

    @Test("the history keeps as many runs as the manifest says, the newest first")
    func history() throws {
        let app = try TrainLog(TrainLogManifest(historyKept: 3))
        try app.make(TrainLog.local)
        for round in 0..<5 {
            try app.write(
                TrainLog.local,
                "INSERT INTO FavoriteExercise VALUES ('a', 'x\(round)', '2026-01-01'), ('a', 'y\(round)', '2026-01-02')"
            )
            try app.perform(.dedupe) { $0.now = Instant.sampleNow.advanced(bySeconds: Int64(round)) }
        }
        let runs = try app.migration().history().runs
        #expect(runs.map { $0.startedAt.seconds - Instant.sampleNow.seconds } == [4, 3, 2])
        #expect(runs.allSatisfy { $0.command == "dedupe" && $0.outcome == .done })
        #expect(try app.count(TrainLog.local, of: "godwit_run") == 3)
        #expect(try app.migration().history(limit: 1).runs == [runs[0]])
        #expect(Set(runs.map(\.id)).count == 3)
    }

    @Test("runs that changed nothing are not recorded; runs of both stores are listed together")
    func recorded() throws {
        let app = try TrainLog(.twoDevices)
        try app.perform(dryRun: true)
        #expect(try app.migration().history().runs == [])
        try app.perform(.migrate)
        try app.perform(.copy) { $0.now = Instant.sampleNow.advanced(bySeconds: 60) }
        try app.perform()
        try app.perform(.verify)
        #expect(try app.migration().history().runs.map(\.command) == ["run", "copy", "migrate"].suffix(2))
    }

    @Test("a run that failed with 65 is in the history if the store has a ledger, and nothing else changes")
    func refusedRun() throws {
        let app = try TrainLog(.container)
        try app.perform(.migrate)
        try app.write(TrainLog.local, "UPDATE ExerciseSet SET workoutId = 'nowhere' WHERE rowid = 7")
        let preferences = try app.folder.bytes(of: TrainLog.preferences)
        let contents = try app.contents()
        let error = failure { try app.perform { $0.now = Instant.sampleNow.advanced(bySeconds: 60) } }
        #expect(error?.code == .data)
        let runs = try app.migration().history().runs
        #expect(runs.map(\.command) == ["run", "migrate"])
        #expect(runs.first?.outcome == .failed && runs.first?.error == error?.message)
        #expect(runs.first?.summary == "no records" && runs.first?.counts == [:])
        #expect(try app.contents() == contents)
        #expect(try app.folder.bytes(of: TrainLog.preferences) == preferences)
        #expect(!app.folder.exists(TrainLog.cloud))
        #expect(try app.leftovers() == [])
        // The rerun goes on as if there had been no failed one.
        #expect(try app.perform(options: { $0.allowsOrphans = true }).copy?.outcome == .done)
        #expect(try app.migration().history().runs.map(\.outcome) == [.done, .failed, .done])
    }

    @Test("a first run that fails leaves no byte and no ledger")
    func refusedFirstRun() throws {
        let app = try TrainLog(.container)
        try app.write(TrainLog.local, "UPDATE ExerciseSet SET workoutId = 'nowhere' WHERE rowid = 7")
        let files = [TrainLog.local, TrainLog.preferences]
        let before = try files.map { try app.folder.bytes(of: $0) }
        #expect(failure { try app.perform(.copy) }?.code == .data)
        #expect(try files.map { try app.folder.bytes(of: $0) } == before)
        #expect(!app.folder.exists(TrainLog.cloud))
        #expect(try app.leftovers() == [])
        #expect(try app.migration().history().runs == [])
    }

    @Test("a dry run, and a store with code that no migration made, get no trace of the failure")
    func unrecorded() throws {
        let app = try TrainLog(.container)
        try app.perform(.migrate)
        try app.write(TrainLog.local, "UPDATE ExerciseSet SET workoutId = 'nowhere' WHERE rowid = 7")
        func expectNoTrace(_ code: GodwitError.Code, _ work: () throws -> Void) throws {
            let before = try app.fingerprint()
            #expect(failure { try work() }?.code == code)
            #expect(try app.fingerprint().differences(from: before) == [])
        }
        try expectNoTrace(.data) { try app.perform(dryRun: true) }
        try app.write(TrainLog.local, "CREATE TRIGGER mine AFTER INSERT ON Workout BEGIN SELECT 1; END")
        try expectNoTrace(.data) { try app.perform() }
        #expect(try app.migration().history().runs.map(\.command) == ["migrate"])
    }

    @Test("the last error is reported with what it means, in the language asked for")
    func lastError() throws {
        let app = try TrainLog(.container)
        try app.perform()
        try app.folder.write(
            """
            {"type":"export","startedAt":"2026-11-21T05:00:00Z","endedAt":"2026-11-21T05:00:09Z","succeeded":false,\
            "error":{"domain":"CKErrorDomain","code":25}}

            """, to: "container/Library/Application Support/sync-events.jsonl")
        let online: (inout MigrationOptions) -> Void = { ($0.network, $0.account) = (.online, .available) }
        let english = try #require(try app.migration(online).status().lastError)
        #expect(english.name == "quotaExceeded" && english.category == "quota" && english.retry == "afterNextStep")
        #expect(english.phase == "export" && english.at == Instant(iso8601: "2026-11-21T05:00:09Z"))
        let japanese = try #require(
            try app.migration {
                online(&$0)
                $0.language = "ja"
            }.status().lastError)
        #expect(japanese.code == 25 && !japanese.message.allSatisfy(\.isASCII))
    }

    @Test("counts by entity are in the history")
    func historyCounts() throws {
        let app = try TrainLog(.container)
        let report = try app.perform()
        let run = try #require(try app.migration().history().runs.first)
        let copied = try #require(report.copy?.entities)
        #expect(copied.count == 4)
        #expect(run.counts == Dictionary(uniqueKeysWithValues: copied.map { ($0.name, $0.local) }))
        #expect(run.counts["Workout"] == 40 && run.counts["ExerciseSet"] == 600)
    }
}
