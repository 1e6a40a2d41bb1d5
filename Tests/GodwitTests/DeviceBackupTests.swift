import Godwit
import GodwitFiles
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Backups of whole devices are no containers; a store that is called like their list is one.
struct DeviceBackupTests {
    private static let files = "CREATE TABLE Files(fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT);"

    /// A backup with what Finder puts there, as far as it is named.
    private static func backup(_ names: [String], in folder: TemporaryFolder, at path: String) throws {
        try folder.makeFolder(path + "/3d")
        try folder.write("hashed", to: path + "/3d/3d0d7e5fb2ce288813306e4d4636395e047a3d28")
        for name in names {
            switch name {
            case "Manifest.db": try SampleStore.make(folder["\(path)/\(name)"], files)
            case "Manifest.mbdb": try folder.write("mbdb\u{5}\u{0}", to: "\(path)/\(name)")
            case "encrypted": try folder.write([UInt8](repeating: 0xA7, count: 4096), to: path + "/Manifest.db")
            default: try folder.write("<plist/>", to: "\(path)/\(name)")
            }
        }
    }

    static let backups = [
        ["Manifest.db", "Manifest.plist", "Info.plist", "Status.plist"], ["Manifest.db"], ["Manifest.mbdb"],
        ["encrypted", "Manifest.plist", "Status.plist"],
    ]

    @Test(
        "a backup is 66 for what reads and for what writes, itself or below the folder that is named",
        arguments: backups)
    func refused(_ names: [String]) throws {
        let app = try NoteApp(entities: "  Note: { key: id }", migrations: ["CREATE TABLE Note(id TEXT PRIMARY KEY);"])
        try Self.backup(names, in: app.folder, at: "backups/one")
        let before = try app.folder.fingerprint()
        func requireNamed(_ error: GodwitError?) {
            #expect(error?.code == .noInput)
            #expect(error?.message.contains("Finder or iTunes backup of a device") == true, "\(error?.message ?? "")")
        }
        requireNamed(failure { _ = try Container(app.folder["backups/one"]) })
        requireNamed(failure { _ = try Inspector(path: app.folder["backups/one"]).inspect() })
        for path in ["backups/one", "backups"] {
            requireNamed(failure { _ = try Inspector(path: app.folder[path]).writeManifest(into: app.folder["made"]) })
        }
        #expect(try app.folder.fingerprint().differences(from: before) == [])
        requireNamed(failure { _ = try app.migration().containers(below: app.folder["backups"]) })
        // Among containers it is just no container.
        let support = "backups/phone/Library/Application Support"
        try app.folder.makeFolder(support)
        try SampleStore.make(app.folder[support + "/Notes.store"], "CREATE TABLE Note(id TEXT PRIMARY KEY)")
        let found = try app.migration().containers(below: app.folder["backups"])
        #expect(found.names == ["phone"] && found.unreadable.isEmpty)
    }

    @Test("a folder with a store called Manifest.db, or a sandbox with all these names, is not a device backup")
    func sound() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("flat")
        try SampleStore.make(folder["flat/Manifest.db"], "CREATE TABLE Part(id TEXT, domain TEXT)")
        try folder.write("<plist/>", to: "flat/Info.plist")
        #expect(try Container(folder["flat"]).layout == .folder)
        try Self.backup(Self.backups[0], in: folder, at: "box")
        try folder.makeFolder("box/Library")
        #expect(try Container(folder["box"]).layout == .sandbox)
    }
}
