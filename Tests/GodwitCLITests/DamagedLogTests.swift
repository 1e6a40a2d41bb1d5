import GodwitTestSupport
import Testing

/// A write-ahead log that SQLite can't read to its end: the commits there are not in the store.
struct DamagedLogTests {
    private static let workout = "INSERT INTO Workout(id, title, startedAt, createdAt, updatedAt) VALUES ("

    /// The sample with a WAL local store and two workouts that only the log has; the second one is damaged.
    private func scene(_ store: String = Scene.local) throws -> Scene {
        let scene = try Scene(.twoDevices)
        let app = try scene.open(store)
        try app.execute("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA wal_checkpoint(TRUNCATE)")
        try app.execute(Self.workout + "'L1', 'Row', '2026-11-20', '2026-11-20', '2026-11-20')")
        let size = try scene.folder.bytes(of: scene.inFolder(store + "-wal")).count
        try app.execute(Self.workout + "'L2', 'Row', '2026-11-20', '2026-11-20', '2026-11-20')")
        try scene.folder.makeFolder("device")
        try scene.folder.copyStore(scene.inFolder(store), to: "device/store")
        try app.close()
        var log = try scene.folder.bytes(of: "device/store-wal")
        log[size + 100] ^= 0x10
        try scene.folder.write(log, to: "device/store-wal")
        try scene.folder.copyStore("device/store", to: scene.inFolder(store))
        return scene
    }

    @Test("a reading command reports a damaged -wal file and changes nothing", arguments: ["plan", "verify", "status"])
    func reading(_ command: String) throws {
        let scene = try scene()
        let before = try FolderFingerprint(scene.folder["home"])
        let report = try scene.godwit(command, "--json").json()
        let warnings = report["warnings"]?.items.filter { $0["code"] == "walDamaged" } ?? []
        #expect(warnings.count == 1)
        #expect(warnings.first?["message"]?.string?.hasPrefix("`\(Scene.local)-wal` is damaged") == true)
        #expect(try FolderFingerprint(scene.folder["home"]).differences(from: before) == [])
    }

    @Test(
        "a run warns of a damaged -wal file and continues, and with --strict exits with 3 before any write",
        arguments: [Scene.local, Scene.cloud])
    func running(_ store: String) throws {
        let scene = try scene(store)
        try expectStop(scene, "run", naming: store + "-wal` is damaged")
        let finished = try scene.godwit("run")
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect((finished.text + finished.errorText).contains(store + "-wal` is damaged"))
        #expect(try !scene.godwit("run").text.contains("is damaged"))
    }

    @Test("a run warns of a truncated -wal file, and with --strict exits with 3 before any write")
    func cutOff() throws {
        let scene = try scene()
        let log = scene.inFolder(Scene.local) + "-wal"
        try scene.folder.write(Array(scene.folder.bytes(of: log).dropLast(1500)), to: log)
        for command in ["plan", "run"] {
            try expectStop(scene, command, naming: Scene.local + "-wal` ends in the middle")
        }
        for command in ["plan", "status", "run"] {
            let report = try scene.godwit(command, "--json").json()
            let codes = report["warnings"]?.items.compactMap { $0["code"]?.string } ?? []
            #expect(codes.filter { $0 == "walTruncated" }.count == 1, "\(command): \(codes)")
        }
        #expect(try scene.godwit("run", "--strict").code == 0, "the run has moved the log into the store")
    }

    /// Expects a strict run to stop with a report that names the warning, and to write nothing.
    private func expectStop(_ scene: Scene, _ command: String, naming part: String) throws {
        let before = try scene.fingerprint()
        let stopped = try scene.godwit(command, "--strict")
        let quiet = try scene.godwit(command, "--strict", "--quiet")
        #expect(quiet.code == stopped.code && quiet.output.isEmpty && quiet.errorText.hasPrefix("godwit: error: "))
        #expect(stopped.code == 3 && stopped.text.contains(part), "\(stopped.text)")
        if command == "run" { #expect(stopped.text.contains("1 warning under --strict. Nothing was written.")) }
        #expect(try scene.fingerprint().differences(from: before) == [])
    }

    @Test("an export of a store with a damaged -wal file may be stale")
    func exporting() throws {
        let scene = try scene(Scene.cloud)
        let document = try scene.godwit("export", "--store", "cloud").json()
        let reasons = document["freshness", "reasons"]?.items.filter { $0["code"] == "walMissing" } ?? []
        #expect(
            reasons.map { $0["message"] } == ["The store's write-ahead log is damaged: the newest changes are missing."]
        )
    }

    @Test("inspect and init report a damaged -wal file")
    func inspecting() throws {
        let scene = try scene()
        let inspected = try scene.startBare(["inspect", scene.container, "--json"]).finish().json()
        let stores = inspected["stores"]?.items.filter {
            $0["risks"]?.items.contains { $0["code"] == "walDamaged" } == true
        }
        #expect(stores?.map { $0["file"] } == [.string(Scene.local)])
        let made = try scene.startBare(["init", scene.container, "-o", "app", "--json"]).finish()
        #expect(try made.json()["risks"]?.items.contains { $0["code"] == "walDamaged" } == true, "\(made.errorText)")
    }
}
