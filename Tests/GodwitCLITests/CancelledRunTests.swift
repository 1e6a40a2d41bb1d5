import Libc
import Foundation
import GodwitTestSupport
import Testing

/// A run that is stopped in the middle is rolled back, and the next run finishes.
@Suite(.hangGuard)
struct CancelledRunTests {
    /// Enough records to keep a run busy until it is seen and stopped; a release build copies faster.
    private static let many = Executable.isDebugBuild ? 40_000 : 200_000

    /// A container with so many records that a run can be stopped in the middle.
    private func large(_ sets: Int) throws -> Scene {
        let scene = try Scene(.twoDevices)
        try SampleStore.make(
            scene.path(Scene.local),
            """
            BEGIN;
            INSERT INTO ExerciseSet
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(sets))
            SELECT printf('GENERATED-%09d', i), (SELECT id FROM Workout WHERE rowid = 1), 'bench-press', i, i % 12,
                i / 8.0, 0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n;
            COMMIT;
            """)
        return scene
    }

    @Test(
        "a signal during a run ends it cleanly, and the next run completes",
        arguments: [
            (SIGTERM, Int32(143), "run"), (SIGINT, Int32(130), "run"), (SIGHUP, Int32(143), "plan"),
            (SIGINT, Int32(130), "plan"),
        ])
    func signalled(_ signal: (number: Int32, code: Int32, command: String)) throws {
        let command = signal.command
        let scene = try large(Self.many)
        let before = try scene.fingerprint()
        let call = try scene.start([command, "--json"])
        // The scratch folder or the journal of the copy shows that work has begun; how far it is, is random.
        while call.isRunning, !hasBegun(scene, command) { usleep(1000) }
        kill(call.identifier, signal.number)
        let finished = try call.finish()
        #expect(finished.code == signal.code, "\(finished.errorText)")
        #expect(!finished.died)
        #expect(finished.output.isEmpty)
        #expect(try JSONValue(finished.errors)["code"]?.integer == Int64(signal.code))
        #expect(scene.leftovers == [])
        #expect(try PropertyList.read(scene.path(Scene.plist))["cloudMigrationDone"] == nil)
        #expect(try Set(scene.fingerprint().names) == Set(before.names), "no journal and no temporary file is left")
        if command == "plan" { try scene.expectUnchanged(since: before) }
        let cloud = try scene.open(Scene.cloud)
        #expect(try cloud.integer("SELECT count(*) FROM ExerciseSet") == 238)
        #expect(try cloud.text("PRAGMA integrity_check") == "ok")
        try cloud.close()
        let again = try scene.godwit("run", "-q")
        #expect(again.code == 0, "\(again.errorText)")
        #expect(try scene.open(Scene.cloud).integer("SELECT count(*) FROM ExerciseSet") == Int64(Self.many) + 647)
    }

    @Test("a run that is killed leaves a container that the next run completes", arguments: [20, 120, 400])
    func killed(_ milliseconds: UInt32) throws {
        let scene = try large(30_000)
        let names = try scene.fingerprint().names
        let call = try scene.start(["run"])
        usleep(milliseconds * 1000)
        kill(call.identifier, SIGKILL)
        _ = try call.finish()
        let again = try scene.godwit("run", "--json")
        #expect(again.code == 0, "\(again.errorText)")
        // On a fast machine the first run may have finished before it was killed.
        #expect(["done", "alreadyDone"].contains(try again.json()["verify", "outcome"]))
        #expect(try scene.open(Scene.cloud).integer("SELECT count(*) FROM ExerciseSet") == 30_647)
        #expect(try scene.fingerprint().names == names, "no journal and no temporary file is left")
        #expect(try scene.godwit("run", "--json").json()["outcome"] == "alreadyDone")
    }

    @Test(
        "the next command removes what a killed plan left in TMPDIR",
        arguments: ["plan", "export", "run"])
    func killedPlan(_ next: String) throws {
        let scene = try large(Self.many)
        let before = try scene.fingerprint()
        let call = try scene.start(["plan"])
        while call.isRunning, !hasBegun(scene, "plan") { usleep(1000) }
        kill(call.identifier, SIGKILL)
        #expect(try call.finish().died)
        #expect(!scene.leftovers.isEmpty)
        let differences = try scene.fingerprint().differences(from: before)
        #expect(differences == [])
        let finished = try scene.godwit(next, "-q", "-o", scene.folder["tmp-result.json"])
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(scene.leftovers == [])
    }

    @Test(
        "a signal that arrived before the command was ready cancels it",
        arguments: [(SIGTERM, Int32(143)), (SIGINT, Int32(130)), (SIGHUP, Int32(143))])
    func early(_ signal: (number: Int32, code: Int32)) throws {
        let scene = try Scene(.twoDevices)
        let before = try scene.fingerprint()
        let call = try Invocation(
            ["run", "-m", scene.manifest, "-c", scene.container], in: scene.folder["calls"],
            environment: ["TMPDIR": scene.folder["tmp"]], isDeaf: true)
        kill(call.identifier, signal.number)
        let finished = try call.finish()
        #expect(!finished.died)
        #expect(finished.code == signal.code, "\(finished.errorText)")
        #expect(try scene.fingerprint().differences(from: before) == [])
    }

    private func hasBegun(_ scene: Scene, _ command: String) -> Bool {
        command == "plan" ? !scene.leftovers.isEmpty : scene.exists(Scene.cloud + "-journal")
    }
}
