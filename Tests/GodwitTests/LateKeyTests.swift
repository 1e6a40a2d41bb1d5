import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Keys that a manifest maps only after the import was made, or that the preferences have only since then.
struct LateKeyTests {
    private static let create = """
        CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT);
        CREATE TABLE Pin(noteId TEXT PRIMARY KEY, pinnedAt TEXT);
        CREATE TABLE Options(id TEXT PRIMARY KEY, theme TEXT, unit TEXT, size INTEGER DEFAULT 7, updatedAt TEXT);
        """
    private static let entities = """
          Note: { key: id }
          Pin: { key: noteId, modified: pinnedAt, conflict: keepEarliest }
          Options: { key: id, singleton: one, modified: updatedAt }
        """
    private static let theme = "{ key: theme, into: Options.theme }"
    private static let wrongUnit = "{ key: units, into: Options.unit, default: kg }"
    private static let unit = "{ key: unit, into: Options.unit, default: kg }"
    private static let size = "{ key: size, into: Options.size }"
    private static var preferences: [String: Any] { ["theme": "dark", "unit": "lb", "size": 9, "pins": ["a", "b"]] }

    private static func legacy(_ settings: [String], pins: Bool = false) -> String {
        "  settings: [\(settings.joined(separator: ", "))]"
            + (pins ? "\n  favorites: [{ key: pins, into: Pin.noteId }]" : "")
    }

    /// An app after a run with these rules.
    private func app(_ settings: [String], pins: Bool = false, _ command: Command = .run) throws -> NoteApp {
        var app = try NoteApp(entities: Self.entities, migrations: [Self.create], preferences: Self.preferences)
        app.legacy = Self.legacy(settings, pins: pins)
        try app.write(NoteApp.local, Self.create + "INSERT INTO Note VALUES ('a', 'one'), ('b', 'two')")
        try app.perform(command)
        return app
    }

    private func options(_ app: NoteApp, _ store: String = NoteApp.cloud) throws -> [String] {
        try app.column(store, "SELECT coalesce(theme, '-') || ' ' || coalesce(unit, '-') || ' ' || size FROM Options")
    }

    @Test(
        "a corrected key is imported by the next run, before the copy and after it, once",
        arguments: [Command.migrate, .run])
    func corrected(_ first: Command) throws {
        var app = try app([Self.theme, Self.wrongUnit], first)
        app.legacy = Self.legacy([Self.theme, Self.unit, Self.size])
        let plan = try app.perform(dryRun: true)
        let report = try app.perform()
        for report in [plan, report] {
            #expect(
                report.legacy?.buckets
                    == ["migrated": 3, "unmapped": 1, "localOnly": first == .run ? 1 : 0].filter { $0.value > 0 })
        }
        #expect(try options(app) == ["dark lb 9"])
        #expect(try app.perform(.verify).outcome != .failed)
        let again = try app.perform()
        #expect(again.legacy?.outcome == .alreadyDone && again.outcome == .alreadyDone)
        if first == .migrate { #expect(try options(app, NoteApp.local) == ["dark lb 9"]) }
        if first == .run {
            #expect(try options(app, NoteApp.local) == ["dark kg 7"], "the local store is not written after the copy")
        }
    }

    @Test("a trigger that would change records of another entity ends the run, and the key is not imported")
    func trigger() throws {
        let trigger = "CREATE TRIGGER g AFTER UPDATE ON Options BEGIN UPDATE Note SET title = 'auto'; END;"
        let create = Self.create + trigger + "\n"
        var app = try NoteApp(entities: Self.entities, migrations: [create], preferences: Self.preferences)
        app.legacy = Self.legacy([Self.theme, Self.wrongUnit])
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('a', 'one')")
        try app.perform(.migrate)
        app.legacy = Self.legacy([Self.theme, Self.unit])
        let error = try #require(failure { try app.perform() })
        #expect(error.code == .data && error.message.contains("trigger 'g'"), "\(error.message)")
        #expect(try app.column(NoteApp.local, "SELECT title FROM Note") == ["one"])
        #expect(try options(app, NoteApp.local) == ["dark kg 7"])
    }

    @Test("what was changed since the import stays, and the key is in conflict, once")
    func edited() throws {
        for sql in ["UPDATE Options SET unit = 'st'", "UPDATE Options SET updatedAt = '2030-01-01T00:00:00.000Z'"] {
            var app = try app([Self.theme, Self.wrongUnit])
            try app.write(NoteApp.cloud, sql)
            let before = try options(app)
            app.legacy = Self.legacy([Self.theme, Self.unit])
            let report = try app.perform()
            #expect(report.legacy?.ledger.first { $0.key == "unit" }?.bucket == .conflict)
            #expect(report.outcome == .partial)
            #expect(try options(app) == before)
            let later = try app.perform()
            #expect(later.outcome == .alreadyDone && later.legacy?.earlier?.lost == 1)
            let check = try app.perform(.verify).verify?.checks.first { $0.name == "legacyAccountedFor" }
            #expect(check?.detail.contains("left 1 value behind") == true)
        }
    }

    @Test("Godwit's own write of the flag does not date legacy values, so that they replace no later edit in the cloud")
    func datedBeforeFlag() throws {
        var app = try NoteApp(entities: Self.entities, migrations: [Self.create], preferences: Self.preferences)
        app.legacy = Self.legacy([Self.theme, Self.unit])
        app.localName = "Old.store"
        let old = NoteApp.local.replacingOccurrences(of: "Notes.store", with: "Old.store")
        try app.write(old, Self.create + "INSERT INTO Note VALUES ('a', 'one')")
        try app.write(NoteApp.local, Self.create + "INSERT INTO Note VALUES ('a', 'one'), ('b', 'two')")
        try app.folder.setModified(
            seconds: Instant.sampleNow.advanced(bySeconds: -86_400).seconds, of: NoteApp.preferences)
        try app.perform()
        let edited = Instant.sampleNow.advanced(bySeconds: 60).iso8601
        try app.write(NoteApp.cloud, "UPDATE Options SET unit = 'st', updatedAt = '\(edited)'")
        app.localName = "Notes.store"
        _ = try app.migration().reopen(dryRun: false)
        try app.perform { $0.now = .sampleNow.advanced(bySeconds: 7200) }
        #expect(try options(app) == ["dark st 7"])
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Note ORDER BY id") == ["a", "b"])
    }

    @Test("forgotten favorites are added to the existing ones, and none is overwritten or comes back")
    func favorites() throws {
        var app = try app([Self.theme])
        try app.write(NoteApp.cloud, "INSERT INTO Pin VALUES ('b', '2001-01-01T00:00:00Z')")
        app.legacy = Self.legacy([Self.theme], pins: true)
        #expect(try app.perform().legacy?.inserted == ["Pin": 1])
        #expect(try app.column(NoteApp.cloud, "SELECT noteId FROM Pin ORDER BY 1") == ["a", "b"])
        #expect(
            try app.column(NoteApp.cloud, "SELECT pinnedAt FROM Pin WHERE noteId = 'b'") == ["2001-01-01T00:00:00Z"])
        try app.write(NoteApp.cloud, "DELETE FROM Pin WHERE noteId = 'a'")
        #expect(try app.perform().outcome == .alreadyDone)
        #expect(try app.column(NoteApp.cloud, "SELECT noteId FROM Pin") == ["b"])
    }

    @Test("settings that were forgotten altogether make their record, with their defaults")
    func noRecord() throws {
        var app = try app([], pins: true)
        app.legacy = Self.legacy([Self.theme, Self.wrongUnit], pins: true)
        try app.perform()
        #expect(try options(app) == ["dark kg 7"])
    }

    @Test("a key that appears in the preferences after the import comes with the next run")
    func appeared() throws {
        let app = try app([Self.theme, "{ key: mode, into: Options.unit, default: kg }"])
        var list = Self.preferences
        list["mode"] = "st"
        list["moved"] = true
        try app.folder.write(
            Array(PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)),
            to: NoteApp.preferences)
        try app.perform()
        #expect(try options(app) == ["dark st 7"])
    }

    @Test("an interrupted import of late keys leaves nothing, and the next run does it")
    func interrupted() throws {
        var app = try app([Self.theme, Self.wrongUnit])
        app.legacy = Self.legacy([Self.theme, Self.unit])
        let error = failure {
            try app.perform(faultPoint: { point throws(GodwitError) in
                if point == .beforeLegacyCommit { throw GodwitError(.legacy, .io, "stopped") }
            })
        }
        #expect(error?.message == "stopped")
        #expect(try options(app) == ["dark kg 7"])
        try app.perform()
        #expect(try options(app) == ["dark lb 7"])
    }
}
