import GodwitTestSupport
import Testing

/// Stores that aren't SQLite, are damaged, in use, or don't match the schema files.
struct DamagedStoreTests {
    static let commands = ["run", "plan", "migrate", "copy", "dedupe", "verify", "export", "status", "history"]

    @Test("a local store that is not a SQLite file gives 65", arguments: commands)
    func notSQLite(_ command: String) throws {
        let scene = try Scene()
        try scene.folder.write(String(repeating: "not a database ", count: 100), to: scene.inFolder(Scene.local))
        try scene.expectRefusal(65, of: [command], naming: [Scene.local, "not a usable SQLite store"])
    }

    /// `status` reports it, and the store that the app uses instead.
    @Test(
        "a cloud store that is not a SQLite file gives 65, and the local store is unchanged",
        arguments: commands.filter { $0 != "status" })
    func cloudNotSQLite(_ command: String) throws {
        let scene = try Scene()
        try scene.folder.write(String(repeating: "not a database ", count: 100), to: scene.inFolder(Scene.cloud))
        try scene.expectRefusal(65, of: [command], naming: [Scene.cloud, "not a usable SQLite store"])
    }

    @Test("an empty file as a store gives 65", arguments: [Scene.local, Scene.cloud])
    func empty(_ store: String) throws {
        let scene = try Scene()
        try scene.folder.write("", to: scene.inFolder(store))
        try scene.expectRefusal(65, of: ["run"], naming: [store, "empty"])
    }

    @Test(
        "a store with only its first page and without its -wal file gives 65",
        arguments: [Scene.local, Scene.cloud])
    func firstPageAlone(_ store: String) throws {
        let scene = try Scene(.twoDevices)
        try scene.folder.remove(scene.inFolder(store))
        let app = try SampleStore(
            scene.folder[scene.inFolder(store)], journal: "WAL", "CREATE TABLE Workout(id);")
        let first = try scene.folder.bytes(of: scene.inFolder(store))
        try app.close()
        for suffix in ["", "-wal", "-shm"] where scene.folder.exists(scene.inFolder(store + suffix)) {
            try scene.folder.remove(scene.inFolder(store + suffix))
        }
        try scene.folder.write(first, to: scene.inFolder(store))
        for command in ["run", "plan", "export"] {
            try scene.expectRefusal(65, of: [command], naming: [store, "-wal next to it"])
        }
        // Like any cloud store that can't be used: the app uses the local one.
        guard store == Scene.cloud else { return }
        let status = try scene.godwit("status")
        #expect(status.code == 0 && status.text.contains("-wal"), "\(status.text)\(status.errorText)")
    }

    @Test("a store with damaged pages gives 65", arguments: ["run", "plan", "copy", "export"])
    func damagedPages(_ command: String) throws {
        let scene = try Scene()
        var bytes = try scene.folder.bytes(of: scene.inFolder(Scene.local))
        for index in stride(from: 8192, to: min(bytes.count, 24_576), by: 7) { bytes[index] ^= 0x5A }
        try scene.folder.write(bytes, to: scene.inFolder(Scene.local))
        try scene.expectRefusal(65, of: [command], naming: [Scene.local])
    }

    @Test(
        "a store that another process locks gives 75 after the lock timeout",
        arguments: [
            ("run", Scene.local), ("migrate", Scene.local), ("copy", Scene.local), ("export", Scene.local),
            ("run", Scene.cloud),
        ])
    func inUse(_ command: String, _ store: String) throws {
        let scene = try Scene(.twoDevices)
        let app = try scene.open(store)
        try scene.expectRefusal(
            75, of: [command, "--lock-timeout", "200ms"], naming: [store], while: (app, "BEGIN EXCLUSIVE"))
        try app.close()
        #expect(try scene.godwit(command, "-q").code == 0)
    }

    @Test("a store that is being written gives 75 for commands that write", arguments: ["run", "migrate", "dedupe"])
    func beingWritten(_ command: String) throws {
        let scene = try Scene(.twoDevices)
        let app = try scene.open(Scene.local)
        try scene.expectRefusal(
            75, of: [command, "--lock-timeout", "200ms"], naming: [Scene.local], while: (app, "BEGIN IMMEDIATE"))
        try app.close()
    }

    // The hint must say what to do: give each store its own path.
    @Test("equal paths for local and cloud give 78")
    func samePath() throws {
        let scene = try Scene()
        try scene.edit("TrainLogCloud.store ", "TrainLog.store ")
        try scene.expectRefusal(78, of: ["run"], naming: ["godwit.yaml:12:10", "container.cloud"])
    }

    @Test("a cloud store that is a link to the local store gives 78", arguments: MissingInputTests.commands)
    func sameFile(_ command: String) throws {
        let linked = try Scene()
        try linked.folder.makeLink(linked.inFolder(Scene.cloud), to: "TrainLog.store")
        try linked.expectRefusal(78, of: [command], naming: [Scene.cloud])
        let hard = try Scene()
        try hard.folder.makeHardLink(hard.inFolder(Scene.cloud), to: hard.inFolder(Scene.local))
        try hard.expectRefusal(78, of: [command], naming: [Scene.cloud])
    }

    @Test(
        "a cloud store with an unexpected schema gives 65, and the local store is unchanged",
        arguments: ["run", "plan", "copy"],
        [
            "ALTER TABLE Workout ADD COLUMN extra TEXT", "ALTER TABLE ExerciseSet DROP COLUMN weightKg",
            "DROP TABLE Workout", "ALTER TABLE Workout RENAME COLUMN title TO name",
        ])
    func unexpectedSchema(_ command: String, _ change: String) throws {
        let scene = try Scene()
        try scene.folder.copyStore(scene.inFolder(Scene.local), to: scene.inFolder(Scene.cloud))
        try SampleStore.make(scene.path(Scene.cloud), change)
        try scene.expectRefusal(65, of: [command], naming: [Scene.cloud])
    }

    @Test(
        "a cloud store that CloudKit mirrors gives 65, and the local store is unchanged",
        arguments: ["run", "copy"])
    func mirrored(_ command: String) throws {
        let scene = try Scene()
        try scene.folder.copyStore(scene.inFolder(Scene.local), to: scene.inFolder(Scene.cloud))
        try SampleStore.make(scene.path(Scene.cloud), "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY)")
        try scene.expectRefusal(65, of: [command], naming: [Scene.cloud])
    }

    @Test("an orphan gives 65 with its key, and is copied unchanged with --allow-orphans")
    func orphans() throws {
        let scene = try Scene(.twoDevices)
        try SampleStore.make(
            scene.path(Scene.local),
            "UPDATE ExerciseSet SET workoutId = 'NOWHERE', updatedAt = '2026-11-21T05:00:00.000Z' WHERE rowid = 1")
        let before = try scene.folder.bytes(of: scene.inFolder(Scene.cloud))
        let refused = try scene.godwit("run")
        #expect(refused.code == 65)
        #expect(refused.errorText.contains("ExerciseSet"), "\(refused.errorText)")
        #expect(try scene.folder.bytes(of: scene.inFolder(Scene.cloud)) == before)
        #expect(try PropertyList.read(scene.path(Scene.plist))["cloudMigrationDone"] == nil)
        let allowed = try scene.godwit("run", "--allow-orphans", "--json")
        #expect(allowed.code == 0, "\(allowed.errorText)")
        #expect(try allowed.json()["copy", "orphans", "ExerciseSet.workoutId"] == 1)
    }
}
