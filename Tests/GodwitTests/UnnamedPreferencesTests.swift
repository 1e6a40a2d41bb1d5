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

    /// An app with two preferences files; the settings are in the first, the list is in the second.
    private func twoFiles(_ preferences: [String: Any] = ["theme": "dark"]) throws -> NoteApp {
        var app = try NoteApp(
            entities: "  Pin: { key: noteId }\n  Options: { key: id, singleton: one }", migrations: [Self.create],
            preferences: preferences)
        app.legacy = """
              settings: [{ key: theme, into: Options.theme }]
              favorites: [{ key: pins, into: Pin.noteId }]
            """
        app.preferenceNames += ["group.notes.plist"]
        try app.write(NoteApp.local, Self.create)
        return app
    }

    private func write(_ list: [String: Any], _ app: NoteApp, to name: String) throws {
        let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        try app.folder.write(Array(bytes), to: "container/Library/Preferences/" + name)
    }

    @Test(
        "a preferences file that was set aside is named if it has keys that no named file has",
        arguments: ["group.notes.plist.bak", "group.notes.plist.orig", "group.notes copy", "group.notes.plist~"],
        [nil, [:], ["launches": 1]] as [[String: Int]?])
    func setAside(_ name: String, _ named: [String: Int]?) throws {
        let app = try twoFiles()
        if let named { try write(named, app, to: "group.notes.plist") }
        try write(["pins": ["a"], "other": 1], app, to: name)
        let report = try app.perform { $0.isStrict = true }
        #expect(report.stoppedBy == .strict)
        let warning = try #require(report.warnings.first { $0.code == "preferencesNotNamed" })
        #expect(warning.message.contains("`Library/Preferences/\(name)` has 1 key that the manifest maps ('pins')"))
        #expect(warning.hint?.contains("group.notes.plist`") == true)
    }

    @Test("a property list of any name next to the named ones is named if it has keys that no named file has")
    func otherEnding() throws {
        let app = try twoFiles()
        try write(["launches": 1], app, to: "group.notes.plist")
        try write(["pins": ["a"]], app, to: "old-preferences.bak")
        let report = try app.perform { $0.isStrict = true }
        #expect(report.stoppedBy == .strict && report.warningCodes == ["preferencesNotNamed"])
    }

    @Test("older copies of a file that has all its keys, and files of other names, are not named")
    func harmlessCopies() throws {
        let app = try twoFiles()
        try write(["pins": ["b"]], app, to: "group.notes.plist")
        for name in ["group.notes.plist.bak", "com.example.notes.plist.orig", "something.bak"] {
            try write(["theme": "light", "pins": ["a"]], app, to: name)
        }
        try app.folder.write("no list", to: "container/Library/Preferences/com.example.notes.plist.txt")
        #expect(try app.perform { $0.isStrict = true }.warningCodes == [])
    }

    @Test("a mapped key with another value in a later file is a note")
    func otherValue() throws {
        for (theme, codes) in [("light", ["valuesDiffer"]), ("dark", [])] {
            let app = try twoFiles(["theme": "dark", "pins": ["a"]])
            try write(["theme": theme, "pins": ["a"], "other": "x"], app, to: "group.notes.plist")
            let report = try app.perform { $0.isStrict = true }
            #expect(report.warningCodes == [] && report.stoppedBy == nil)
            #expect(report.notes.map(\.code).filter { $0 == "valuesDiffer" } == codes)
            let messages = report.notes.map(\.message)
            #expect(
                codes.isEmpty
                    || messages.contains {
                        $0.hasPrefix("`Library/Preferences/group.notes.plist` has another value of 1 key ('theme')")
                    })
        }
    }

    @Test("an empty preferences file is a warning while a mapped key is in no file")
    func emptyFile() throws {
        let app = try twoFiles()
        try write([:], app, to: "group.notes.plist")
        let report = try app.perform { $0.isStrict = true }
        #expect(report.stoppedBy == .strict && report.warningCodes == ["legacyEmpty"])
        let message = try #require(report.warnings.first?.message)
        #expect(message.contains("`Library/Preferences/group.notes.plist` is empty") && message.contains("'pins'"))
        let other = try twoFiles(["theme": "dark", "pins": ["a"]])
        try write([:], other, to: "group.notes.plist")
        #expect(try other.perform { $0.isStrict = true }.warningCodes == [])
    }

    @Test(
        "a flag that this run sets in a missing or empty first file is not taken for the trace of a wrong name",
        arguments: [false, true])
    func ownFlag(_ exists: Bool) throws {
        let app = try twoFiles([:])
        try write(["theme": "dark", "pins": ["a"]], app, to: "group.notes.plist")
        if !exists { try app.folder.remove(NoteApp.preferences) }
        for dryRun in [true, false] {
            #expect(try app.perform(dryRun: dryRun).warningCodes == (exists ? [] : ["legacyMissing"]))
        }
    }

    @Test("a flag that an earlier run set in a file of a wrong name is reported once the right file is named as well")
    func earlierFlag() throws {
        var app = try twoFiles([:])
        app.preferenceNames = ["com.example.notes.plist"]
        try app.perform()
        try write(["theme": "dark", "pins": ["a"]], app, to: "group.notes.plist")
        app.preferenceNames.append("group.notes.plist")
        #expect(try app.perform(dryRun: true).warningCodes.contains("flagApart"))
    }
}
