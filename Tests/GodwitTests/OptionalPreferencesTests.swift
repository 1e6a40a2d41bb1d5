import Foundation
import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Preferences files that some users do not have, or in which they changed nothing.
struct OptionalPreferencesTests {
    private static let create = """
        CREATE TABLE Note(id TEXT PRIMARY KEY);
        CREATE TABLE Options(id TEXT PRIMARY KEY, theme TEXT);
        """

    private let app: NoteApp

    init() throws {
        var app = try NoteApp(
            entities: "  Note: { key: id }\n  Options: { key: id, singleton: one }", migrations: [Self.create],
            preferences: ["theme": "dark"])
        app.legacy = "  settings: [{ key: theme, into: Options.theme }]"
        try app.write(NoteApp.local, Self.create + "INSERT INTO Note VALUES ('a')")
        self.app = app
    }

    /// The warnings of a run with these items in `preferences:`.
    private func codes(_ preferences: String, dryRun: Bool = true) throws -> [String] {
        let named = "Library/Preferences/\(app.preferenceNames[0])"
        try app.folder.write(app.manifest.replacing("[\(named)]", with: "[\(preferences)]"), to: "godwit.yaml")
        return try Migration(
            manifest: .load(path: app.folder["godwit.yaml"]), container: .path(app.folder["container"])
        ).perform(.run, dryRun: dryRun).warningCodes
    }

    private var first: String { "Library/Preferences/\(app.preferenceNames[0])" }

    private func optional(_ path: String) -> String { "{ path: \(path), optional: true }" }

    @Test("a file that only some users have may be missing")
    func missing() throws {
        let group = "Library/Preferences/group.plist"
        #expect(try codes("\(first), \(group)") == ["legacyMissing"])
        #expect(try codes("\(first), \(optional(group))") == [])
        #expect(try codes("\(first), \(optional(group))", dryRun: false) == [])
        #expect(try app.column(NoteApp.cloud, "SELECT theme FROM Options") == ["dark"])
    }

    @Test("preferences in which a user changed nothing may have no mapped key, or may not exist")
    func unchanged() throws {
        for values: [String: Any] in [["launchCount": 3], [:]] {
            let list = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
            try app.folder.write(Array(list), to: NoteApp.preferences)
            #expect(try codes(first) == ["legacyEmpty"])
            #expect(try codes(optional(first)) == [])
        }
        try app.folder.remove(NoteApp.preferences)
        #expect(try codes(optional(first), dryRun: false) == [])
        #expect(try codes(optional(first), dryRun: false) == [])
    }

    @Test("an optional file without any bytes counts as empty, and gets the flag")
    func withoutBytes() throws {
        try app.folder.write("", to: NoteApp.preferences)
        let error = try #require(throws: GodwitError.self) { try codes(first) }
        #expect(error.code == .data && error.message.contains("empty file"))
        #expect(error.hint?.contains("Restore the file from a backup") == true)
        #expect(error.hint?.contains("optional: true") == true)
        #expect(try codes(optional(first)) == [])
        #expect(try codes(optional(first), dryRun: false) == [])
        let list = try PropertyListSerialization.propertyList(
            from: Data(app.folder.bytes(of: NoteApp.preferences)), format: nil)
        #expect(list as? [String: Bool] == ["moved": true])
        #expect(try codes(optional(first), dryRun: false) == [])
    }

    @Test("a misspelt name of an optional file is found by the file that has the keys")
    func misspelt() throws {
        #expect(try codes(optional("Library/Preferences/com.example.nots.plist")) == ["preferencesNotNamed"])
    }
}
