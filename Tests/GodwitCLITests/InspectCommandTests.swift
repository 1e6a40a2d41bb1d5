import Foundation
import GodwitTestSupport
import Testing

/// `godwit inspect` as a user calls it: its report agrees with SQLite and Foundation, and nothing changes.
struct InspectCommandTests {
    @Test("inspect gives SQLite's counts for every sample and changes no byte", arguments: Scene.Sample.allCases)
    func samples(_ sample: Scene.Sample) throws {
        let shop = try Workshop(sample)
        let before = try FolderFingerprint(shop.folder["home"])
        let finished = try shop.godwit("inspect", "box", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(try FolderFingerprint(shop.folder["home"]).differences(from: before) == [])
        try MadeReports.keep(finished.output, as: "json")
        let report = try finished.json()
        #expect(report["layout"] == "sandbox" && report["kind"] == "container")
        for store in report["stores"]?.items ?? [] {
            let opened = try shop.open(try #require(store["file"]?.string))
            for entity in store["entities"]?.items ?? [] {
                let table = try #require(entity["table"]?.string)
                #expect(try entity["count"]?.integer == opened.integer("SELECT count(*) FROM \"\(table)\""))
            }
            let tables = try opened.integer(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'godwit%' AND name NOT LIKE 'sqlite%'"
            )
            #expect(store["entities"]?.items.count == Int(tables))
        }
        let keys = report["preferences"]?.items.first?["keys"]?.items.compactMap { $0["key"]?.string } ?? []
        if sample != .empty {
            #expect(try Set(keys) == Set(PropertyList.read(shop.box + "/" + Scene.plist).keys))
        }
        let text = try shop.godwit("inspect", "box")
        #expect(text.code == 0 && text.text.hasPrefix("godwit inspect: box, a sandbox\n"))
    }

    @Test(
        "inspect counts records of other apps' stores with their -wal files",
        .enabled(if: RealStores.areHere, RealStores.missing))
    func realStores() throws {
        let shop = try Workshop()
        let before = try FolderFingerprint(RealStores.folder)
        let finished = try shop.godwit("inspect", RealStores.folder, "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(try FolderFingerprint(RealStores.folder).differences(from: before) == [])
        let stores = try finished.json()["stores"]?.items ?? []
        #expect(stores.map { $0["layout"]?.string } == Array(repeating: "coreData", count: 4))
        let counts = stores.map { $0["entities"]?.items.compactMap { $0["count"]?.integer } }
        #expect(counts == [[10], [10], [10], [2, 2]])
        let favorites = stores[0]["entities"]?.items[0]["relations"]?.items.first { $0["name"] == "favoriteFolder" }
        #expect(favorites?["count"]?.integer == 5 && favorites?["isOrdered"]?.bool == true)
    }

    @Test("values are shown only with --verbose, and secrets and other metadata never")
    func secrets() throws {
        let shop = try Workshop(.container)
        try shop.write(["apiToken": "hush-hush", "theme": "solarized", "AppleLanguages": ["ja"]], to: Scene.plist)
        try shop.open(Scene.local).execute(
            "ALTER TABLE Workout ADD COLUMN password TEXT; UPDATE Workout SET password = 'hush-hush'")
        for arguments in [["box"], ["box", "--json"]] {
            let plain = try shop.godwit("inspect", arguments[0], arguments.count > 1 ? "--json" : "--no-color").text
            #expect(!plain.contains("solarized") && !plain.contains("hush-hush"))
        }
        for form in ["--json", "--no-color"] {
            let verbose = try shop.godwit("inspect", "box", "--verbose", form).text
            #expect(verbose.contains("solarized") && !verbose.contains("hush-hush"), "\(form)")
        }
    }

    @Test("inspect accepts a store or a property list")
    func files() throws {
        let shop = try Workshop(.container)
        let store = try shop.godwit("inspect", "box/" + Scene.local, "--json").json()
        #expect(store["kind"] == "store" && store["stores"]?.items.count == 1)
        let list = try shop.godwit("inspect", "box/" + Scene.plist, "--json").json()
        #expect(list["kind"] == "preferences" && list["preferences"]?.items.first?["keys"]?.items.count == 9)
        try shop.folder.write(#"{"unit": "kg", "favorites": ["a"]}"#, to: "home/settings.json")
        let json = try shop.godwit("inspect", "settings.json", "--json").json()
        #expect(json["preferences"]?.items.first?["format"] == "json")
    }

    @Test("inspect gives 65 for other files, and 66 for a missing or irregular file")
    func refusals() throws {
        let shop = try Workshop()
        try shop.folder.write("Dear diary", to: "home/text")
        try shop.folder.write("SQLite format 3\u{0} cut off", to: "home/cut.store")
        try shop.folder.write("bplist00 cut off", to: "home/cut.plist")
        try shop.folder.makeFIFO("home/pipe")
        for (name, code) in [("text", 65), ("cut.store", 65), ("cut.plist", 65), ("pipe", 66), ("absent", 66)] {
            let finished = try shop.godwit("inspect", name)
            #expect(finished.code == Int32(code), "\(name): \(finished.errorText)")
            #expect(finished.errorText.contains(name) && finished.errorText.contains("hint: "), "\(finished.errorText)")
        }
        #expect(try shop.godwit("inspect", ".", "--format", "junit").code == 64)
        #expect(try shop.godwit("inspect").code == 64)
    }

    @Test("inspect reports damaged, unusual or cyclic files in a container and continues")
    func odd() throws {
        let shop = try Workshop(.container)
        let inside = "home/box/Library/Application Support/"
        try shop.folder.write("SQLite format 3\u{0} cut off", to: inside + "cut.store")
        try shop.folder.write("lost", to: inside + "gone.store-wal")
        try shop.folder.write("<plist><dict>", to: "home/box/Library/Preferences/cut.plist")
        try shop.folder.makeFIFO(inside + "pipe.store")
        try shop.folder.makeLink(inside + "loop", to: "../..")
        try shop.folder.makeFolder("home/box/Library/Caches")
        try SampleStore.make(shop.box + "/Library/Caches/Cache.db", "CREATE TABLE c (a)")
        let report = try shop.godwit("inspect", "box", "--json").json()
        #expect(report["stores"]?.items.count == 2)
        let codes = (report["stores"]?.items ?? []).flatMap { $0["risks"]?.items ?? [] }.compactMap {
            $0["code"]?.string
        }
        #expect(codes == ["unreadable"])
        #expect(
            Set((report["risks"]?.items ?? []).compactMap { $0["code"]?.string }) == [
                "logWithoutStore", "cachedStores",
            ])
        let lists = report["preferences"]?.items ?? []
        #expect(
            lists.first { $0["file"] == "Library/Preferences/cut.plist" }?["risks"]?.items.first?["code"]
                == "unreadable")
        #expect(lists.contains { $0["keys"]?.items.count == 9 })
    }

    @Test("inspect handles bundles, macOS containers and group containers, and names conflicting preferences in order")
    func layouts() throws {
        let shop = try Workshop(.container)
        try shop.write(["weightUnit": "stone", "soundOn": true], to: "Library/Preferences/zz.other.plist")
        try shop.folder.makeFolder("home/App.xcappdata")
        try FileManager.default.moveItem(atPath: shop.box, toPath: shop.folder["home/App.xcappdata/AppData"])
        let info = try PropertyListSerialization.data(
            fromPropertyList: ["CFBundleIdentifier": "com.example.trainlog"], format: .xml, options: 0)
        try shop.folder.write(Array(info), to: "home/App.xcappdata/AppDataInfo.plist")
        try shop.folder.makeFolder("home/group/Library")
        try SampleStore.make(shop.folder["home/group/Shared.store"], "CREATE TABLE s (id TEXT PRIMARY KEY)")
        let report = try shop.godwit("inspect", "App.xcappdata", "--group-container", "group", "--json").json()
        #expect(report["layout"] == "xcappdata" && report["bundleIdentifier"] == "com.example.trainlog")
        #expect(report["stores"]?.items.compactMap { $0["file"]?.string } == [Scene.local, "Shared.store"])
        let conflicts = report["suiteConflicts"]?.items ?? []
        let contested = conflicts.compactMap { $0["key"]?.string }
        #expect(contested == ["soundOn", "weightUnit"])
        #expect(conflicts.first?["files"]?.items.first?.string == Scene.plist)
        try FileManager.default.moveItem(
            atPath: shop.folder["home/App.xcappdata/AppData"], toPath: shop.folder["home/Data"])
        #expect(try shop.godwit("inspect", ".", "--json").json()["layout"] == "macOS")
    }
}
