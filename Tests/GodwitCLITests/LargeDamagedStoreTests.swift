import Foundation
import GodwitTestSupport
import Testing

/// Damage in stores that are so large that they are read while they are checked.
struct LargeDamagedStoreTests {
    /// The damage of a store: a page of records that can't be read, or one of an index, which only the check reads.
    enum Damage: CaseIterable { case page, indexPage }

    private static let key = "large-00004711"

    private func scene() throws -> Scene {
        let scene = try Scene()
        try scene.addManyWorkouts()
        return scene
    }

    private func damage(_ scene: Scene, _ damage: Damage) throws {
        var bytes = Data(try scene.folder.bytes(of: scene.inFolder(Scene.local)))
        let (key, title) = (Data(Self.key.utf8), Data("Legs".utf8))
        var offsets: [Int] = []
        while let found = bytes.range(of: key, in: (offsets.last.map { $0 + 1 } ?? 0)..<bytes.count) {
            offsets.append(found.lowerBound)
        }
        // In a record the title follows; in an index entry, the row number.
        let isRecord = { (offset: Int) in bytes[(offset + key.count)...].starts(with: title) }
        let place = try #require(damage == .page ? offsets.first(where: isRecord) : offsets.first { !isRecord($0) })
        let offset = place / 4096 * 4096
        bytes.replaceSubrange(offset..<offset + 4096, with: Data(repeating: 0xA5, count: 4096))
        try scene.folder.write(Array(bytes), to: scene.inFolder(Scene.local))
    }

    @Test(
        "a damaged large store gives 65 with SQLite's message, and nothing is written",
        arguments: ["export", "run", "plan", "copy"], Damage.allCases)
    func refused(_ command: String, _ damage: Damage) throws {
        let scene = try scene()
        try self.damage(scene, damage)
        guard command == "copy" else {
            return try scene.expectRefusal(65, of: [command], naming: [Scene.local, "not a usable SQLite store"])
        }
        // It begins to write a new cloud store under a temporary name before it finds the damage, so the folder's date
        // changes.
        let folder = scene.path("Library/Application Support")
        let names = { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
        let (before, bytes) = (try names(), try scene.folder.bytes(of: scene.inFolder(Scene.local)))
        let ended = try scene.godwit(command)
        #expect(ended.code == 65 && ended.errorText.contains("`\(Scene.local)` is not a usable SQLite store"))
        #expect(try names() == before && scene.leftovers == [])
        #expect(try scene.folder.bytes(of: scene.inFolder(Scene.local)) == bytes)
    }

    @Test(
        "an export without the damaged table, or with several reads of it, gives 65 too",
        arguments: [["--entity", "UserSettings"], ["--entity", "Workout", "--lines"], ["--store", "local"]])
    func chosen(options: [String]) throws {
        let scene = try scene()
        try damage(scene, .indexPage)
        try scene.expectRefusal(
            65, of: ["export"] + options, naming: [Scene.local, "not a usable SQLite store", "btreeInitPage"])
    }

    @Test("an increment gives 65 if its store was damaged after its base")
    func increment() throws {
        let scene = try scene()
        let base = scene.folder["base.json"]
        #expect(try scene.godwit("export", "-q", "-o", base).code == 0)
        try damage(scene, .indexPage)
        let ended = try scene.godwit("export", "-q", "--since", base, "-o", scene.folder["more.json"])
        #expect(ended.code == 65 && ended.errorText.contains("not a usable SQLite store"))
        #expect(!scene.folder.exists("more.json"))
    }

    /// A run that kept a lock on the store it writes to would wait for itself.
    @Test("a copy into a large cloud store writes more than fits into memory")
    func existingCloud() throws {
        let scene = try scene()
        try scene.folder.write(scene.folder.bytes(of: scene.inFolder(Scene.local)), to: scene.inFolder(Scene.cloud))
        let store = try scene.open(Scene.cloud)
        try store.execute("DELETE FROM Workout WHERE rowid % 2")
        try store.close()
        #expect(try scene.godwit("copy", "-q").code == 0)
        let copied = try scene.open(Scene.cloud)
        #expect(try copied.integer("SELECT count(*) FROM Workout WHERE id LIKE 'large%'") == 20000)
        try copied.close()
    }

    @Test("a large store in use gives 75", arguments: ["copy", "export"])
    func inUse(_ command: String) throws {
        let scene = try scene()
        let app = try scene.open(Scene.local)
        try scene.expectRefusal(
            75, of: [command, "--lock-timeout", "200ms"], naming: [Scene.local], while: (app, "BEGIN EXCLUSIVE"))
        try app.close()
    }

    @Test("a failed export of a damaged store keeps the file that it should replace")
    func replaced() throws {
        let scene = try scene()
        let path = scene.folder["export.json"]
        #expect(try scene.godwit("export", "-q", "-o", path).code == 0)
        let before = try scene.folder.bytes(of: "export.json")
        try damage(scene, .indexPage)
        #expect(try scene.godwit("export", "-q", "--replace", "-o", path).code == 65)
        #expect(try scene.folder.bytes(of: "export.json") == before)
    }

    @Test("a sound large store is copied and exported while it is checked, also with values of several MiB")
    func sound() throws {
        let scene = try scene()
        let store = try scene.open(Scene.local)
        try store.execute(
            "UPDATE Workout SET notes = printf('%.9000000c', 'x') WHERE id IN ('large-00000007', 'large-00019999')")
        try store.close()
        #expect(try scene.godwit("export", "-q", "-o", scene.folder["before.json"]).code == 0)
        #expect(try scene.godwit("copy", "-q").code == 0)
        #expect(try scene.godwit("export", "-q", "-o", scene.folder["after.json"]).code == 0)
        let sizes = try ["before.json", "after.json"].map { try scene.folder.bytes(of: $0).count }
        #expect(sizes.allSatisfy { $0 > 18_000_000 } && abs(sizes[0] - sizes[1]) < 2000)
    }
}
