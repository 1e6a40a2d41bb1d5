import GodwitModel
import GodwitTestSupport
import Testing

/// A missing input gives one line with a hint, and nothing is written.
struct MissingInputTests {
    static let commands = ["run", "plan", "migrate", "dedupe", "copy", "verify", "export", "status", "history"]

    @Test("a missing manifest gives 66", arguments: commands)
    func manifest(_ command: String) throws {
        let scene = try Scene()
        try scene.folder.remove("home/godwit.yaml")
        try scene.expectRefusal(66, of: [command], naming: ["godwit.yaml"])
    }

    @Test("a missing container gives 66", arguments: commands)
    func container(_ command: String) throws {
        let scene = try Scene()
        try scene.folder.remove("home/container")
        try scene.expectRefusal(66, of: [command], naming: ["container", scene.container])
    }

    @Test("a file as the container gives 66")
    func containerIsFile() throws {
        let scene = try Scene()
        try scene.folder.remove("home/container")
        try scene.folder.write("not a folder", to: "home/container")
        try scene.expectRefusal(66, of: ["run"], naming: ["is not a folder"])
    }

    @Test("a missing schema folder gives 66")
    func schema() throws {
        let scene = try Scene()
        try scene.folder.remove("home/Migrations")
        try scene.expectRefusal(66, of: ["run"], naming: ["Migrations"])
    }

    @Test("a missing store gives 66 for commands that need one", arguments: ["dedupe", "verify", "export"])
    func store(_ command: String) throws {
        let scene = try Scene()
        try scene.folder.remove(scene.inFolder(Scene.local))
        // With preferences, `verify` reports what a run would do.
        if command == "verify" { try scene.folder.remove(scene.inFolder(Scene.plist)) }
        try scene.expectRefusal(66, of: [command], naming: ["no store to \(command)"])
    }

    @Test("without a store to copy there is nothing to do, with a warning and without a flag")
    func nothingToCopy() throws {
        let scene = try Scene()
        try scene.folder.remove(scene.inFolder(Scene.local))
        let before = try scene.fingerprint()
        let finished = try scene.godwit("copy", "--json")
        #expect(finished.code == 0)
        #expect(try finished.json()["copy", "outcome"] == "nothingToDo")
        #expect(try finished.json()["warnings"]?.items.first?["code"] == "localStoreMissing")
        try scene.expectUnchanged(since: before)
    }

    @Test("missing preferences give a warning, and no receipt for the import")
    func legacyFile() throws {
        let scene = try Scene()
        try scene.folder.remove(scene.inFolder(Scene.plist))
        let finished = try scene.godwit("run", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        let report = try finished.json()
        #expect(report["legacy", "outcome"] == "nothingToDo")
        #expect(report["warnings"]?.items.compactMap { $0["code"]?.string } == ["legacyMissing"])
        #expect(report["copy", "outcome"] == "done")
        let store = try scene.open(Scene.cloud)
        #expect(try store.rows("SELECT stage FROM godwit_receipt") == [[.string("copy")]])
        #expect(try store.integer("SELECT count(*) FROM UserSettings") == 0)
    }

    @Test("a folder as a store gives 66")
    func storeIsFolder() throws {
        let scene = try Scene()
        try scene.folder.remove(scene.inFolder(Scene.local))
        try scene.folder.makeFolder(scene.inFolder(Scene.local))
        try scene.expectRefusal(66, of: ["run"], naming: [Scene.local])
    }

    @Test("a pipe as a store is rejected without waiting", .hangGuard)
    func storeIsPipe() throws {
        let scene = try Scene()
        try scene.folder.remove(scene.inFolder(Scene.local))
        try scene.folder.makeFIFO(scene.inFolder(Scene.local))
        let finished = try scene.godwit("run")
        #expect(finished.code == 66, "\(finished.errorText)")
        #expect(finished.errorText.contains(Scene.local))
    }

    @Test("the manifest may come from the environment, with the container next to it")
    func environment() throws {
        let scene = try Scene()
        let named = try scene.startBare(
            ["plan", "-q"], environment: ["GODWIT_MANIFEST": scene.manifest, "GODWIT_CONTAINER": scene.container]
        ).finish()
        #expect(named.code == 0, "\(named.errorText)")
        let found = try scene.startBare(["plan", "-q"]).finish()
        #expect(found.code == 0, "\(found.errorText)")
        let wrong = try scene.startBare(["plan"], environment: ["GODWIT_CONTAINER": "/nowhere"]).finish()
        #expect(wrong.code == 66)
    }
}
