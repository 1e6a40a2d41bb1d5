import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Defaults, targets of value maps, and values that can't be held, seen from the stores.
struct ManifestValueTests {
    private static let entities = """
          Settings: { key: id, singleton: one }
          Favorite: { key: id }
        """
    private static let sql = """
        CREATE TABLE Settings(id TEXT PRIMARY KEY, amount INTEGER, version TEXT, isOn BOOLEAN, ratio REAL);
        CREATE TABLE Favorite(id TEXT PRIMARY KEY);
        """

    private func app(_ rule: String, _ preferences: [String: Any] = ["favs": ["a"]]) throws -> NoteApp {
        var app = try NoteApp(entities: Self.entities, migrations: [Self.sql], preferences: preferences)
        app.legacy = "  settings:\n    - { \(rule) }\n  favorites:\n    - { key: favs, into: Favorite.id }\n"
        return app
    }

    @Test(
        "a default and a target that their column can't hold are refused with the line, before anything is written",
        arguments: [
            "key: k, into: Settings.amount, default: medium", "key: k, into: Settings.amount, default: 'yes'",
            "key: k, into: Settings.amount, default: 1.5", "key: k, into: Settings.amount, values: { a: 1, b: many }",
            "key: k, into: Settings.isOn, default: 2", "key: k, into: Settings.isOn, values: { a: perhaps }",
            "key: k, into: Settings.ratio, default: half", "key: k, into: Settings.version, default: .inf",
        ])
    func refused(_ rule: String) throws {
        let app = try app(rule)
        let before = try FolderFingerprint(app.folder["container"])
        let error = #expect(throws: GodwitError.self) { try app.perform() }
        #expect(error?.code == .manifest)
        let line = try #require(app.manifest.components(separatedBy: "\n").firstIndex { $0.contains(rule) }) + 1
        #expect(error?.message.contains("godwit.yaml:\(line):") == true, "\(error?.message ?? "")")
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
    }

    @Test(
        "values of the manifest are stored by the rules for legacy values, and text keeps its spelling",
        arguments: [
            ("key: k, into: Settings.version, default: 1.10", "version", "text 1.10"),
            ("key: k, into: Settings.version, default: 007", "version", "text 007"),
            ("key: k, into: Settings.version, default: 0x1F", "version", "text 0x1F"),
            ("key: k, into: Settings.version, default: true", "version", "text true"),
            ("key: k, into: Settings.amount, default: '5'", "amount", "integer 5"),
            ("key: k, into: Settings.amount, default: 1e3", "amount", "integer 1000"),
            ("key: k, into: Settings.amount, default: true", "amount", "integer 1"),
            ("key: k, into: Settings.isOn, default: yes", "isOn", "integer 1"),
            ("key: k, into: Settings.ratio, default: 2", "ratio", "real 2.0"),
        ])
    func stored(_ rule: String, _ column: String, _ value: String) throws {
        let app = try app(rule)
        try app.perform()
        #expect(try app.column(NoteApp.cloud, "SELECT typeof(\(column)) || ' ' || \(column) FROM Settings") == [value])
    }

    @Test("a target of a value map as well")
    func target() throws {
        let app = try app("key: k, into: Settings.version, values: { old: 1.10, new: 2.0 }", ["k": "old"])
        try app.perform()
        #expect(try app.column(NoteApp.cloud, "SELECT version FROM Settings") == ["1.10"])
    }

    @Test(
        "NaN is unsupported and stops nothing, under a key that is mapped and under one that is not",
        arguments: ["other", "k"])
    func unheld(_ key: String) throws {
        let app = try app(
            "key: k, into: Settings.version, default: x",
            ["favs": ["a"], key: key == "k" ? Double.nan : [1.5, Double.nan]])
        for isDryRun in [true, false] {
            let report = try app.perform(dryRun: isDryRun)
            #expect(report.outcome == .partial)
            #expect(report.line(key)?.bucket == .unsupported)
            #expect(report.line(key)?.note?.hasPrefix("NaN cannot be stored as a number") == true)
            #expect(report.legacy?.buckets["migrated"] == 1 && report.legacy?.buckets["unsupported"] == 1)
        }
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Favorite") == ["a"])
        #expect(try app.column(NoteApp.cloud, "SELECT version FROM Settings") == ["x"])
        let again = try app.perform()
        #expect(again.outcome == .alreadyDone && again.verify?.outcome != .failed)
    }

    @Test("a list with a value that can't be held gives its other favorites, and that value is counted")
    func unheldItem() throws {
        let app = try app("key: k, into: Settings.version", ["favs": ["a", Double.nan, "b", "c"], "k": "1"])
        let report = try app.perform()
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Favorite ORDER BY 1") == ["a", "b", "c"])
        #expect(report.outcome == .partial && report.line("favs")?.note?.contains("NaN") == true)
    }

    @Test("a dictionary that Swift's JSONEncoder wrote names favorites with their dates")
    func dates() throws {
        var app = try NoteApp(
            entities: "  Favorite: { key: id, modified: addedAt }",
            migrations: ["CREATE TABLE Favorite(id TEXT PRIMARY KEY, addedAt TEXT);"],
            preferences: [
                "favs": try JSONEncoder().encode([UUID(): Date(timeIntervalSinceReferenceDate: 700_000_000.25)])
            ])
        app.legacy = "  favorites:\n    - { key: favs, into: Favorite.id }\n"
        try app.perform()
        #expect(try app.column(NoteApp.cloud, "SELECT addedAt FROM Favorite") == ["2023-03-08T20:26:40.250Z"])
        app.legacy = "  favorites:\n    - { key: favs, into: Favorite.id, dates: julianDays }\n"
        let error = #expect(throws: GodwitError.self) { try app.perform() }
        #expect(error?.code == .manifest)
    }
}
