import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitPropertyList
import GodwitTestSupport
import Testing

/// Runs inside an app, whose preferences belong to a daemon.
struct PreferencesDomainRunTests {
    private static let flag = "cloudMigrationDone"
    private let app: TrainLog
    private let daemon: PreferencesDaemon

    init() throws {
        app = try TrainLog(.container)
        daemon = PreferencesDaemon("com.example.trainlog", file: app.folder[TrainLog.preferences])
    }

    /// A pipeline of a process that starts now.
    private func migration(
        _ change: (inout MigrationOptions) -> Void = { _ in }
    ) throws -> Migration {
        try app.migration(preferences: Preferences([daemon.process()]), change)
    }

    @discardableResult
    private func run(
        dryRun: Bool = false, _ change: (inout MigrationOptions) -> Void = { _ in }
    ) throws -> RunReport {
        try migration(change).perform(.run, dryRun: dryRun)
    }

    /// The app saves a value, and the daemon does not write it yet.
    private func save(_ values: [String: Preference]) throws {
        let process = daemon.process()
        let current = try process.propertyList().map(Preference.read) ?? [:]
        let all = current.merging(values) { _, new in new }
        try process.setValues(from: Preference.write(all, as: .binary))
    }

    private func values() throws -> [String: Preference] { try daemon.propertyList.map(Preference.read) ?? [:] }

    @Test("a run reads what the app saved last, sets the flag through the system, and leaves the file to the daemon")
    func runs() throws {
        try save(["weightUnit": .string("lb")])
        let file = try app.fingerprint().files["Library/Preferences/com.example.trainlog.plist"]
        let report = try run()
        #expect(report.outcome == .done)
        #expect(report.copy?.flag?.isSet == true)
        #expect(report.legacy?.sources.map(\.path) == ["Library/Preferences/com.example.trainlog.plist"])
        #expect(try app.column(TrainLog.cloud, "SELECT weightUnitRaw FROM UserSettings") == ["lb"])
        #expect(try values()[Self.flag] == .bool(true))
        #expect(try app.fingerprint().files["Library/Preferences/com.example.trainlog.plist"] == file)
        #expect(try run().copy?.outcome == .alreadyDone)
        #expect(try migration().perform(.verify, dryRun: false).verify?.outcome != .failed)
    }

    @Test("a domain whose file was never written is read and gets the flag")
    func noFile() throws {
        let name = "com.example.trainlog.debug"
        let other = PreferencesDaemon(name, file: app.folder["container/Library/Preferences/\(name).plist"])
        try other.process().setValues(from: Preference.write(["weightUnit": .string("lb")], as: .binary))
        let migration = try app.migration(preferences: Preferences([other.process()]))
        let report = try migration.perform(.run, dryRun: false)
        #expect(report.copy?.flag?.file == "Library/Preferences/\(name).plist")
        #expect(try app.column(TrainLog.cloud, "SELECT weightUnitRaw FROM UserSettings") == ["lb"])
        #expect(try other.process().readFlag(Self.flag) == true)
        #expect(!app.folder.exists("container/Library/Preferences/\(name).plist"))
        // The file that the manifest names comes next, and keeps its bytes.
        #expect(report.legacy?.sources.count == 2)
        #expect(try !app.isFlagSet())
    }

    @Test("the first of two domains that has a key wins, and the first one gets the flag")
    func suites() throws {
        let group = "group.com.example.trainlog"
        let suite = PreferencesDaemon(group, file: app.folder["container/Library/Preferences/\(group).plist"])
        try suite.process().setValues(
            from: Preference.write(["weightUnit": .string("lb"), "restTimer": .integer(77)], as: .binary))
        try save(["weightUnit": .string("kg")])
        let migration = try app.migration(preferences: Preferences([daemon.process(), suite.process()]))
        let report = try migration.perform(.run, dryRun: false)
        #expect(report.legacy?.sources.map(\.path).last == "Library/Preferences/\(group).plist")
        #expect(try app.column(TrainLog.cloud, "SELECT weightUnitRaw FROM UserSettings") == ["kg"])
        #expect(try suite.process().readFlag(Self.flag) == nil)
        #expect(try values()[Self.flag] == .bool(true))
    }

    @Test("a flag that a power cut takes back is set again by the next run, from the receipt")
    func powerCut() throws {
        try run()
        let contents = try app.contents()
        daemon.powerCut()
        #expect(try values()[Self.flag] == nil)
        let report = try run()
        #expect(report.copy?.outcome == .healed)
        #expect(try values()[Self.flag] == .bool(true))
        #expect(try app.contents()[TrainLog.cloud] == contents[TrainLog.cloud])
        try daemon.writeFile()
        daemon.powerCut()
        #expect(try run().copy?.outcome == .alreadyDone)
        #expect(try app.isFlagSet())
    }

    @Test("a run that is stopped right before the flag is completed by another process")
    func stopped() throws {
        let fault = Fault(at: .beforeFlag)
        let error = failure {
            try migration().perform(
                .run, dryRun: false, faultPoint: { reached throws(GodwitError) in try fault.meet(reached) })
        }
        #expect(error?.code == .io)
        #expect(try values()[Self.flag] == nil)
        #expect(try run().copy?.outcome == .healed)
        #expect(try values()[Self.flag] == .bool(true))
    }

    @Test("a plan reports what the run does, and changes neither the domain nor a file")
    func plan() throws {
        try save(["weightUnit": .string("lb")])
        let (before, saved) = (try app.fingerprint(), daemon.propertyList)
        let plan = try run(dryRun: true)
        #expect(plan.copy?.flag?.isSet == true)
        #expect(daemon.propertyList == saved)
        #expect(try app.fingerprint() == before)
        let report = try run()
        #expect(plan.legacy?.ledger.map(\.key) == report.legacy?.ledger.map(\.key))
        #expect(plan.legacy?.ledger.map(\.bucket) == report.legacy?.ledger.map(\.bucket))
        #expect(plan.legacy?.sources.map(\.sha256) == report.legacy?.sources.map(\.sha256))
        #expect(plan.legacy?.sources.map(\.modifiedAt) == report.legacy?.sources.map(\.modifiedAt))
        #expect(plan.warningCodes == report.warningCodes)
    }

    @Test("a key that holds a number where the flag belongs stops the run before its first write")
    func flagIsNumber() throws {
        try save([Self.flag: .integer(1)])
        let before = try app.fingerprint()
        let error = failure { try run() }
        #expect(error?.code == .data)
        #expect(error?.message.contains("com.example.trainlog.plist") == true)
        #expect(try app.fingerprint() == before)
    }

    @Test("reopen takes the flag back through the system, and the next run copies what is missing")
    func reopens() throws {
        try run()
        let report = try migration().reopen(dryRun: false)
        #expect(report.reopen?.flag?.isSet == false)
        #expect(try values()[Self.flag] == .bool(false))
        #expect(try run().copy?.flag?.isSet == true)
    }

    // MARK: Backup and rollback

    @discardableResult
    private func rollBack(
        _ report: RunReport, dryRun: Bool = false,
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws -> RunReport {
        try migration { $0.now = .sampleNow.advanced(bySeconds: 60) }
            .rollback(to: #require(report.backup?.folder), dryRun: dryRun, faultPoint: faultPoint)
    }

    private static let kept = "Library/Preferences/com.example.trainlog.plist.before-rollback-2026-11-21T060100Z"

    @Test("a backup has the values of the domain, and a rollback sets them back through the system")
    func rollsBack() throws {
        try save(["weightUnit": .string("lb")])
        let before = try values()
        let report = try run { $0.backupPath = app.folder["backups"] }
        let file = try app.folder.bytes(of: TrainLog.preferences)
        try save(["theme": .string("dark"), "weightUnit": .string("kg")])
        let later = try values()
        #expect(try rollBack(report, dryRun: true).rollback?.preferences == ["theme", "weightUnit"])
        #expect(try values() == later)
        let rolledBack = try rollBack(report)
        #expect(try values() == before)
        #expect(rolledBack.rollback?.preferences == ["theme", "weightUnit"])
        #expect(rolledBack.rollback?.flag?.isSet == false)
        // The file is the daemon's; what the domain had is next to it.
        #expect(try app.folder.bytes(of: TrainLog.preferences) == file)
        let restored = rolledBack.rollback?.files.first { $0.role == .preferences }
        #expect(restored?.action == .restored && restored?.keptAs == Self.kept)
        #expect(try Preference.read(app.folder.bytes(of: "container/" + Self.kept)) == later)
        #expect(try rollBack(report).outcome == .alreadyDone)
        #expect(try run().copy?.outcome == .done)
    }

    @Test("a rollback of a run that wrote only the flag changes no other key")
    func rollsBackFlag() throws {
        let report = try run { $0.backupPath = app.folder["backups"] }
        let rolledBack = try rollBack(report)
        #expect(rolledBack.rollback?.preferences == nil)
        #expect(try values()[Self.flag] == nil)
        #expect(!app.folder.exists(TrainLog.cloud))
    }

    @Test("a domain without any value has none again after a rollback")
    func emptyDomain() throws {
        let name = "com.example.trainlog.empty"
        let other = PreferencesDaemon(name, file: app.folder["container/Library/Preferences/\(name).plist"])
        func migration(_ change: (inout MigrationOptions) -> Void = { _ in }) throws -> Migration {
            try app.migration(preferences: Preferences([other.process()]), change)
        }
        let report = try migration { $0.backupPath = app.folder["backups"] }.perform(.run, dryRun: false)
        #expect(try other.process().readFlag(Self.flag) == true)
        let folder = try #require(report.backup?.folder)
        let rolledBack = try migration().rollback(to: folder, dryRun: false)
        #expect(rolledBack.rollback?.files.first { $0.role == .preferences }?.action == .removed)
        #expect(other.propertyList == nil)
    }

    @Test(
        "a rollback that is stopped at any step is completed by the same call of another process",
        arguments: [FaultPoint.afterRollbackMove, .beforeRollbackRename, .afterRollbackFile])
    func interrupted(point: FaultPoint) throws {
        let before = try values()
        let report = try run { $0.backupPath = app.folder["backups"] }
        let fault = Fault(at: point)
        let error = failure {
            _ = try rollBack(report) { reached throws(GodwitError) in try fault.meet(reached) }
        }
        #expect(error != nil)
        #expect(try rollBack(report).rollback?.outcome == .done)
        #expect(try values() == before)
        #expect(!app.folder.exists(TrainLog.cloud))
    }

    @Test("a backup that was made from the file is put back through the system as well")
    func backupOfFile() throws {
        let before = try values()
        let report = try app.perform { $0.backupPath = app.folder["backups"] }
        daemon.powerCut()
        #expect(try values()[Self.flag] == .bool(true))
        try rollBack(report)
        #expect(try values() == before)
    }

    @Test("after a power cut that takes back what a rollback set, the app is warned, and a reopen corrects the flag")
    func rollbackLost() throws {
        let report = try run { $0.backupPath = app.folder["backups"] }
        try daemon.writeFile()
        try rollBack(report)
        daemon.powerCut()
        #expect(try values()[Self.flag] == .bool(true))
        #expect(try run(dryRun: true).warningCodes.contains("flagWithoutReceipt"))
        _ = try migration().reopen(dryRun: false)
        #expect(try run().copy?.outcome == .done)
    }
}
