import Godwit
import GodwitModel
import Foundation
import GodwitFleet
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Files that an archive made on a Mac adds: they are no container, and no file of an app.
struct ArchiveResidueTests {
    private let app: NoteApp

    init() throws {
        app = try NoteApp(entities: "  Note: { key: id }", migrations: ["CREATE TABLE Note(id TEXT PRIMARY KEY);"])
        for name in ["phone", "tablet"] {
            let support = "all/\(name).xcappdata/AppData/Library/Application Support"
            try app.folder.makeFolder(support)
            try SampleStore.make(app.folder[support + "/Notes.store"], "CREATE TABLE Note(id TEXT PRIMARY KEY)")
            try app.folder.makeFolder("all/__MACOSX/\(name).xcappdata/AppData/Library/Application Support")
            try app.folder.write("attributes", to: "all/__MACOSX/._\(name).xcappdata")
        }
        try app.folder.makeFolder("all/._phone.xcappdata")
    }

    private var bundles: [String] { ["phone.xcappdata", "tablet.xcappdata"] }

    @Test("only the bundles are found below a folder, by a pattern and in a list")
    func found() throws {
        let all = app.folder["all"]
        let below = try FleetContainers.find(.folder(all), of: app.migration())
        #expect(below.names == bundles && below.unreadable.isEmpty)
        for pattern in ["\(all)/*.xcappdata", "\(all)/**/*.xcappdata", "\(all)/.*", "\(all)/*"] {
            let matched = try? FleetContainers.find(.glob(pattern), of: app.migration())
            let names = (matched?.names ?? []).filter { $0.hasSuffix(".xcappdata") }
            #expect(names == (pattern.hasSuffix(".*") ? [] : bundles.map { "\(all)/\($0)" }), "\(pattern)")
            #expect(matched?.names.contains { $0.contains("__MACOSX") || $0.contains("/._") } != true, "\(pattern)")
        }
        let rows = ["__MACOSX/phone.xcappdata", "tablet.xcappdata", "phone.xcappdata", "._phone.xcappdata"]
        try app.folder.write(rows.map { "\(all)/\($0)\n" }.joined(), to: "list")
        let listed = try FleetContainers.find(.list(app.folder["list"]), of: app.migration())
        #expect(listed.names == bundles.map { "\(all)/\($0)" } && listed.unreadable.isEmpty)
    }

    @Test("an inspection and a schema folder ignore archive residue")
    func inspected() throws {
        let box = "all/phone.xcappdata/AppData/Library/"
        let before = try Inspector(path: app.folder["all/phone.xcappdata"]).inspect()
        try app.folder.makeFolder(box + "__MACOSX")
        try app.folder.makeFolder(box + "Preferences")
        for name in ["__MACOSX/x.plist", "Preferences/._a.plist", "Application Support/._Notes.store"] {
            try app.folder.write("<plist/>", to: box + name)
        }
        try app.folder.write("attributes", to: "migrations/._V0001__step.sql")
        let after = try Inspector(path: app.folder["all/phone.xcappdata"]).inspect()
        #expect(after.otherFiles == before.otherFiles && after.preferences.isEmpty && after.risks.isEmpty)
        let migration = try app.migration().at(app.folder["all/phone.xcappdata"])
        #expect(try migration.perform(.run, dryRun: true).outcome == .done)
    }

    @Test("a container whose only file has a similar name is found")
    func similar() throws {
        let support = "all/phone.xcappdata/AppData/Library/Application Support/"
        try FileManager.default.moveItem(
            atPath: app.folder[support + "Notes.store"], toPath: app.folder[support + "NOTES.store"])
        guard !app.folder.exists(support + "Notes.store") else { return }
        #expect(try app.migration().containers(below: app.folder["all"]).names == bundles)
    }
}
