import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Each command by itself: it does its own stages and no others.
struct CommandTests {
    @Test("migrate, dedupe and copy one after another come to what a run comes to", arguments: Shape.allCases)
    func stepByStep(_ shape: Shape) throws {
        let whole = try shape.make()
        try whole.perform()
        let app = try shape.make()
        for command in [Command.migrate, .dedupe, .copy] { try app.perform(command) }
        #expect(try app.contents().differences(from: whole.contents()) == [])
        #expect(try app.perform(.verify).failedChecks == [])
    }

    @Test("migrate brings schema and legacy values into the local store, and copies nothing")
    func migrate() throws {
        let app = try TrainLog(.container)
        let report = try app.perform(.migrate)
        #expect(report.outcome == .done)
        #expect((report.schema?.outcome, report.legacy?.outcome) == (.done, .done))
        #expect(report.dedupe == nil && report.copy == nil && report.verify == nil)
        #expect(try app.count(TrainLog.local, of: "FavoriteExercise") == 5)
        #expect(!app.folder.exists(TrainLog.cloud))
        #expect(try !app.isFlagSet())
        #expect(report.activeStore == .local)
    }

    @Test("dedupe touches duplicates and nothing else")
    func dedupe() throws {
        let app = try TrainLog(.twoDevices)
        let cloud = try app.folder.bytes(of: TrainLog.cloud)
        let report = try app.perform(.dedupe)
        #expect(report.schema == nil && report.legacy == nil && report.copy == nil)
        #expect(report.dedupe?.store == .local)
        #expect(try app.column(TrainLog.local, "SELECT id FROM UserSettings") == ["singleton"])
        #expect(try app.folder.bytes(of: TrainLog.cloud) == cloud)
        #expect(try app.count(TrainLog.local, of: "godwit_migration") == 0)
    }

    @Test("copy never writes to its source, not even its diary", arguments: [Shape.container, .twoDevices, .walLocal])
    func copySource(_ shape: Shape) throws {
        let app = try shape.make()
        let before = try app.fingerprint()
        let report = try app.perform(.copy)
        #expect(report.copy?.outcome == .done)
        #expect(report.schema == nil && report.legacy == nil && report.dedupe == nil)
        let touched = try app.fingerprint().differences(from: before).filter { $0.contains("TrainLog.store") }
        #expect(touched == [])
        #expect(try app.column(TrainLog.cloud, "SELECT command FROM godwit_run") == ["copy"])
    }

    @Test("verify writes nothing, before a run and after it", arguments: Shape.allCases)
    func verify(_ shape: Shape) throws {
        let app = try shape.make()
        if app.folder.exists(TrainLog.local) { try requireReading(app, .failed) }
        try app.perform()
        try requireReading(app, .done)
    }

    private func requireReading(_ app: TrainLog, _ outcome: Outcome) throws {
        let before = try app.fingerprint()
        #expect(try app.perform(.verify).outcome == outcome)
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("dedupe and verify without any store have no input", arguments: [Command.dedupe, .verify])
    func noStore(_ command: Command) throws {
        let app = try TrainLog(.empty)
        let error = failure { try app.perform(command) }
        #expect(error?.code == .noInput)
        #expect(error?.message.contains("TrainLog.store` and ") == true)
    }

    @Test("run, migrate and copy of a container without anything find nothing to do")
    func nothing() throws {
        for command in [Command.run, .migrate, .copy] {
            let app = try TrainLog(.empty)
            #expect(try app.perform(command).outcome == .nothingToDo)
            #expect(app.folder.names(in: "container/Library/Application Support") == [])
        }
    }

    @Test("after the copy, migrate and dedupe act on the cloud store and do not change the local one")
    func activeStore() throws {
        let app = try TrainLog(.container)
        try app.perform()
        try app.write(
            TrainLog.cloud,
            "INSERT INTO FavoriteExercise VALUES ('plank', NULL, '2026-11-01'), ('plank', NULL, '2026-11-02')")
        let before = try app.fingerprint()
        let report = try app.perform(.dedupe)
        #expect(report.dedupe?.store == .cloud)
        #expect(report.dedupe?.removed == ["FavoriteExercise": 1])
        #expect(try app.count(TrainLog.cloud, "SELECT count(*) FROM FavoriteExercise WHERE exerciseId = 'plank'") == 1)
        #expect(try app.contents()[TrainLog.cloud]?.tables["godwit_removed"]?.count == 1)
        let changed = try app.fingerprint().differences(from: before)
        #expect(changed.filter { $0.contains("Preferences/") } == [])
    }

    @Test("without a local store dedupe works on the cloud store there is")
    func cloudOnly() throws {
        let app = try TrainLog(.twoDevices)
        try app.folder.remove(TrainLog.local)
        let report = try app.perform(.dedupe)
        #expect(report.dedupe?.store == .cloud)
        #expect(report.dedupe?.removed == ["FavoriteExercise": 3, "UserSettings": 2])
        #expect(try app.count(TrainLog.cloud, of: "UserSettings") == 1)
    }

    @Test("without a local store and legacy values, migrate brings the cloud store to the latest version")
    func cloudOnlySchema() throws {
        let app = try TrainLog()
        try app.make(TrainLog.cloud, version: 1, "INSERT INTO Workout VALUES ('w', 't', NULL, 's', NULL, 'c', 'u')")
        let report = try app.perform(.migrate)
        #expect(report.schema?.store == .cloud)
        #expect(report.schema?.toVersion == 2)
        #expect(try app.count(TrainLog.cloud, of: "godwit_migration") == 2)
        #expect(!app.folder.exists(TrainLog.local))
        #expect(try app.perform(.run).failedChecks == [])
    }
}
