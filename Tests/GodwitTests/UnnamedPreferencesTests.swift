import Foundation
import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Preferences files in other folders than those of the named ones.
struct UnnamedPreferencesTests {
    private static let create = """
        CREATE TABLE Pin(noteId TEXT PRIMARY KEY);
        CREATE TABLE Options(id TEXT PRIMARY KEY, theme TEXT);
        """

    @Test(
        "a file in another folder is named if it has mapped keys that no named file has",
        arguments: ["plist", "json", "dat"])
    func otherFolder(_ ending: String) throws {
        var app = try NoteApp(
            entities: "  Pin: { key: noteId }\n  Options: { key: id, singleton: one }", migrations: [Self.create],
            preferences: ["theme": "dark"])
        app.legacy = """
              settings: [{ key: theme, into: Options.theme }]
              favorites: [{ key: pins, into: Pin.noteId }]
            """
        try app.write(NoteApp.local, Self.create)
        for folder in ["Group", "Caches"] { try app.folder.makeFolder("container/Library/" + folder) }
        func write(_ list: [String: Any], to name: String) throws {
            let bytes =
                ending == "json"
                ? try JSONSerialization.data(withJSONObject: list)
                : try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
            try app.folder.write(Array(bytes), to: "container/Library/\(name).\(ending)")
        }
        try write(["theme": "light", "other": 1], to: "Group/copy")
        try write(["theme": "light", "pins": ["b"]], to: "Caches/passing")
        #expect(try app.perform(dryRun: true).warningCodes == [])
        try write(["theme": "light", "pins": ["b"]], to: "Group/suite")
        for report in [try app.perform(dryRun: true), try app.perform()] {
            #expect(report.warningCodes == ["preferencesNotNamed"])
            let message = try #require(report.warnings.first?.message)
            #expect(message.contains("Library/Group/suite.\(ending)` has 1 key that the manifest maps ('pins')"))
        }
    }
}
