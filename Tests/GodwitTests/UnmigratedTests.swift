import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// `verify` and `status` on a container that no run has changed, and on a device that has not copied yet.
struct UnmigratedTests {
    private static let first = "CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT);"
    private static let second = "ALTER TABLE Note ADD COLUMN updatedAt TEXT;"

    /// An app with two schema files, two legacy keys and, in its local store, what the SQL makes.
    private static func app(_ sql: String?) throws -> NoteApp {
        var app = try NoteApp(
            entities: """
                  Note: { key: id, modified: updatedAt }
                  Settings: { key: id, singleton: one }
                """,
            migrations: [first, second + "CREATE TABLE Settings(id TEXT PRIMARY KEY, unit TEXT, place TEXT);"],
            preferences: ["unit": "g", "place": "left", "other": 1])
        app.legacy = """
              settings:
                - { key: unit, into: Settings.unit }
                - { key: place, into: Settings.place }
            """
        if let sql { try app.write(NoteApp.local, sql) }
        return app
    }

    private static let record = "INSERT INTO Note(id, title) VALUES ('n1', 'a'), ('n2', 'b');"
    private static let latest = first + second + "CREATE TABLE Settings(id TEXT PRIMARY KEY, unit TEXT, place TEXT);"

    @Test(
        "verify of a container that no run has changed says so, and what a run would do",
        arguments: [
            (
                first + record,
                "a run would apply V0002__step to \(name), import 2 legacy keys, and copy 2 records of \(name)"
            ),
            (latest + record, "a run would import 2 legacy keys and copy 2 records of \(name)"),
            (nil, "\(name) does not exist, and a run would make \(name) and import 2 legacy keys"),
            ("CREATE TABLE Note(id TEXT, heading TEXT)", "a run would end with exit code 65: "),
        ] as [(String?, String)])
    func untouched(sql: String?, words: String) throws {
        let app = try Self.app(sql)
        let before = try FolderFingerprint(app.folder["container"])
        let report = try app.perform(.verify)
        #expect(report.outcome == .failed && report.failedChecks == ["migrated"])
        let detail = try #require(report.check("migrated")?.detail)
        #expect(detail.hasPrefix("nothing has been migrated yet; \(words)"), "\(detail)")
        let steps = words.contains("exit code") ? [] : [true, false]
        #expect(report.nextSteps.map { $0.contains("`Migration.plan()`") } == steps)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
    }

    private static let name = "Library/Application Support/Notes.store"

    @Test("a container of a Core Data store, or of only a cloud store of the app, is one that no run has changed")
    func otherStores() throws {
        let old = try CoreDataApp()
        #expect(try old.perform(.verify).failedChecks == ["migrated"])
        let new = try Self.app(nil)
        try new.write(NoteApp.cloud, Self.latest)
        #expect(try new.perform(.verify).failedChecks == ["migrated"])
    }

    @Test("a damaged store is named before the text about a run")
    func damaged() throws {
        let app = try Self.app(Self.latest + Self.record)
        var bytes = try app.folder.bytes(of: NoteApp.local)
        let root = 4096
        for index in root + 3600..<root + 4096 { bytes[index] = 0xA5 }
        try app.folder.write(bytes, to: NoteApp.local)
        #expect(try app.perform(.verify).failedChecks == ["integrity.local"])
    }

    @Test("what a run has changed is verified check by check", arguments: [Command.migrate, .run])
    func touched(command: Command) throws {
        let app = try Self.app(Self.first + Self.record)
        try app.perform(command)
        let report = try app.perform(.verify)
        #expect(report.check("migrated") == nil)
        #expect(report.failedChecks == [])
    }

    @Test("without a store and without preferences there is nothing to verify")
    func nothing() throws {
        let app = try Self.app(nil)
        try app.folder.remove(NoteApp.preferences)
        #expect(failure { try app.perform(.verify) }?.code == .noInput)
    }

    /// How the second device was used before.
    enum Earlier: String, CaseIterable, Sendable { case never, migrated, noStore }

    @Test("a device whose cloud store another one filled has not copied yet", arguments: Earlier.allCases)
    func secondDevice(_ earlier: Earlier) throws {
        let one = try Self.app(Self.first + Self.record)
        try one.perform()
        let two = try Self.app(earlier == .noStore ? nil : Self.first + Self.record)
        if earlier != .noStore {
            try two.folder.setModified(seconds: 1_700_000_000, of: NoteApp.preferences)
            try two.write(NoteApp.local, "UPDATE Note SET title = 'two'")
        }
        if earlier == .migrated { try two.perform(.migrate) }
        try two.folder.write(one.folder.bytes(of: NoteApp.cloud), to: NoteApp.cloud)
        if earlier == .noStore {
            let list = try PropertyListSerialization.data(fromPropertyList: ["unit": "oz"], format: .xml, options: 0)
            try two.folder.write(Array(list), to: NoteApp.preferences)
        }

        let status = try two.migration().status()
        #expect(status.copy == .notDoneHere)
        #expect(status.nextSteps.contains { $0.contains("`Migration.run()`") })
        let report = try two.perform(.verify)
        #expect(report.failedChecks == (earlier == .migrated ? [] : ["migrated"]))
        #expect(report.check("flagMatchesReceipt")?.verdict ?? .skipped == .skipped)
        let made = try two.migration().export(to: two.folder["export.json"], options: .init())
        #expect(!made.freshness.reasons.contains { $0.code == .copyInterrupted })

        if earlier != .noStore {
            try two.write(NoteApp.local, "INSERT INTO Note(id, title) VALUES ('mine', 'x')")
        }
        let copied = try two.perform()
        #expect(!copied.warningCodes.contains { $0.hasSuffix("Again") })
        #expect(copied.notes.map(\.code).contains("copiedAfterAnother") == (earlier != .noStore))
        #expect(try two.migration().status().copy == .done)
        #expect(try two.perform(.verify).failedChecks == [])
    }

    @Test("a copy that was stopped before its flag is interrupted, not another device's")
    func interrupted() throws {
        for app in [try Self.app(Self.first + Self.record), try Self.app(nil)] {
            _ = failure { try app.perform(faultPoint: Fault(at: .beforeFlag).meet) }
            #expect(try app.migration().status().copy == .interrupted)
        }
        let old = try CoreDataApp()
        _ = failure { try old.perform(faultPoint: Fault(at: .beforeFlag).meet) }
        #expect(try old.migration().status().copy == .interrupted)
    }

    @Test("a flag whose cloud store is missing is met with advice on that store")
    func missingCloud() throws {
        let app = try Self.app(Self.latest + Self.record)
        try app.perform()
        try app.folder.remove(NoteApp.cloud)
        let report = try app.perform(.verify)
        #expect(report.failedChecks == ["everyRecordInCloud", "flagMatchesReceipt"])
        let words = report.nextSteps + report.warnings.flatMap { [$0.message, $0.hint ?? ""] }
        #expect(words.contains { $0.contains("NotesCloud.store") && $0.contains("back") })
        #expect(!words.contains { $0.contains("remove") || $0.contains("--verbose") })
    }
}
