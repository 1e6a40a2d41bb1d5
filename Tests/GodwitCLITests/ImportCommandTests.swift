import Libc
import Foundation
import GodwitTestSupport
import Testing

@Suite(.hangGuard)
struct ImportCommandTests {
    /// A scene with an export of its container in `home/e.json`.
    private func exported(_ options: [String] = [], _ sample: Scene.Sample = .twoDevices) throws -> Scene {
        let scene = try Scene(sample)
        let finished = try scene.start(["export", "-q", "-o", scene.folder["home/e.json"]] + options).finish()
        try #require(finished.code == 0, "\(finished.errorText)")
        return scene
    }

    private func arguments(_ scene: Scene, _ document: String = "home/e.json") -> [String] {
        ["import", scene.folder[document], "-o", scene.folder["home/new.store"]]
    }

    @Test(
        "a restored export gives the same bytes when it is exported again",
        arguments: [[], ["--lines"], ["--gzip"], ["--lines", "--gzip", "--level", "1"]])
    func roundTrip(_ options: [String]) throws {
        let scene = try exported(options)
        let other = try Scene(.twoDevices)
        // A run comes first: the export of a store without a history would name no migration.
        for scene in [scene, other] { try #require(try scene.godwit("migrate", "-q").code == 0) }
        let first = scene.folder["home/first.json"]
        try #require(try scene.start(["export", "-q", "-o", first] + options).finish().code == 0)
        try other.folder.remove(other.inFolder(Scene.local))
        let finished = try scene.start(["import", first, "-o", other.path(Scene.local)]).finish()
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(
            finished.text.hasPrefix("✓ import   600 ExerciseSet, 5 FavoriteExercise, 1 UserSettings, 40 Workout\n"))
        #expect(finished.errors.isEmpty && scene.leftovers == [])
        let status = try FileManager.default.attributesOfItem(atPath: scene.path(Scene.local))
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(status[.modificationDate])], ofItemAtPath: other.path(Scene.local))
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(status[.modificationDate])], ofItemAtPath: scene.path(Scene.local))
        let again = scene.folder["home/again.json"]
        try #require(try scene.start(["export", "-q", "-o", again] + options).finish().code == 0)
        let second = other.folder["home/second.json"]
        try #require(try other.start(["export", "-q", "-o", second] + options).finish().code == 0)
        #expect(try scene.folder.bytes(of: "home/again.json") == other.folder.bytes(of: "home/second.json"))
    }

    @Test("import reads a document from standard input", arguments: [[], ["--gzip"]])
    func standardInput(_ options: [String]) throws {
        let scene = try exported(options)
        let call = try Invocation(
            ["import", "-", "-m", scene.manifest, "-o", scene.folder["home/new.store"], "--json"],
            in: scene.folder["calls"], input: scene.folder["home/e.json"], environment: ["TMPDIR": scene.folder["tmp"]])
        let finished = try call.finish()
        #expect(finished.code == 0, "\(finished.errorText)")
        let report = try finished.json()
        #expect(report["counts", "Workout"] == 40 && report["document", "file"] == nil)
        #expect(report["file"]?.string == scene.folder["home/new.store"] && report["dryRun"] == false)
        #expect(report["schema", "created"] == true && report["schema", "toVersion"] == 2)
        #expect(scene.leftovers == [])
    }

    @Test("a plan of an import changes nothing and needs no name")
    func dryRun() throws {
        let scene = try exported()
        let before = try scene.fingerprint()
        for arguments in [["import", scene.folder["home/e.json"], "-n"], arguments(scene) + ["--dry-run"]] {
            let finished = try scene.start(arguments).finish()
            #expect(finished.code == 0, "\(finished.errorText)")
            #expect(finished.text.contains("would restore 600 ExerciseSet"))
        }
        try scene.expectUnchanged(since: before)
    }

    @Test("an existing target of an import gives 73 and stays", arguments: ["", "-wal", "-journal", "-shm"])
    func existing(suffix: String) throws {
        let scene = try exported()
        try scene.folder.write("mine", to: "home/new.store" + suffix)
        try scene.expectRefusal(73, of: arguments(scene), naming: ["new.store\(suffix)` already exists"])
        try scene.expectRefusal(73, of: arguments(scene) + ["-n"], naming: ["new.store\(suffix)` already exists"])
    }

    @Test("a link as the target of an import, and a missing folder, give 73")
    func badTarget() throws {
        let scene = try exported()
        try scene.folder.makeLink("home/new.store", to: "nowhere")
        try scene.expectRefusal(73, of: arguments(scene), naming: ["new.store` already exists"])
        let path = scene.folder["home/nowhere/new.store"]
        try scene.expectRefusal(73, of: ["import", scene.folder["home/e.json"], "-o", path], naming: [path])
        try scene.expectRefusal(
            73, of: ["import", scene.folder["home/e.json"], "-o", scene.path(Scene.local)], naming: ["TrainLog.store"])
    }

    @Test("an import from something that is not a file gives 66")
    func badDocument() throws {
        let scene = try exported()
        try scene.expectRefusal(66, of: arguments(scene, "home/none.json"), naming: ["none.json"])
        try scene.expectRefusal(66, of: arguments(scene, "home"), naming: ["is not a regular file"])
    }

    @Test(
        "a changed document gives 65, and nothing is left",
        arguments: [
            ("\"minReaderVersion\": 1", "\"minReaderVersion\": 2", "needs a reader of version 2; this is version 1"),
            ("\"schemaVersion\": 1", "\"schemaVersion\": 7", "has schemaVersion 7, but the manifest has 1"),
            (
                "\"schemaMigration\": 2", "\"schemaMigration\": 3",
                "is at schema version 3, newer than the latest schema file (2)"
            ),
            ("\"count\": 40,", "\"count\": 41,", "has 40 records of Workout, but declares 41"),
            ("\"format\": \"godwit-export\"", "\"format\": \"x\"", "is not an export of Godwit"),
            ("\"sha256\": \"", "\"sha256\": \"0", "has other content than was exported"),
            ("\"name\": \"Workout\"", "\"name\": \"Workouts\"", "there is no table 'Workouts'"),
            ("}}\n", "}}\n}", "something follows its end"), ("}}\n", "}", "it ends where"),
        ])
    func damaged(part: String, other: String, message: String) throws {
        let scene = try exported()
        let text = try scene.folder.text(of: "home/e.json")
        try #require(text.contains(part))
        try scene.folder.write(text.replacingOccurrences(of: part, with: other), to: "home/e.json")
        try scene.expectRefusal(65, of: arguments(scene), naming: [message])
    }

    @Test("errors of import are JSON on request")
    func errorAsJSON() throws {
        let scene = try exported()
        try scene.folder.write("{}", to: "home/e.json")
        let finished = try scene.start(arguments(scene) + ["--json"]).finish()
        #expect(finished.code == 65 && finished.output.isEmpty)
        let error = try JSONValue(finished.errors)
        #expect(error["stage"] == "import" && error["code"] == 65)
    }

    @Test(
        "an invalid import command gives 64",
        arguments: [
            ["import"], ["import", "e.json"], ["import", "e.json", "-o", "-"], ["import", "", "-o", "new.store"],
            ["import", "e.json", "x.json", "y.json", "-o", "new.store"], ["import", "e.json", "-", "-o", "new.store"],
            ["export", "--level", "3"],
            ["export", "--gzip", "--level", "0"],
            ["export", "--gzip", "--level", "10"], ["export", "--gzip", "--level", "high"],
        ])
    func usage(_ arguments: [String]) throws {
        let scene = try exported()
        let before = try scene.fingerprint()
        let finished = try scene.start(arguments).finish()
        #expect(finished.code == 64, "\(finished.errorText)")
        try scene.expectUnchanged(since: before)
    }

    @Test("import prints nothing with --quiet")
    func quiet() throws {
        let scene = try exported()
        let finished = try scene.start(arguments(scene) + ["-q"]).finish()
        #expect(finished.code == 0 && finished.output.isEmpty && finished.errors.isEmpty)
    }

    #if os(Linux)
        @Test("an import whose report cannot be written gives 74 and says that the store exists")
        func unwritable() throws {
            let scene = try exported()
            let finished = try scene.start(arguments(scene), output: "/dev/full").finish()
            #expect(finished.code == 74 && finished.errorText.contains("the store was restored"))
            #expect(scene.folder.exists("home/new.store"))
        }
    #endif

    /// Enough records to keep an import busy until it is seen and stopped; a release build imports faster.
    private static let many = Executable.isDebugBuild ? 20_000 : 100_000

    private func large() throws -> Scene {
        let scene = try Scene(.twoDevices)
        try SampleStore.make(
            scene.path(Scene.local),
            """
            BEGIN;
            INSERT INTO ExerciseSet
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.many))
            SELECT printf('GENERATED-%09d', i), (SELECT id FROM Workout WHERE rowid = 1), 'bench-press', i, i % 12,
                i / 8.0, 0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n;
            COMMIT;
            """)
        try #require(try scene.start(["export", "-q", "-o", scene.folder["home/e.json"]]).finish().code == 0)
        return scene
    }

    private func hasBegun(_ scene: Scene) -> Bool {
        scene.folder.names(in: "home").contains { $0.hasPrefix(".godwit-import-") && !$0.hasSuffix("-journal") }
    }

    @Test("a signal ends an import cleanly", arguments: [(SIGTERM, Int32(143)), (SIGINT, Int32(130))])
    func signalled(_ signal: (number: Int32, code: Int32)) throws {
        let scene = try large()
        let before = try scene.fingerprint()
        let call = try scene.start(arguments(scene))
        while call.isRunning, !hasBegun(scene) { usleep(1000) }
        kill(call.identifier, signal.number)
        let finished = try call.finish()
        #expect(finished.code == signal.code, "\(finished.errorText)")
        #expect(!finished.died && finished.output.isEmpty)
        try scene.expectUnchanged(since: before)
    }

    @Test("a killed import leaves no target, and the next one cleans up and completes", arguments: [0, 100, 400])
    func killed(_ milliseconds: UInt32) throws {
        let scene = try large()
        let names = try scene.fingerprint().names
        let call = try scene.start(arguments(scene))
        while call.isRunning, !hasBegun(scene) { usleep(1000) }
        usleep(milliseconds * 1000)
        kill(call.identifier, SIGKILL)
        _ = try call.finish()
        // On a fast machine it may have finished before it was killed.
        if !scene.folder.exists("home/new.store") {
            let again = try scene.start(arguments(scene)).finish()
            #expect(again.code == 0, "\(again.errorText)")
        }
        #expect(try Set(scene.fingerprint().names) == Set(names + ["new.store"]))
        let store = try SampleStore(scene.folder["home/new.store"])
        #expect(try store.integer("SELECT count(*) FROM ExerciseSet") == Int64(Self.many) + 600)
    }

    @Test("several imports into one folder at once all finish")
    func sideBySide() throws {
        let scene = try exported()
        let calls = try (0..<6).map { number in
            try scene.start(["import", scene.folder["home/e.json"], "-o", scene.folder["home/\(number).store"], "-q"])
        }
        for call in calls {
            let finished = try call.finish()
            #expect(finished.code == 0, "\(finished.errorText)")
        }
        let racing = try (0..<4).map { _ in try scene.start(arguments(scene) + ["-q"]) }
        let codes = try racing.map { try $0.finish().code }.sorted()
        #expect(codes == [0, 73, 73, 73])
        #expect(!scene.folder.names(in: "home").contains { $0.hasPrefix(".godwit") })
    }

    @Test("an export and its increment restore the present records", arguments: [[], ["--lines", "--gzip"]])
    func increment(_ options: [String]) throws {
        let scene = try Scene(.twoDevices)
        try #require(try scene.godwit("run", "-q").code == 0)
        let (full, changed) = (scene.folder["home/full.json"], scene.folder["home/changed.json"])
        try #require(try scene.start(["export", "-q", "-o", full] + options).finish().code == 0)
        let store = try SampleStore(scene.path(Scene.cloud))
        try store.execute("DELETE FROM FavoriteExercise WHERE exerciseId = 'back-squat'")
        try store.execute("UPDATE Workout SET title = 'Later' WHERE id = (SELECT max(id) FROM Workout)")
        try store.close()
        let exported = try scene.start(["export", "-o", changed, "--since", full] + options).finish()
        #expect(exported.code == 0, "\(exported.errorText)")
        #expect(exported.text.hasPrefix("✓ export   1 Workout →\n"))
        #expect(exported.text.contains("gone: 1 FavoriteExercise"))
        let restored = try scene.start(["import", full, changed, "-o", scene.folder["home/new.store"], "--json"])
            .finish()
        #expect(restored.code == 0, "\(restored.errorText)")
        let report = try restored.json()
        #expect(report["increment", "file"] == .string(changed))
        let whole = try scene.start(["export", "-o", scene.folder["home/whole.json"], "--json"]).finish()
        #expect(try whole.json()["sha256"] == report["sha256"])
        let single = try scene.start(["import", changed, "-o", scene.folder["home/other.store"]]).finish()
        #expect(single.code == 65)
        #expect(single.errorText.contains("only the changes since export"))
        #expect(!scene.folder.exists("home/other.store") && scene.leftovers == [])
    }
}
