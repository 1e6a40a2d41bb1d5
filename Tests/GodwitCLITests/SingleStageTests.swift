import GodwitModel
import GodwitTestSupport
import Testing

struct SingleStageTests {
    @Test("copy on its own keeps the local store unchanged, even if the copy needs its updates")
    func copyReadsOnly() throws {
        let scene = try Scene()
        let before = try scene.fingerprint()
        let finished = try scene.godwit("copy", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(try finished.json()["copy", "outcome"] == "done")
        let changes = try scene.fingerprint().differences(from: before)
        let folders = ["Library/Application Support", "Library/Preferences"].map {
            "container/\($0) has another size, mode, inode or time"
        }
        #expect(
            Set(changes)
                == Set(folders + ["container/\(Scene.cloud) is new", "container/\(Scene.plist) has other bytes"]))
        #expect(scene.leftovers == [])
        let cloud = try scene.open(Scene.cloud)
        #expect(try cloud.integer("SELECT count(*) FROM ExerciseSet") == 600)
        #expect(try cloud.integer("SELECT count(*) FROM UserSettings") == 0)
    }

    @Test("the copy command reads a store in WAL mode with its -wal file, and changes none of the files")
    func copyOfStoreInUse() throws {
        let scene = try Scene(.twoDevices)
        let app = try scene.open(Scene.local, journal: "WAL")
        try app.execute(
            "UPDATE Workout SET title = 'only in the log', updatedAt = '2026-11-21T05:00:00.000Z' WHERE rowid = 1")
        let key = try #require(try app.text("SELECT id FROM Workout WHERE rowid = 1"))
        let before = try scene.fingerprint().files
        let finished = try scene.godwit("copy", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        let after = try scene.fingerprint().files
        for suffix in ["", "-wal", "-shm"] {
            let name = "container/" + Scene.local + suffix
            #expect(before[name] != nil)
            #expect(after[name] == before[name], "\(name)")
        }
        #expect(Set(after.keys) == Set(before.keys))
        let cloud = try scene.open(Scene.cloud)
        #expect(try cloud.text("SELECT title FROM Workout WHERE id = '\(key)'") == "only in the log")
        try app.close()
    }

    @Test("migrate on its own brings schema and legacy values into the local store, and makes no cloud store")
    func migrate() throws {
        let scene = try Scene()
        let preferences = try scene.folder.bytes(of: scene.inFolder(Scene.plist))
        let report = try scene.godwit("migrate", "--json").json()
        #expect(report["schema", "adoptedAt"] == 1)
        #expect(report["schema", "toVersion"] == 2)
        #expect(report["legacy", "inserted", "FavoriteExercise"] == 5)
        #expect(report["copy"] == nil && report["verify"] == nil)
        #expect(!scene.exists(Scene.cloud))
        #expect(try scene.folder.bytes(of: scene.inFolder(Scene.plist)) == preferences)
        let store = try scene.open(Scene.local)
        let settings = try store.rows(
            "SELECT id, weightUnitRaw, theme, restTimerSeconds, soundEnabled, updatedAt FROM UserSettings")
        #expect(
            settings == [
                [
                    .string("singleton"), .string("lb"), .string("dark"), .integer(120), .integer(0),
                    .string("2026-11-20T21:14:03.000Z"),
                ]
            ])
        #expect(try store.integer("SELECT count(*) FROM godwit_migration") == 2)
    }

    @Test("dedupe on its own leaves one record per key and sets the others aside")
    func dedupe() throws {
        let scene = try Scene(.twoDevices)
        let app = try scene.open(Scene.local)
        try app.execute(
            "INSERT INTO Workout SELECT id, title || ' (again)', notes, startedAt, durationSeconds, createdAt, '2026-11-20T10:00:00.000Z' FROM Workout WHERE rowid = 1"
        )
        let key = try #require(try app.text("SELECT id FROM Workout WHERE rowid = 1"))
        try app.close()
        let cloud = try scene.folder.bytes(of: scene.inFolder(Scene.cloud))
        let report = try scene.godwit("dedupe", "--json").json()
        #expect(report["dedupe", "removed", "Workout"] == 1)
        #expect(report["schema"] == nil && report["legacy"] == nil && report["copy"] == nil)
        let store = try scene.open(Scene.local)
        #expect(try store.integer("SELECT count(*) FROM Workout") == 40)
        #expect(try store.text("SELECT title FROM Workout WHERE id = '\(key)'")?.hasSuffix("(again)") == true)
        #expect(try store.text("SELECT key FROM godwit_removed WHERE entity = 'Workout'") == key)
        #expect(try store.text("SELECT id FROM UserSettings") == "singleton")
        #expect(try scene.folder.bytes(of: scene.inFolder(Scene.cloud)) == cloud)
    }

    @Test("running stage by stage gives the same as one run")
    func stageByStage() throws {
        let (steps, whole) = (try Scene(.twoDevices), try Scene(.twoDevices))
        for command in ["migrate", "dedupe", "copy"] {
            let finished = try steps.godwit(command, "-q")
            #expect(finished.code == 0, "\(finished.errorText)")
        }
        #expect(try whole.godwit("run", "-q").code == 0)
        #expect(try steps.godwit("verify", "-q").code == 0)
        let exports = try [steps, whole].map { try ExportText($0.godwit("export", "-q").text).entities }
        #expect(exports[0] != nil)
        #expect(exports[0] == exports[1])
    }

    @Test("an export goes to a new complete file, with its report on standard output")
    func export() throws {
        let scene = try Scene()
        #expect(try scene.godwit("run", "-q").code == 0)
        let finished = try scene.godwit("export", "--json", "-o", scene.folder["export.json"])
        #expect(finished.code == 0, "\(finished.errorText)")
        let report = try finished.json()
        let bytes = try scene.folder.bytes(of: "export.json")
        #expect(report["bytes"]?.integer == Int64(bytes.count))
        let document = try JSONValue(bytes)
        #expect(document["integrity", "sha256"] == report["sha256"])
        #expect(document["source", "store"] == "cloud")
        #expect(document["exportedAt"] == "2026-11-21T06:00:00.000Z")
        #expect(scene.folder.names() == ["calls", "export.json", "home", "tmp"])
    }

    @Test("an older export is replaced on request")
    func replacedExport() throws {
        let scene = try Scene(.twoDevices)
        let path = scene.folder["export.json"]
        #expect(try scene.godwit("export", "-q", "-o", path).code == 0)
        #expect(try scene.godwit("run", "-q").code == 0)
        #expect(try scene.godwit("export", "-q", "-o", path, "--replace").code == 0)
        #expect(try JSONValue(scene.folder.bytes(of: "export.json"))["source", "store"] == "cloud")
    }
}
