import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A named file that is missing, next to one with nearly its name: the app's data are there, and nothing must be made.
struct SimilarFileTests {
    private static let create = "CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT);"
    private static let support = "container/Library/Application Support/"

    private static func app() throws -> NoteApp {
        let app = try NoteApp(
            entities: "  Note: { key: id }", migrations: [create], preferences: ["theme": "dark"])
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('a', 'one')")
        return app
    }

    private static func move(_ name: String, to other: String, in app: NoteApp) throws {
        try FileManager.default.moveItem(atPath: app.folder[name], toPath: app.folder[other])
    }

    /// Whether names of another case or Unicode form are different names to the file system.
    private static func isExact(_ app: NoteApp) throws -> Bool {
        try app.folder.write("", to: "é")
        return !app.folder.exists("É") && !app.folder.exists("e\u{301}")
    }

    @Test(
        "a store, a folder on the way to it, or the preferences in another letter case: 66, named, and nothing is written",
        arguments: [
            (NoteApp.local, support + "notes.STORE"), ("container/Library", "container/library"),
            (NoteApp.preferences, "container/Library/Preferences/com.example.Notes.plist"),
        ])
    func letterCase(_ name: String, _ other: String) throws {
        let app = try Self.app()
        guard try Self.isExact(app) else { return }
        try Self.move(name, to: other, in: app)
        try requireRefusal(of: app, naming: String(other.dropFirst("container/".count)), "letter case")
    }

    @Test("a cloud store in another letter case is not made a second time")
    func cloudStore() throws {
        let app = try Self.app()
        guard try Self.isExact(app) else { return }
        try app.write(Self.support + "NOTESCLOUD.store", Self.create)
        try requireRefusal(of: app, naming: "NOTESCLOUD.store", "letter case")
    }

    @Test("a name in another Unicode form", arguments: [("Café", "Cafe\u{301}"), ("Straße", "STRASSE")])
    func unicode(_ name: String, _ other: String) throws {
        let app = try Self.app()
        guard try Self.isExact(app) else { return }
        var named = OtherNames(app: app, local: "Library/Application Support/\(name).store")
        named.local = "Library/Application Support/\(name).store"
        try Self.move(NoteApp.local, to: Self.support + other + ".store", in: app)
        let difference = name == other ? "the Unicode form of letters" : "letter case"
        try requireRefusal(of: named, naming: other + ".store", difference)
        // Under its own name it is a store like any other.
        try Self.move(Self.support + other + ".store", to: Self.support + name + ".store", in: app)
        #expect(try named.perform().outcome == .done)
    }

    @Test(
        "the placeholder of a file that iCloud Drive has not downloaded, of a folder too, and of a store's log",
        arguments: [
            (NoteApp.local, ".Notes.store.icloud"), (NoteApp.local, ".notes.store.iCloud"),
            ("", ".Notes.store-wal.icloud"), ("", ".NotesCloud.store.icloud"), ("", ".Notes.store.icloud"),
        ])
    func placeholder(_ missing: String, _ name: String) throws {
        let app = try Self.app()
        if !missing.isEmpty { try app.folder.remove(missing) }
        let place = try PropertyListSerialization.data(
            fromPropertyList: ["NSURLNameKey": "Notes.store"], format: .binary, options: 0)
        try app.folder.write(Array(place), to: Self.support + name)
        try requireRefusal(of: app, naming: name, "iCloud Drive has not downloaded")
        let inspected = try Inspector(path: app.folder["container"]).inspect()
        #expect(inspected.risks.contains { $0.code == "unreadableFile" && $0.message.contains(name) })
        #expect(inspected.preferences.count == 1, "a placeholder holds no settings")
    }

    @Test("next to the named file another file, or a folder, may have a similar name")
    func bothThere() throws {
        let app = try Self.app()
        guard try Self.isExact(app) else { return }
        try app.folder.write("another app's", to: Self.support + "notes.store")
        try app.folder.makeFolder(Self.support + "notescloud.store")
        try app.folder.write("a cache", to: Self.support + "NotesCloud.store.bak")
        for dryRun in [true, false] {
            let report = try app.perform(dryRun: dryRun)
            #expect(report.outcome == .done && report.warningCodes == ["similarFile"])
            #expect(report.warnings.first?.message.contains("notes.store` exist") == true)
        }
        #expect(try app.column(NoteApp.cloud, "SELECT title FROM Note") == ["one"])
    }

    private func requireRefusal(
        of app: some ManifestApp, naming name: String, _ words: String, location: SourceLocation = #_sourceLocation
    ) throws {
        let before = try FolderFingerprint(app.folder["container"])
        for command in [Command.run, .migrate, .copy, .verify] {
            for dryRun in [true, false] {
                let error = failure { try app.perform(command, dryRun: dryRun) { $0.allowsEmpty = true } }
                #expect(error?.code == .noInput, sourceLocation: location)
                #expect(error?.message.contains(name) == true, "\(error?.message ?? "")", sourceLocation: location)
                #expect(error?.message.contains(words) == true, "\(error?.message ?? "")", sourceLocation: location)
            }
        }
        #expect(
            try FolderFingerprint(app.folder["container"]).differences(from: before) == [], sourceLocation: location)
    }
}

/// The same app with another name for its local store.
private struct OtherNames: ManifestApp {
    let app: NoteApp
    var local: String

    var folder: TemporaryFolder { app.folder }
    var manifest: String {
        app.manifest.replacingOccurrences(of: "Library/Application Support/Notes.store", with: local)
    }
}
