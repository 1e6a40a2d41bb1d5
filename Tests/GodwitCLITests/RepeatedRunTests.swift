import GodwitTestSupport
import Testing

/// A second run changes nothing, and commands that only read leave no trace.
struct RepeatedRunTests {
    @Test(
        "a second run of a sample finds everything done and changes nothing",
        arguments: [Scene.Sample.container, .twoDevices, .interrupted])
    func twice(_ sample: Scene.Sample) throws {
        let scene = try Scene(sample)
        #expect(try scene.godwit("run", "-q").code == 0)
        let before = try scene.fingerprint()
        for _ in 1...2 {
            let again = try scene.godwit("run", "--json")
            #expect(again.code == 0, "\(again.errorText)")
            let report = try again.json()
            #expect(report["outcome"] == "alreadyDone")
            #expect(report["copy", "outcome"] == "alreadyDone")
            #expect(report["legacy", "outcome"] == "alreadyDone")
            #expect(report["verify", "outcome"] == "alreadyDone")
            try scene.expectUnchanged(since: before)
        }
    }

    @Test(
        "every writing command does nothing on a finished container", arguments: ["migrate", "dedupe", "copy"])
    func finished(_ command: String) throws {
        let scene = try Scene(.twoDevices)
        #expect(try scene.godwit("run", "-q").code == 0)
        let before = try scene.fingerprint()
        let again = try scene.godwit(command, "--json")
        #expect(again.code == 0, "\(again.errorText)")
        #expect(try again.json()["outcome"] != "done")
        try scene.expectUnchanged(since: before)
    }

    @Test(
        "a copy that stopped before its flag is healed: the flag is set, and no record is copied again",
        arguments: [Scene.Sample.interrupted, .container, .twoDevices])
    func healed(_ sample: Scene.Sample) throws {
        let scene = try Scene(sample)
        if sample != .interrupted { try scene.interrupt() }
        let cloud = try scene.folder.bytes(of: scene.inFolder(Scene.cloud))
        let status = try scene.godwit("status", "--json").json()
        #expect(status["copy"] == "interrupted")
        let report = try scene.godwit("run", "--json").json()
        #expect(report["copy", "outcome"] == "healed")
        #expect(report["copy", "flag", "isSet"] == true)
        #expect(try scene.folder.bytes(of: scene.inFolder(Scene.cloud)) == cloud)
        #expect(try scene.godwit("status", "--json").json()["copy"] == "done")
    }

    static let readers = [
        ["plan"], ["run", "--dry-run"], ["run", "-n", "--json"], ["migrate", "-n"], ["dedupe", "-n"], ["copy", "-n"],
        ["verify"], ["status"], ["status", "--lang", "ja"], ["history"], ["export"], ["export", "-n"],
        ["export", "--account", "noAccount"],
    ]

    @Test("reading commands change nothing before a run", arguments: readers)
    func readingBefore(_ command: [String]) throws {
        let scene = try Scene(.twoDevices)
        let before = try scene.fingerprint()
        let finished = try scene.start(command).finish()
        // Before a run, `verify` finds differences.
        #expect(finished.code == (command == ["verify"] ? 1 : 0), "\(finished.errorText)")
        #expect(!finished.output.isEmpty)
        try scene.expectUnchanged(since: before)
    }

    @Test("reading commands change nothing after a run", arguments: readers)
    func readingAfter(_ command: [String]) throws {
        let scene = try Scene()
        #expect(try scene.godwit("run", "-q").code == 0)
        let before = try scene.fingerprint()
        let finished = try scene.start(command).finish()
        #expect(finished.code == 0, "\(finished.errorText)")
        try scene.expectUnchanged(since: before)
    }

    @Test("reading commands do not change a store in use, its -wal and its -shm file", arguments: readers)
    func readingInUse(_ command: [String]) throws {
        let scene = try Scene(.twoDevices)
        let app = try scene.open(Scene.local, journal: "WAL")
        try app.execute("UPDATE Workout SET title = 'typed just now' WHERE rowid = 1")
        #expect(scene.exists(Scene.local + "-wal") && scene.exists(Scene.local + "-shm"))
        let before = try scene.fingerprint()
        let finished = try scene.start(command).finish()
        #expect(finished.code == (command == ["verify"] ? 1 : 0), "\(finished.errorText)")
        try scene.expectUnchanged(since: before)
        if command == ["export"] { #expect(finished.text.contains("typed just now")) }
        try app.close()
    }

    @Test("the exit code of a plan says whether changes are pending")
    func pending() throws {
        let scene = try Scene()
        #expect(try scene.godwit("plan", "--exit-code", "-q").code == 2)
        #expect(try scene.godwit("run", "-q").code == 0)
        #expect(try scene.godwit("plan", "--exit-code", "-q").code == 0)
    }

    @Test("a saved plan is JSON, and an existing file is not overwritten")
    func savedPlan() throws {
        let scene = try Scene()
        let file = scene.folder["plan.json"]
        #expect(try scene.godwit("plan", "-o", file).code == 0)
        let saved = try JSONValue(scene.folder.bytes(of: "plan.json"))
        #expect(saved["run", "dryRun"] == true)
        let again = try scene.godwit("plan", "-o", file)
        #expect(again.code == 73)
        #expect(try JSONValue(scene.folder.bytes(of: "plan.json")) == saved)
    }

    @Test("history lists only the run that changed something")
    func history() throws {
        let scene = try Scene()
        for _ in 1...3 { #expect(try scene.godwit("run", "-q").code == 0) }
        let runs = try scene.godwit("history", "--json").json()["runs"]?.items ?? []
        #expect(runs.count == 1)
        #expect(runs.first?["command"] == "run")
        #expect(runs.first?["outcome"] == "done")
        #expect(runs.first?["summary"] == "40 Workout, 600 ExerciseSet, 5 FavoriteExercise, 1 UserSettings")
    }
}
