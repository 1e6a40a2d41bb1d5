import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// The whole pipeline on the sample containers.
struct RunTests {
    @Test("a run takes the sample container all the way to the cloud store")
    func wholeWay() throws {
        let app = try TrainLog(.container)
        let report = try app.perform()
        #expect(report.outcome == .done)
        #expect(report.schema?.adoptedAt == 1)
        #expect(report.schema?.applied.map(\.version) == [2])
        #expect(report.legacy?.inserted == ["UserSettings": 1, "FavoriteExercise": 5])
        #expect(report.copy?.outcome == .done)
        #expect(report.copy?.createdStore == true)
        #expect(report.verify?.outcome == .done)
        #expect(report.failedChecks == [])
        #expect(report.activeStore == .cloud)
        #expect(try app.isFlagSet())
        let counts = ["Workout": 40, "ExerciseSet": 600, "FavoriteExercise": 5, "UserSettings": 1]
        for (entity, count) in counts {
            #expect(try app.count(TrainLog.cloud, of: entity) == count, "\(entity)")
            #expect(report.copied(entity)?.inserted == Int64(count), "\(entity)")
        }
        #expect(try app.leftovers() == [])
    }

    @Test("a phone and a cloud store that another device filled become one, and the losers are kept")
    func twoDevices() throws {
        let app = try TrainLog(.twoDevices)
        let report = try app.perform()
        #expect(report.outcome == .done)
        let counts = ["Workout": 45, "ExerciseSet": 647, "FavoriteExercise": 7, "UserSettings": 1]
        for (entity, count) in counts { #expect(try app.count(TrainLog.cloud, of: entity) == count, "\(entity)") }
        #expect(report.copy?.dedupe?.removed == ["FavoriteExercise": 3, "UserSettings": 2])
        let settings = "SELECT id || weightUnitRaw || theme || restTimerSeconds || soundEnabled FROM UserSettings"
        #expect(try app.column(TrainLog.cloud, settings) == ["singletonlbdark1200"])
        let losers = "SELECT count(*) FROM godwit_removed WHERE reason NOT LIKE 'replaced:%'"
        #expect(try app.count(TrainLog.cloud, losers) == 5)
    }

    @Test("a container in which the app stored nothing does not change", arguments: [false, true])
    func nothingYet(dryRun: Bool) throws {
        let app = try TrainLog(.empty)
        let before = try app.fingerprint()
        let report = try app.perform(dryRun: dryRun)
        #expect(report.outcome == .nothingToDo)
        #expect(report.activeStore == nil)
        #expect(report.warningCodes.contains("localStoreMissing"))
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("with --allow-empty a container without anything counts as migrated")
    func allowEmpty() throws {
        let app = try TrainLog(.empty)
        let report = try app.perform { $0.allowsEmpty = true }
        #expect(report.outcome == .done)
        #expect(try app.isFlagSet())
        #expect(try app.count(TrainLog.cloud, "SELECT count(*) FROM godwit_receipt WHERE stage = 'copy'") == 1)
        #expect(try app.perform { $0.allowsEmpty = true }.outcome == .alreadyDone)
    }

    @Test("a second run changes no byte of any file", arguments: Scenario.allCases)
    func twiceIsOnce(_ scenario: Scenario) throws {
        let app = try TrainLog(scenario)
        try app.perform()
        try requireUntouchedByAnotherRun(app, scenario == .empty ? .nothingToDo : .alreadyDone)
    }

    @Test("a second run changes no byte of any file, logs included", arguments: Shape.allCases)
    func twiceIsOnce(_ shape: Shape) throws {
        let app = try shape.make()
        try app.perform()
        try requireUntouchedByAnotherRun(app, .alreadyDone)
    }

    private func requireUntouchedByAnotherRun(_ app: TrainLog, _ outcome: Outcome) throws {
        let before = try app.fingerprint()
        let contents = try app.contents()
        let second = try app.perform()
        #expect(second.outcome == outcome)
        #expect(second.failedChecks == [])
        #expect(second.copy?.entities.isEmpty == true)
        #expect(try app.fingerprint().differences(from: before) == [])
        #expect(try app.contents().differences(from: contents) == [])
    }

    @Test("records that a user deletes or adds in the cloud store after the copy do not fail a later run")
    func lifeGoesOn() throws {
        let app = try TrainLog(.container)
        try app.perform()
        try app.write(TrainLog.cloud, "DELETE FROM ExerciseSet WHERE rowid < 4; DELETE FROM FavoriteExercise")
        #expect(try app.perform().outcome == .alreadyDone)
        try app.write(TrainLog.cloud, "INSERT INTO FavoriteExercise VALUES ('a', NULL, NULL), ('a', 'x', NULL)")
        let report = try app.perform()
        #expect(report.outcome == .done)
        #expect(report.dedupe?.removed == ["FavoriteExercise": 1])
        #expect(report.failedChecks == [])
        #expect(try app.count(TrainLog.cloud, of: "ExerciseSet") == 597)
    }

    @Test(
        "the preferences file keeps every key, its format and its mode; only the flag is new",
        arguments: Scenario.allCases)
    func legacyKept(_ scenario: Scenario) throws {
        let app = try TrainLog(scenario)
        guard app.folder.exists(TrainLog.preferences) else { return }
        try app.folder.setMode(0o640, of: TrainLog.preferences)
        var expected = try app.readPreferences()
        try app.perform()
        expected["cloudMigrationDone"] = .bool(true)
        #expect(try app.readPreferences() == expected)
        #expect(try app.folder.bytes(of: TrainLog.preferences).starts(with: Array("bplist00".utf8)))
        let mode = try #require(try app.fingerprint().files["Library/Preferences/com.example.trainlog.plist"]).mode
        #expect(mode & 0o777 == 0o640)
    }

    @Test("rows that are only in a log are copied like all others", arguments: [Shape.walLocal, .walCloud])
    func log(_ shape: Shape) throws {
        let app = try shape.make()
        #expect(try app.perform().outcome == .done)
        #expect(try app.count(TrainLog.cloud, of: "Workout") == 46)
        let workouts = "SELECT count(*) FROM Workout WHERE id LIKE 'only-in-log-%'"
        #expect(try app.count(TrainLog.cloud, workouts) == 1)
        #expect(try app.count(TrainLog.cloud, "SELECT count(*) FROM FavoriteExercise WHERE exerciseId = 'plank'") == 1)
    }
}
