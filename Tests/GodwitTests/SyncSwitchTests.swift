import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// The app's own switch for sync: off keeps everything local, and on again loses nothing.
struct SyncSwitchTests {
    private static let create = """
        CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT, updatedAt TEXT);
        CREATE TABLE Tag(id TEXT PRIMARY KEY, noteId TEXT REFERENCES Note(id) ON DELETE CASCADE, updatedAt TEXT);
        CREATE TABLE Mark(id TEXT PRIMARY KEY, body TEXT);
        CREATE TRIGGER note_gone AFTER DELETE ON Note BEGIN DELETE FROM Mark WHERE id = OLD.id; END;
        """
    private static let entities = """
          Note: { key: id, modified: updatedAt }
          Tag: { key: id, modified: updatedAt, belongsTo: { noteId: Note } }
          Mark: { key: id }
        """

    /// Copied at `sampleNow`, 2026-11-21T06:00:00Z or thereabouts; every later time is in 2027.
    private static func app(isOn: Any? = true) throws -> NoteApp {
        var app = try NoteApp(entities: entities, migrations: [create])
        app.settings = "sync: { enabledKey: syncOn }"
        try app.write(
            NoteApp.local,
            create + """
                INSERT INTO Note VALUES ('both', 'a', '2026-01-01'), ('cloudNewer', 'a', '2026-01-01'),
                  ('deleted', 'a', '2026-01-01'), ('deletedButEdited', 'a', '2026-01-01'), ('parent', 'a', '2026-01-01'),
                  ('same', 'a', '2026-01-01');
                INSERT INTO Tag VALUES ('t', 'same', '2026-01-01');
                INSERT INTO Mark VALUES ('m', 'a');
                """)
        try turn(app, isOn)
        return app
    }

    private static func turn(_ app: NoteApp, _ isOn: Any?) throws {
        let data = Data(try app.folder.bytes(of: NoteApp.preferences))
        let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        var values = try #require(list as? [String: Any])
        values["syncOn"] = isOn
        let bytes = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        try app.folder.write(Array(bytes), to: NoteApp.preferences)
    }

    private static func isFlagSet(_ app: NoteApp) throws -> Bool {
        let data = Data(try app.folder.bytes(of: NoteApp.preferences))
        let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        return (list as? [String: Any])?["moved"] as? Bool ?? false
    }

    /// What happens while sync is off: on this device, and by other devices in the cloud store.
    private static func goOn(_ app: NoteApp) throws {
        try app.write(
            NoteApp.local,
            """
            INSERT INTO Note VALUES ('new', 'local', '2027-01-01');
            UPDATE Note SET body = 'local', updatedAt = '2027-01-03' WHERE id = 'both';
            UPDATE Note SET body = 'local', updatedAt = '2027-01-01' WHERE id IN ('cloudNewer', 'deletedButEdited');
            INSERT INTO Tag VALUES ('late', 'parent', '2027-01-01');
            """)
        try app.write(
            NoteApp.cloud,
            """
            DELETE FROM Note WHERE id IN ('deleted', 'deletedButEdited', 'parent');
            UPDATE Note SET body = 'cloud', updatedAt = '2027-01-02' WHERE id IN ('both', 'cloudNewer');
            INSERT INTO Note VALUES ('other', 'cloud', '2027-01-01');
            """)
    }

    private static func notes(_ app: NoteApp, _ store: String = NoteApp.cloud) throws -> [String] {
        try app.column(store, "SELECT id || '=' || body FROM Note ORDER BY id")
    }

    private static let merged = [
        "both=local", "cloudNewer=cloud", "deletedButEdited=local", "new=local", "other=cloud", "parent=a", "same=a",
    ]

    private static let later: @Sendable (inout MigrationOptions) -> Void = {
        $0.now = Instant(iso8601: "2027-02-01T00:00:00Z")
    }

    // MARK: Off

    @Test(
        "what was not copied yet stays local while sync is off, and is copied when it is on",
        arguments: [Command.run, .copy])
    func offBeforeCopy(command: Command) throws {
        let app = try Self.app(isOn: false)
        for dryRun in [true, false] {
            let report = try app.perform(command, dryRun: dryRun)
            #expect(report.copy?.outcome == .nothingToDo)
            #expect(report.notes.map(\.code).contains("syncOff"))
            #expect(!report.warnings.map(\.code).contains("localStoreMissing"))
            #expect(report.activeStore == .local)
        }
        #expect(!app.folder.exists(NoteApp.cloud))
        #expect(try !Self.isFlagSet(app))
        try Self.turn(app, true)
        #expect(try app.perform(command).copy?.outcome == .done)
        #expect(try Self.isFlagSet(app) && Self.notes(app).count == 6)
    }

    @Test("the stages before the copy go on in the local store")
    func stagesWhileOff() throws {
        var app = try Self.app()
        try app.perform()
        try Self.turn(app, false)
        try app.folder.write("CREATE TABLE More(id TEXT PRIMARY KEY);", to: "migrations/V0002__more.sql")
        app.entities += "\n  More: { key: id }"
        let cloud = try app.folder.bytes(of: NoteApp.cloud)
        let report = try app.perform()
        #expect(report.schema?.store == .local && report.schema?.outcome == .done)
        #expect(try app.folder.bytes(of: NoteApp.cloud) == cloud)
        #expect(try Self.isFlagSet(app))
    }

    @Test("status says that sync is off, in both languages, and the local store is the active one")
    func status() throws {
        let app = try Self.app()
        try app.perform()
        #expect(try app.migration().status().activeStore == .cloud)
        try Self.turn(app, false)
        let status = try app.migration().status()
        #expect(status.activeStore == .local && status.choice?.reason == .syncOff && status.choice?.role == .local)
        #expect(status.userStatus.state == "notConfigured")
        #expect(status.userStatus.message.contains("turned off"))
        #expect(try app.migration { $0.language = "ja" }.status().userStatus.message.contains("オフ"))
        #expect(status.warnings.first?.code == "localOnly")
    }

    @Test("an export of that time holds the local store, and says that it is on this device only")
    func export() throws {
        let app = try Self.app()
        try app.perform()
        try Self.turn(app, false)
        let report = try app.migration().exportAndKeep(to: app.folder["e.json"], options: .init())
        #expect(report.store == .local)
        #expect(report.freshness.reasons.contains { $0.code == .localOnly && $0.message.contains("turned off") })
    }

    @Test(
        "yes and no are read as UserDefaults reads them",
        arguments: [
            (true, .cloud), (false, .local), (1, .cloud), (0, .local), ("YES", .cloud), ("no", .local),
            ("true", .cloud),
            ("false", .local), ("1", .cloud), ("0", .local),
        ] as [(any Sendable, StoreRole)])
    func spelled(value: any Sendable, role: StoreRole) throws {
        let app = try Self.app()
        try app.perform()
        try Self.turn(app, value)
        let status = try app.migration().status()
        #expect(status.activeStore == role, "\(value)")
        #expect(!status.warnings.contains { $0.code == "syncPreferenceUnclear" })
    }

    @Test(
        "anything else is a warning without its value, and not said",
        arguments: ["secret", 2, 1.5, ["a"]] as [any Sendable])
    func unclear(value: any Sendable) throws {
        let app = try Self.app()
        try app.perform()
        try Self.turn(app, value)
        let status = try app.migration().status()
        #expect(status.activeStore == .cloud)
        let warning = status.warnings.first { $0.code == "syncPreferenceUnclear" }
        #expect(warning?.message.contains("'syncOn'") == true && warning?.message.contains("secret") == false)
        #expect(try app.perform().copy?.outcome == .alreadyDone)
    }

    @Test("the switch is in the key list by itself, also if the manifest lists it")
    func bucket() throws {
        for legacy in ["", "  localOnly: [syncOn]"] {
            var app = try Self.app()
            app.legacy = legacy
            let lines = try app.perform().legacy?.ledger.filter { $0.key == "syncOn" } ?? []
            #expect(lines.map(\.bucket) == [.localOnly])
        }
    }

    @Test(
        "a switch that is something else already is refused with its place",
        arguments: [
            ("sync: { enabledKey: moved }", "flag"), ("sync: { enabledKey: theme }", "imported"),
            ("sync: {}", "enabledKey"),
            ("sync: { enabled: a }", "enabled"), ("sync: { enabledKey: 1 }", "text"), ("sync: on", "mapping"),
        ])
    func manifest(line: String, word: String) throws {
        var app = try Self.app()
        app.legacy = "  favorites: [{ key: theme, into: Note.id }]"
        app.settings = line
        let error = failure { try app.perform() }
        #expect(error?.code == .manifest && error?.message.contains("godwit.yaml:") == true)
        #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    }

    // MARK: On again

    @Test(
        "on again: what was entered comes over, what was deleted elsewhere stays deleted, the last writer wins",
        arguments: [Command.run, .copy])
    func onAgain(command: Command) throws {
        let app = try Self.app()
        let first = try app.perform()
        #expect(first.copy?.outcome == .done && first.copy?.since == nil)
        let detail = "SELECT json_remove(detail, '$.digest') FROM godwit_receipt WHERE stage = 'copy'"
        let digest = "SELECT detail ->> '$.digest' FROM godwit_receipt WHERE stage = 'copy'"
        let receipt = try app.column(NoteApp.cloud, detail)
        let firstDigest = try app.column(NoteApp.cloud, digest)
        try Self.turn(app, false)
        try Self.goOn(app)
        let local = try Self.notes(app, NoteApp.local)
        let off = try app.perform(command, Self.later)
        #expect(off.copy?.outcome == .nothingToDo)
        #expect(try Self.isFlagSet(app))
        try Self.turn(app, true)
        let plan = try app.perform(command, dryRun: true, Self.later)
        let report = try app.perform(command, Self.later)
        #expect(plan.copy?.entities == report.copy?.entities && plan.copy?.since == report.copy?.since)
        #expect(report.outcome == .done && report.failedChecks == [])
        #expect(report.copy?.since == .sampleNow && report.copy?.added == nil)
        #expect(try Self.notes(app) == Self.merged)
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Tag ORDER BY id") == ["late", "t"])
        #expect(try Self.notes(app, NoteApp.local) == local)
        #expect(try Self.isFlagSet(app))
        let notes = try #require(report.copy?.entities.first { $0.name == "Note" })
        #expect([notes.inserted, notes.updated, notes.equal, notes.cloudKept] == [3, 1, 0, 1])
        // The receipt counts what came later with the rest: what is beyond its numbers was added since.
        let counted = receipt.map {
            $0.replacing(#""Note","local":6,"inserted":6"#, with: #""Note","local":9,"inserted":9"#)
                .replacing(#""Tag","local":1,"inserted":1"#, with: #""Tag","local":2,"inserted":2"#)
        }
        #expect(counted != receipt)
        #expect(try app.column(NoteApp.cloud, detail) == counted)
        // It now is of the local store as it is by this copy.
        #expect(try app.column(NoteApp.cloud, digest) != firstDigest)
        #expect(
            try app.column(NoteApp.cloud, "SELECT completedAt FROM godwit_receipt WHERE stage = 'copy'")
                == ["2027-02-01T00:00:00.000Z"])
        #expect(
            try app.column(NoteApp.cloud, "SELECT record FROM godwit_removed WHERE key = 'both'").count == 1,
            "what was replaced is kept aside")
        #expect(report.warnings.contains { $0.code == "undatedNotBrought" } == false)
    }

    @Test("run twice is run once: the second time nothing is opened for writing")
    func twice() throws {
        let app = try Self.app()
        try app.perform()
        try Self.goOn(app)
        try app.perform(.run, Self.later)
        let before = try FolderFingerprint(app.folder["container"])
        let again = try app.perform(.run, Self.later)
        #expect(again.outcome == .alreadyDone && again.copy?.outcome == .alreadyDone)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
        // What users delete after it stays deleted.
        try app.write(NoteApp.cloud, "DELETE FROM Note WHERE id = 'new'")
        #expect(try app.perform(.run, Self.later).copy?.outcome == .alreadyDone)
        #expect(try Self.notes(app).contains("new=local") == false)
    }

    @Test(
        "a run that is killed and repeated has the result of an undisturbed run",
        arguments: [FaultPoint.beforeCopyCommit, .afterCopyCommit])
    func killed(point: FaultPoint) throws {
        let app = try Self.app()
        try app.perform()
        try Self.goOn(app)
        #expect(failure { try app.perform(.run, Self.later, faultPoint: Fault(at: point).meet) } != nil)
        #expect(try Self.isFlagSet(app))
        let isDone = try Self.notes(app) == Self.merged
        #expect(isDone == (point == .afterCopyCommit))
        try app.perform(.run, Self.later)
        #expect(try Self.notes(app) == Self.merged && Self.isFlagSet(app))
        #expect(try app.perform(.run, Self.later).outcome == .alreadyDone)
    }

    @Test(
        "without the switch in the manifest, or without a value, nothing changes",
        arguments: [true, false])
    func without(isNamed: Bool) throws {
        var app = try Self.app(isOn: isNamed ? nil : true)
        if !isNamed { app.settings = "" }
        try app.perform()
        try Self.goOn(app)
        let before = try FolderFingerprint(app.folder["container"])
        #expect(try app.perform(.run, Self.later).copy?.outcome == .alreadyDone)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
    }

    @Test(
        "an ancestor in the cloud store does not change, with any rule; a missing ancestor is copied too",
        arguments: ["keepNewest", "keepEarliest", "keepLocal", "keepCloud"])
    func ancestors(rule: String) throws {
        var app = try NoteApp(
            entities: """
                  Note: { key: id, modified: updatedAt, conflict: \(rule) }
                  Tag: { key: id, modified: updatedAt, belongsTo: { noteId: Note } }
                """, migrations: [Self.create])
        app.settings = "sync: { enabledKey: syncOn }"
        try app.write(
            NoteApp.local,
            Self.create + "INSERT INTO Note VALUES ('p', 'a', '2026-01-01'), ('q', 'a', '2026-01-01');")
        try Self.turn(app, true)
        try app.perform()
        try app.write(
            NoteApp.local,
            "INSERT INTO Tag VALUES ('ofP', 'p', '2027-01-02'), ('ofQ', 'q', '2027-01-02')")
        try app.write(
            NoteApp.cloud,
            "UPDATE Note SET body = 'elsewhere', updatedAt = '2026-12-01' WHERE id = 'p'; DELETE FROM Note WHERE id = 'q'"
        )
        let report = try app.perform(.run, Self.later)
        #expect(report.copy?.outcome == .done)
        #expect(try Self.notes(app) == ["p=elsewhere", "q=a"])
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Tag ORDER BY id") == ["ofP", "ofQ"])
    }

    @Test("dates that say nothing of when are reported if the cloud store lacks the record, and bring nothing back")
    func unclearDates() throws {
        let app = try Self.app()
        try app.perform()
        try app.write(
            NoteApp.local,
            """
            INSERT INTO Note VALUES ('null', 'a', NULL), ('odd', 'a', 'yesterday'), ('ahead', 'a', '2099-01-01'),
              ('second', 'a', '2026-11-21T06:00:00Z');
            UPDATE Note SET updatedAt = '2099-01-01' WHERE id = 'same';
            """)
        let report = try app.perform(.run, Self.later)
        #expect(try Self.notes(app).contains("second=a"), "a whole second is as late as can be")
        let warning = try #require(report.warnings.first { $0.code == "undatedNotBrought" })
        #expect(warning.message.hasPrefix("3 `Note` records of"))
        try app.write(NoteApp.cloud, "DELETE FROM Note WHERE id = 'same'; DELETE FROM Tag")
        #expect(try app.perform(.run, Self.later).copy?.outcome == .alreadyDone)
        #expect(try !Self.notes(app).contains { $0.hasPrefix("same") })
    }

    @Test("while no one is signed in nothing comes over; signed in again it does")
    func signedOut() throws {
        let app = try Self.app()
        try app.perform()
        try Self.goOn(app)
        let before = try Self.notes(app)
        let report = try app.perform(.run) {
            Self.later(&$0)
            $0.account = .noAccount
        }
        #expect(report.copy?.outcome == .alreadyDone)
        #expect(try Self.notes(app) == before)
        #expect(try app.perform(.run, Self.later).copy?.outcome == .done)
        #expect(try Self.notes(app) == Self.merged)
    }

    @Test("records without a date are not brought, and counted where the cloud store lacks some")
    func undated() throws {
        let app = try Self.app()
        try app.perform()
        try app.write(NoteApp.local, "INSERT INTO Mark VALUES ('x', 'local'), ('y', 'local')")
        let report = try app.perform(.run, Self.later)
        #expect(report.copy?.outcome == .alreadyDone)
        let warning = report.warnings.first { $0.code == "undatedNotBrought" }
        #expect(warning?.message.hasPrefix("2 `Mark` records of ") == true, "\(warning?.message ?? "")")
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Mark") == ["m"])
    }

    @Test("an entity that came into the manifest since the copy comes whole, with the later records of the others")
    func lateEntity() throws {
        var app = try Self.app()
        app.entities = "  Note: { key: id, modified: updatedAt }"
        try app.perform()
        try Self.turn(app, false)
        try Self.goOn(app)
        try Self.turn(app, true)
        app.entities = Self.entities
        let report = try app.perform(.run, Self.later)
        #expect(report.copy?.since == .sampleNow)
        #expect(try Self.notes(app) == Self.merged)
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Tag ORDER BY id") == ["late", "t"])
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Mark") == ["m"])
        #expect(try app.perform(.run, Self.later).outcome == .alreadyDone)
    }

    @Test("an entity that comes while the switch says nothing does not hide what is still to come of the others")
    func lateEntityWhileUnsaid() throws {
        var app = try Self.app()
        app.entities = "  Note: { key: id, modified: updatedAt }"
        try app.perform()
        try Self.goOn(app)
        try Self.turn(app, nil)
        app.entities += "\n  Mark: { key: id }"
        #expect(try app.perform(.run, Self.later).copy?.added == ["Mark"])
        try Self.turn(app, true)
        try app.perform(.run, Self.later)
        #expect(try Self.notes(app).contains("new=local"))
    }
}
