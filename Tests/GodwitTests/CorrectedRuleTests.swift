import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Rules of legacy keys that are corrected after the import was made.
struct CorrectedRuleTests {
    private static let create = """
        CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT);
        CREATE TABLE Pin(noteId TEXT PRIMARY KEY, pinnedAt TEXT);
        CREATE TABLE Options(id TEXT PRIMARY KEY, theme TEXT, unit TEXT, updatedAt TEXT);
        """
    private static let entities = """
          Note: { key: id }
          Pin: { key: noteId, modified: pinnedAt, conflict: keepEarliest }
          Options: { key: id, singleton: one, modified: updatedAt }
        """
    private static let theme = "settings: [{ key: theme, into: Options.theme }]"
    private static let both = """
        settings: [{ key: theme, into: Options.theme }, { key: unit, into: Options.unit, values: { lb: lb, kg: kg } }]
        """
    private static let edit =
        "UPDATE Options SET unit = 'st', updatedAt = '\(Date.now.addingTimeInterval(-1).ISO8601Format())'"

    private func app(_ legacy: String, _ more: String = "") throws -> NoteApp {
        var app = try NoteApp(
            entities: Self.entities, migrations: [Self.create],
            preferences: ["theme": "dark", "unit": "lb", "pins": "[\"a\",\"b\"]"])
        app.legacy = "  " + legacy
        try app.write(NoteApp.local, Self.create + "INSERT INTO Note VALUES ('a', 'one'), ('b', 'two');" + more)
        return app
    }

    private func options(_ app: NoteApp, _ store: String = NoteApp.cloud) throws -> [String] {
        try app.column(store, "SELECT coalesce(theme, '-') || ' ' || coalesce(unit, '-') FROM Options")
    }

    @Test(
        "a corrected rule of a setting is imported by the next run, once",
        arguments: [
            "localOnly: [unit]\n  settings: [{ key: theme, into: Options.theme }]",
            "settings: [{ key: theme, into: Options.unit }, { key: unit, into: Options.theme }]",
            "settings: [{ key: theme, into: Options.theme }, { key: unit, into: Options.unit, values: { kg: kg } }]",
            "settings: [{ key: theme, into: Options.theme }, { key: unit, into: Options.unit, values: { lb: kg } }]",
        ])
    func settings(_ wrong: String) throws {
        var app = try app(wrong)
        try app.perform()
        #expect(try options(app) != ["dark lb"])
        app.legacy = "  " + Self.both
        let plan = try app.perform(dryRun: true)
        let report = try app.perform()
        #expect(plan.legacy?.outcome == .done && report.legacy?.outcome == .done)
        #expect(try options(app) == ["dark lb"])
        let verify = try #require(app.perform(.verify).verify)
        #expect(verify.outcome != .failed && verify.changedInCloud ?? [] == [], "the import is no edit of the user's")
        #expect(try app.perform().outcome == .alreadyDone)
    }

    @Test("a corrected encoding of favorites imports them, and those that users deleted since stay deleted")
    func favorites() throws {
        var app = try app("favorites: [{ key: pins, into: Pin.noteId, encoding: keyedArchive }]")
        try app.perform()
        #expect(try app.column(NoteApp.cloud, "SELECT noteId FROM Pin").isEmpty)
        app.legacy = "  favorites: [{ key: pins, into: Pin.noteId, encoding: json }]"
        #expect(try app.perform().legacy?.inserted == ["Pin": 2])
        try app.write(NoteApp.cloud, "DELETE FROM Pin WHERE noteId = 'a'")
        app.legacy = "  favorites: [{ key: pins, into: Pin.noteId }]"
        #expect(try app.perform().outcome == .alreadyDone)
        #expect(try app.column(NoteApp.cloud, "SELECT noteId FROM Pin") == ["b"])
    }

    @Test("a corrected rule that gives the same value changes no record")
    func same() throws {
        var app = try app(Self.both)
        try app.perform()
        let before = try app.column(NoteApp.cloud, "SELECT updatedAt FROM Options")
        app.legacy = "  " + Self.both.replacingOccurrences(of: "kg: kg", with: "kg: kg, pounds: lb")
        #expect(try app.perform().outcome == .alreadyDone)
        #expect(try app.column(NoteApp.cloud, "SELECT updatedAt FROM Options") == before)
    }

    @Test("what the user changed since the import stays, and the corrected key is in conflict, once")
    func edited() throws {
        var app = try app("settings: [{ key: theme, into: Options.unit }]")
        try app.perform()
        try app.write(NoteApp.cloud, Self.edit)
        app.legacy = "  " + Self.both
        #expect(try app.perform().legacy?.buckets["conflict"] == 2)
        #expect(try options(app) == ["- st"])
        #expect(try app.perform().outcome == .alreadyDone)
    }

    @Test("a record that the app made itself is not filled by a key that is mapped later", arguments: ["one", "other"])
    func ownRecord(_ key: String) throws {
        var app = try app(Self.theme, "INSERT INTO Options VALUES ('\(key)', 'light', 'st', '2020-01-01T00:00:00Z');")
        try app.perform(.migrate)
        app.legacy = "  " + Self.both
        let report = try app.perform()
        #expect(report.legacy?.ledger.first { $0.key == "unit" }?.bucket == .alreadyPresent)
        #expect(try options(app) == ["light st"])
        #expect(try app.perform(.verify).outcome != .failed)
    }

    @Test(
        "after a reopen, a late key does not replace what the user changed in the cloud store",
        arguments: [false, true])
    func reopened(_ isEdited: Bool) throws {
        var app = try app(Self.theme)
        try app.perform()
        if isEdited { try app.write(NoteApp.cloud, Self.edit) }
        _ = try app.migration().reopen(dryRun: false)
        app.legacy = "  " + Self.both
        let plan = try app.perform(dryRun: true)
        let report = try app.perform()
        let bucket = isEdited ? RunReport.Legacy.KeyOutcome.conflict : .migrated
        for report in [plan, report] {
            #expect(report.legacy?.ledger.first { $0.key == "unit" }?.bucket == bucket)
        }
        #expect(try options(app) == [isEdited ? "dark st" : "dark lb"])
        #expect(try app.perform(.verify).outcome != .failed)
        #expect(try app.perform().outcome == .alreadyDone)
    }

    @Test("a key that was imported late is not imported again after a reopen")
    func lateThenReopened() throws {
        var app = try app(Self.theme)
        try app.perform()
        app.legacy = "  " + Self.both
        try app.perform()
        try app.write(NoteApp.cloud, Self.edit)
        _ = try app.migration().reopen(dryRun: false)
        let report = try app.perform()
        #expect(report.legacy?.outcome == .alreadyDone && report.outcome == .done)
        #expect(try options(app) == ["dark st"])
    }

    @Test("a key that the app moves to another preferences file is not imported again", arguments: [true, false])
    func movedByApp(isRemoved: Bool) throws {
        var app = try app(Self.both)
        let group = "container/Library/Preferences/group.plist"
        func write(_ values: [String: Any], to name: String) throws {
            let list = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
            try app.folder.write(Array(list), to: name)
        }
        try write(isRemoved ? ["unit": "kg"] : ["unit": "kg", "theme": "light"], to: group)
        app.preferenceNames = ["com.example.notes.plist", "group.plist"]
        let first: [String: Any] = isRemoved ? ["theme": "dark", "unit": "lb"] : ["unit": "lb"]
        try write(first, to: NoteApp.preferences)
        try app.perform()
        let imported = try options(app)
        // The app takes the unit out of the first file, or writes the theme into it, too.
        try write(
            isRemoved ? ["theme": "dark", "moved": true] : ["unit": "lb", "theme": "blue", "moved": true],
            to: NoteApp.preferences)
        let report = try app.perform()
        #expect(report.outcome == .alreadyDone && report.legacy?.outcome == .alreadyDone)
        #expect(try options(app) == imported)
        // The other order in the manifest is a correction.
        app.preferenceNames = ["group.plist", "com.example.notes.plist"]
        try write(
            isRemoved ? ["unit": "kg", "moved": true] : ["unit": "kg", "theme": "light", "moved": true], to: group)
        if !isRemoved {
            try app.perform()
            #expect(try options(app) == ["light kg"])
        }
    }

    @Test("the first preferences file, named rightly after the run, gives its values to the store that the app uses")
    func firstFile() throws {
        var app = try app(Self.both)
        let group = try PropertyListSerialization.data(
            fromPropertyList: ["theme": "light"], format: .binary, options: 0)
        try app.folder.write(Array(group), to: "container/Library/Preferences/group.plist")
        app.preferenceNames = ["com.example.nots.plist", "group.plist"]
        try app.perform()
        #expect(try options(app) == ["light -"])
        app.preferenceNames = ["com.example.notes.plist", "group.plist"]
        try FileManager.default.removeItem(atPath: app.folder["container/Library/Preferences/com.example.nots.plist"])
        let report = try app.perform()
        #expect(report.copy?.outcome == .healed && report.legacy?.outcome == .done)
        #expect(try options(app) == ["dark lb"])
        #expect(try app.perform(.verify).outcome != .failed)
        #expect(try app.perform().outcome == .alreadyDone)
    }
}
