import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Which store commands go by, where the cloud store does not open, and what a launch leaves to do.
struct ActiveStoreTests {
    private static func copied(_ lines: String...) throws -> TrainLog {
        let app = try TrainLog(.container)
        try app.perform()
        if !lines.isEmpty { try app.folder.write(lines.map { $0 + "\n" }.joined(), to: TrainLog.syncEvents) }
        return app
    }

    private static func launch(_ role: String) -> String {
        #"{"type":"launch","at":"2026-11-20T06:00:00Z","store":"\#(role)"}"#
    }

    @Test("an app that was launched with the local store gets the notice to restart when the account is available")
    func restart() throws {
        let app = try Self.copied(
            Self.launch("local"), #"{"type":"account","at":"2026-11-20T07:00:00Z","state":"available"}"#)
        let status = try app.migration().status()
        #expect(status.choice?.notice == .restartToSync && status.choice?.launched == .local)
        #expect(status.userStatus.nextStep == "Restart the app to sync.")
        #expect(status.nextSteps == ["Restart the app to sync."])
        #expect(try app.migration { $0.language = "ja" }.status().userStatus.nextStep?.contains("再起動") == true)
        #expect(status.activeStore == .cloud)
        let signedOut = try app.migration { $0.account = .noAccount }.status()
        #expect(signedOut.choice?.notice == nil && signedOut.activeStore == .local)
        #expect(signedOut.userStatus.state == "localOnly" && signedOut.userStatus.needsSignIn)
        #expect(signedOut.warnings.first?.code == "localOnly")
    }

    @Test("nothing is asked of an app that was launched with the cloud store, or of which nothing is known")
    func noRestart() throws {
        let launched = try Self.copied(Self.launch("cloud"))
        #expect(try launched.migration().status().choice?.notice == nil)
        let app = try Self.copied()
        let status = try app.migration().status()
        #expect(status.choice?.notice == nil && status.choice?.launched == nil && status.choice?.reason == .synced)
    }

    /// Ways in which a cloud store can't be opened.
    enum Damage: String, CaseIterable, Sendable {
        case noDatabase, torn, folder, page

        func apply(to app: TrainLog, _ store: String = TrainLog.cloud) throws {
            let path = app.folder[store]
            switch self {
            case .noDatabase: try app.folder.write("this is no database, it is a text", to: store)
            case .torn:
                try app.folder.write(Array(app.folder.bytes(of: store).prefix(5000)), to: store)
            case .folder:
                try FileManager.default.removeItem(atPath: path)
                try app.folder.makeFolder(store)
            case .page:
                var bytes = try app.folder.bytes(of: store)
                for place in 4096..<min(bytes.count, 40_960) { bytes[place] = 0xA5 }
                try app.folder.write(bytes, to: store)
            }
        }
    }

    @Test(
        "a cloud store that can't be opened: status falls back to local and keeps the error", arguments: Damage.allCases
    )
    func fallback(damage: Damage) throws {
        let app = try Self.copied()
        try damage.apply(to: app)
        let before = try app.fingerprint()
        let status = try app.migration { $0.account = .available }.status()
        #expect(status.activeStore == .local && status.userStatus.state == "localOnly")
        let choice = try #require(status.choice)
        #expect(choice.role == .local && choice.reason == .cloudFails)
        #expect(choice.error?.message.isEmpty == false && [65, 66].contains(choice.error?.code ?? 0))
        #expect(status.warnings.first?.code == "cloudStoreFails")
        #expect(status.pendingChanges == nil && status.warnings.contains { $0.code == "pendingUnknown" })
        #expect(status.cloud.exists && status.cloud.counts.isEmpty && status.local.counts["Workout"] == 40)
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("a damaged local store does not keep the records of the cloud store from exports", arguments: Damage.allCases)
    func damagedLocal(damage: Damage) throws {
        let app = try Self.copied()
        try damage.apply(to: app, TrainLog.local)
        let before = try app.fingerprint()
        for store in [nil, StoreRole.cloud] {
            var options = ExportOptions()
            options.store = store
            let name = "\(store?.rawValue ?? "active").json"
            let report = try app.migration().exportAndKeep(to: app.folder[name], options: options)
            #expect(report.store == .cloud && report.counts["Workout"] == 40)
            #expect(report.warnings.first?.code == "localStoreFails")
        }
        var local = ExportOptions()
        local.store = .local
        #expect(failure { try app.migration().exportAndKeep(to: app.folder["e.json"], options: local) } != nil)
        for command in [Command.run, .verify] {
            let error = failure { try app.perform(command) }
            if [.noDatabase, .torn].contains(damage) {
                #expect(error?.hint?.contains("rename it: the app uses") == true)
            }
        }
        if damage == .page {
            #expect(failure { try app.perform(.run) }?.code == .data)
            let report = try app.perform(.verify)
            #expect(report.failedChecks.contains("integrity.local"))
            #expect(report.nextSteps.contains { $0.contains("TrainLog.store back from a backup") })
            #expect(!report.nextSteps.contains { $0.contains("reopen") })
        } else {
            let status = try app.migration().status()
            #expect(status.activeStore == .cloud && status.cloud.counts["Workout"] == 40)
            #expect(status.warnings.contains { $0.code == "localStoreFails" } && status.pendingChanges == nil)
        }
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test(
        "a local store that is damaged before the copy is not exported, and the cloud store is not exported in its place"
    )
    func damagedBeforeCopy() throws {
        let app = try TrainLog(.container)
        try Damage.noDatabase.apply(to: app, TrainLog.local)
        #expect(
            failure { try app.migration().exportAndKeep(to: app.folder["e.json"], options: .init()) }?.code == .data)
    }

    @Test("where the cloud store is gone, no sync that was seen makes a user think that this device's data are synced")
    func cloudStoreGone() throws {
        let app = try Self.copied(
            #"{"type":"import","startedAt":"2026-11-20T06:00:03Z","endedAt":"2026-11-20T06:00:05Z","succeeded":true}"#,
            #"{"type":"export","startedAt":"2026-11-20T06:00:06Z","endedAt":"2026-11-20T06:00:07Z","succeeded":true}"#)
        let copied = try app.migration { $0.account = .available }.status()
        #expect(copied.userStatus.state == "synced")
        try app.folder.remove(TrainLog.cloud)
        let status = try app.migration { $0.account = .available }.status()
        #expect(status.activeStore == .local && status.choice?.reason == .cloudMissing)
        #expect(status.userStatus.state == "localOnly" && !status.userStatus.needsSignIn)
    }

    @Test(
        "other commands fail for such a store, and none uses the local store instead", arguments: Damage.allCases)
    func refused(damage: Damage) throws {
        let app = try Self.copied()
        try damage.apply(to: app)
        #expect(failure { try app.perform(.run) } != nil)
        #expect(failure { try app.perform(.copy) } != nil)
        #expect(failure { try app.migration().exportAndKeep(to: app.folder["e.json"], options: .init()) } != nil)
        #expect(!app.folder.exists("e.json"))
        var options = ExportOptions()
        options.store = .local
        let report = try app.migration().exportAndKeep(to: app.folder["e.json"], options: options)
        #expect(report.counts["Workout"] == 40 && report.freshness.pendingChanges == nil)
        #expect(report.warnings.contains { $0.code == "pendingUnknown" })
    }

    @Test("a named store is exported also if the app uses the other, and the document says which it is")
    func named() throws {
        let app = try Self.copied()
        try app.write(TrainLog.cloud, "DELETE FROM ExerciseSet")
        for (role, sets) in [(StoreRole.local, 600), (.cloud, 0)] as [(StoreRole, Int64)] {
            var options = ExportOptions()
            options.store = role
            let report = try app.migration().exportAndKeep(to: app.folder["\(role.rawValue).json"], options: options)
            #expect(report.store == role && report.counts["ExerciseSet"] == sets)
            #expect(report.freshness.reasons.contains { $0.code == .localOnly } == (role == .local))
            let text = try app.folder.text(of: "\(role.rawValue).json")
            #expect(text.contains("\"source\": {\"store\": \"\(role.rawValue)\""))
        }
    }

    @Test("a named store that does not exist is missing input")
    func namedMissing() throws {
        let app = try TrainLog(.container)
        var options = ExportOptions()
        options.store = .cloud
        let error = failure { try app.migration().exportAndKeep(to: app.folder["e.json"], options: options) }
        #expect(error?.code == .noInput && error?.hint?.contains("`ExportOptions.store`") == true)
    }
}
