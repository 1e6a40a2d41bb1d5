import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// What an app's events file says of account, network and launch, as commands go by it.
struct SyncLogTests {
    private static func line(_ type: String, _ word: String) -> String {
        "{\"type\":\"\(type)\",\"at\":\"2026-11-20T06:00:00Z\",\"\(type == "launch" ? "store" : "state")\":\"\(word)\"}"
    }

    private static func event(_ type: String, ended secondsAgo: Int64, succeeded: Bool = true) -> String {
        let now = Instant.sampleNow.seconds
        let (start, end) = (Instant(seconds: now - secondsAgo - 1), Instant(seconds: now - secondsAgo))
        return """
            {"type":"\(type)","startedAt":"\(start.iso8601)","endedAt":"\(end.iso8601)","succeeded":\(succeeded)}
            """
    }

    /// TrainLog after its copy, with these lines in its events file.
    private func app(_ lines: String...) throws -> TrainLog {
        let app = try TrainLog(.container)
        try app.perform()
        try app.folder.write(lines.map { $0 + "\n" }.joined(), to: TrainLog.syncEvents)
        return app
    }

    @Test("the account that the app saw decides which store is active, and an option goes before it")
    func account() throws {
        let app = try app(Self.line("account", "noAccount"), Self.line("network", "online"))
        let status = try app.migration().status()
        #expect(status.activeStore == .local)
        #expect(status.sync.availability == .noAccount && status.sync.network == .online)
        #expect(status.userStatus.needsSignIn)
        let asked = try app.migration { ($0.account, $0.network) = (.available, .offline) }.status()
        #expect(asked.activeStore == .cloud)
        #expect(asked.sync.availability == .available && asked.sync.network == .offline)
    }

    @Test("exports follow the events too: the exported store and its freshness")
    func exported() throws {
        let app = try app(Self.line("account", "noAccount"))
        let report = try app.migration().exportAndKeep(to: app.folder["e.json"], options: .init())
        #expect(report.store == .local)
        #expect(report.freshness.reasons.map(\.code).contains(.noAccount))
    }

    @Test("a plan sees the same account as the run: both act on the same store")
    func planned() throws {
        let app = try app(Self.line("account", "noAccount"))
        let plan = try app.perform(dryRun: true)
        let run = try app.perform()
        #expect(plan.activeStore == .local && run.activeStore == .local)
        #expect(plan.schema?.store == run.schema?.store)
    }

    @Test("a file that can't be read is a note of a run, and the end of a status")
    func unreadable() throws {
        let app = try app()
        try FileManager.default.removeItem(atPath: app.folder[TrainLog.syncEvents])
        try app.folder.makeFolder(TrainLog.syncEvents)
        for dryRun in [true, false] {
            let report = try app.perform(dryRun: dryRun)
            #expect(report.outcome == .alreadyDone)
            #expect(report.notes.map(\.code).contains("syncEventsUnread"))
        }
        #expect(failure { try app.migration().status() } != nil)
    }

    @Test(
        "a plan notes a file that can't be read in the words of the run", arguments: ["folder", "too large", "pipe"])
    func plannedUnreadable(what: String) throws {
        let app = try TrainLog(.twoDevices)
        switch what {
        case "folder": try app.folder.makeFolder(TrainLog.syncEvents)
        case "pipe": try app.folder.makeFIFO(TrainLog.syncEvents)
        default:
            try app.folder.write("", to: TrainLog.syncEvents)
            #expect(truncate(app.folder[TrainLog.syncEvents], (64 << 20) + 1) == 0)
        }
        let plan = try app.savePlan()
        let run = try app.runPlan()
        #expect(plan.notes == run.notes)
        #expect(run.warnings.isEmpty && run.notes.map(\.code) == ["syncEventsUnread"])
    }

    @Test("status and export report a burst as syncing until 3 seconds have been quiet")
    func burst() throws {
        for (seconds, isSyncing) in [(0, true), (2, true), (3, false), (60, false)] as [(Int64, Bool)] {
            let app = try app(
                Self.event("setup", ended: 90), Self.event("import", ended: 70), Self.event("export", ended: seconds))
            let migration = try app.migration { ($0.account, $0.network) = (.available, .online) }
            let status = try migration.status()
            #expect(status.sync.status == .succeeded)
            #expect(status.sync.activity == (isSyncing ? .syncing : .idle), "\(seconds)")
            #expect(status.userStatus.state == (isSyncing ? "syncing" : "synced"), "\(seconds)")
            let report = try migration.exportAndKeep(to: app.folder["e.json"], options: .init())
            #expect(report.freshness.reasons.contains { $0.code == .syncing } == isSyncing, "\(seconds)")
            #expect(report.freshness.sync.activity == nil)
        }
    }
}
