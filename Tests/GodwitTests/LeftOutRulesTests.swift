import Foundation
import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Rules that were left out of the manifest: a strict run stops, also if key and column have no word in common.
struct LeftOutRulesTests {
    private static let create = """
        CREATE TABLE Note(id TEXT PRIMARY KEY);
        CREATE TABLE Bookmark(objectId TEXT PRIMARY KEY NOT NULL);
        CREATE TABLE Muted(target TEXT PRIMARY KEY NOT NULL);
        CREATE TABLE Options(id TEXT PRIMARY KEY, theme TEXT, since TEXT);
        """
    private static let bookmarks = "{ key: savedObjects, into: Bookmark.objectId }"
    private static let muted = "{ key: mutedTargets, into: Muted.target }"
    private static let since = "{ key: firstLight, into: Options.since }"

    /// An app with a favorites list of each form and a date, and the rules of the manifest.
    private func app(settings: [String] = [since], favorites: [String] = [bookmarks, muted]) throws -> NoteApp {
        var app = try NoteApp(
            entities: """
                  Note: { key: id }
                  Bookmark: { key: objectId }
                  Muted: { key: target }
                  Options: { key: id, singleton: one }
                """, migrations: [Self.create],
            preferences: [
                "theme": "dark", "firstLight": Date(timeIntervalSince1970: 1_709_323_200), "savedObjects": ["a", "b"],
                "mutedTargets": ["c": true], "recentSearches": ["d"],
            ])
        app.legacy = """
              settings: [\((["{ key: theme, into: Options.theme }"] + settings).joined(separator: ", "))]
              favorites: [\(favorites.joined(separator: ", "))]
            """
        try app.write(NoteApp.local, Self.create + "INSERT INTO Note VALUES ('n')")
        return app
    }

    @Test("a strict run stops without the rule of a list or of a date, and the corrected manifest brings the values")
    func leftOut() throws {
        #expect(try app().perform { $0.isStrict = true }.outcome == .done)
        for (settings, favorites, key) in [
            ([Self.since], [Self.muted], "savedObjects"), ([Self.since], [Self.bookmarks], "mutedTargets"),
            ([], [Self.bookmarks, Self.muted], "firstLight"),
        ] {
            var app = try app(settings: settings, favorites: favorites)
            let stopped = try app.perform { $0.isStrict = true }
            #expect(stopped.stoppedBy == .strict && stopped.warningCodes == ["keyNotMapped"])
            #expect(stopped.warnings.first?.message.contains("'\(key)'") == true)
            _ = try app.perform()
            app.legacy = try self.app().legacy
            #expect(try app.perform { $0.isStrict = true }.warningCodes == [])
            #expect(try app.column(NoteApp.cloud, "SELECT objectId FROM Bookmark") == ["a", "b"])
            #expect(try app.column(NoteApp.cloud, "SELECT target FROM Muted") == ["c"])
            #expect(try app.column(NoteApp.cloud, "SELECT since FROM Options") == ["2024-03-01T20:00:00.000Z"])
        }
    }

    @Test("a list whose name has nothing of an entity is not reported if the entity has records")
    func records() throws {
        let app = try app(favorites: [Self.muted])
        try app.write(NoteApp.local, "INSERT INTO Bookmark VALUES ('z')")
        #expect(try app.perform { $0.isStrict = true }.warningCodes == [])
    }
}
