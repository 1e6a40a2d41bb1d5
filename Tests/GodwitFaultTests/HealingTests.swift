import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Receipts, flags and accounts after an incomplete run, and who owns the data until the next one.
struct HealingTests {
    /// A container whose copy was stopped between its commit and its flag.
    private func interrupted(_ shape: Shape = .twoDevices) throws -> TrainLog {
        let app = try shape.make()
        _ = failure { try app.perform(faultPoint: Fault(at: .beforeFlag).meet) }
        #expect(try !app.isFlagSet())
        return app
    }

    @Test("a receipt without its flag gets the flag, and the cloud store is unchanged", arguments: Shape.allCases)
    func healed(_ shape: Shape) throws {
        let app = try interrupted(shape)
        let cloud = try app.folder.bytes(of: TrainLog.cloud)
        let report = try app.perform()
        #expect(report.copy?.outcome == .healed)
        #expect(report.outcome == .healed)
        #expect(try app.isFlagSet())
        #expect(report.failedChecks == [])
        #expect(try app.folder.bytes(of: TrainLog.cloud) == cloud)
    }

    @Test("rows that the app saved after the receipt are merged before the flag is set")
    func newRows() throws {
        let app = try interrupted()
        try app.write(
            TrainLog.local,
            """
            INSERT INTO Workout VALUES ('late', 'Late', NULL, 's', NULL, 'c', '2026-11-20T22:00:00Z');
            INSERT INTO FavoriteExercise VALUES ('late', NULL, '2026-11-20T22:00:00Z');
            """)
        let report = try app.perform()
        #expect(report.copy?.outcome == .done)
        #expect(report.copied("Workout")?.inserted == 1)
        #expect(try app.count(TrainLog.cloud, "SELECT count(*) FROM Workout WHERE id = 'late'") == 1)
        #expect(try app.count(TrainLog.cloud, "SELECT count(*) FROM godwit_receipt WHERE stage = 'copy'") == 1)
        #expect(try app.isFlagSet())
        #expect(report.failedChecks == [])
    }

    @Test("a row that the app changed after the receipt is merged too")
    func changedRow() throws {
        let app = try interrupted()
        try app.write(
            TrainLog.local,
            "UPDATE Workout SET title = 'Renamed', updatedAt = '2026-11-20T23:00:00Z' WHERE rowid = 1")
        #expect(try app.perform().copied("Workout")?.updated == 1)
        #expect(try app.count(TrainLog.cloud, "SELECT count(*) FROM Workout WHERE title = 'Renamed'") == 1)
    }

    @Test("a receipt without its local store still gets its flag")
    func localGone() throws {
        let app = try interrupted()
        try app.folder.remove(TrainLog.local)
        let report = try app.perform()
        #expect(report.copy?.outcome == .healed)
        #expect(try app.isFlagSet())
        #expect(report.failedChecks == [])
        #expect(!app.folder.exists(TrainLog.local))
    }

    @Test("an empty local store does not count as deleted data")
    func emptyLocal() throws {
        let app = try TrainLog(.twoDevices)
        try app.folder.remove(TrainLog.local)
        try app.folder.remove(TrainLog.preferences)
        try app.make(TrainLog.local)
        let report = try app.perform()
        #expect(report.failedChecks == [])
        #expect(try app.count(TrainLog.cloud, of: "Workout") == 18)
        #expect(report.copied("Workout")?.cloudAfter == 18)
    }

    @Test("a flag without a receipt stays, with a warning")
    func flagWithoutReceipt() throws {
        let app = try TrainLog(.twoDevices)
        var values = try app.readPreferences()
        values["cloudMigrationDone"] = .bool(true)
        try app.writePreferences(values)
        let report = try app.perform()
        #expect(report.copy?.outcome == .alreadyDone)
        #expect(report.warningCodes.contains("flagWithoutReceipt"))
        #expect(report.check("flagMatchesReceipt")?.verdict == .failed)
        #expect(report.outcome == .failed)
        #expect(try app.count(TrainLog.cloud, "SELECT count(*) FROM godwit_receipt WHERE stage = 'copy'") == 0)
    }

    @Test("a flag that is false counts as missing")
    func falseFlag() throws {
        let app = try TrainLog(.container)
        var values = try app.readPreferences()
        values["cloudMigrationDone"] = .bool(false)
        try app.writePreferences(values)
        #expect(try app.perform().copy?.outcome == .done)
        #expect(try app.isFlagSet())
    }

    @Test(
        "without a usable account the local store stays active",
        arguments: [
            (Freshness.Account.noAccount, StoreRole.local), (.restricted, .local), (.unknown, .cloud),
            (.available, .cloud),
        ])
    func account(_ account: Freshness.Account, _ role: StoreRole) throws {
        let app = try TrainLog(.container)
        try app.perform()
        #expect(try app.perform { $0.account = account }.activeStore == role)
        #expect(try app.migration { $0.account = account }.status().activeStore == role)
        #expect(
            try app.migration { $0.account = account }
                .exportAndKeep(to: app.folder["x.json"], options: .init()).store == role)
    }

    @Test("a Core Data layout without any source is rejected with its position in the manifest")
    func coreData() throws {
        let app = try TrainLog(TrainLogManifest(layout: .coreData))
        try app.make(TrainLog.local)
        let before = try app.fingerprint()
        let error = failure { try app.perform() }
        #expect(error?.code == .manifest)
        #expect(error?.message.contains("godwit.yaml:5:") == true)
        #expect(error?.hint?.contains("source") == true)
        #expect(try app.fingerprint().differences(from: before) == [])
    }
}
