import GodwitTestSupport
import Testing

struct VerifyCommandTests {
    @Test("the committed expectations of the samples are met before and after a run", arguments: Scene.Sample.allCases)
    func samples(_ sample: Scene.Sample) throws {
        let scene = try Scene(sample)
        let name = sample.rawValue + "/expectation.json"
        let written = try scene.godwit("verify", "-q", "--expect", scene.folder["e.json"], "--update-expect")
        #expect(written.code == 0, "\(written.errorText)")
        try Golden.expect(scene.folder.text(of: "e.json"), equals: name)
        let before = try scene.fingerprint()
        let first = try scene.godwit("verify", "--expect", Golden.path(name))
        #expect(first.code == 0, "\(first.text)")
        try scene.expectUnchanged(since: before)
        try scene.godwit("run", "-q")
        let second = try scene.godwit("verify", "--expect", Golden.path(name), "--json")
        #expect(second.code == 0, "\(second.text)")
        #expect(try second.json()["expectation", "verdict"] == "met")
    }

    @Test("a difference from the expectation is shown and exits with 1")
    func differs() throws {
        let scene = try Scene(.twoDevices)
        let store = try scene.open(Scene.local)
        try store.execute(
            "INSERT INTO FavoriteExercise(exerciseId, createdAt) VALUES ('rowing', '2026-11-01T00:00:00Z')")
        try store.close()
        let finished = try scene.godwit("verify", "--expect", Golden.path("two-devices/expectation.json"), "--no-color")
        #expect(finished.code == 1, "\(finished.errorText)")
        #expect(finished.errors.isEmpty)
        let lines = finished.text.split(separator: "\n").map(String.init)
        #expect(lines.contains("    counts.local"))
        #expect(lines.contains("      - \"FavoriteExercise\": 5"))
        #expect(lines.contains("      + \"FavoriteExercise\": 1"))
        let json = try scene.godwit("verify", "--expect", Golden.path("two-devices/expectation.json"), "--json")
        #expect(json.code == 1)
        #expect(try json.json()["expectation", "verdict"] == "differs")
    }

    @Test("a missing expectation is missing input, and --update-expect needs its name")
    func usage() throws {
        let scene = try Scene()
        try scene.expectRefusal(66, of: ["verify", "--expect", scene.folder["none.json"]], naming: ["none.json"])
        #expect(try scene.godwit("verify", "--update-expect").code == 64)
        #expect(try scene.godwit("verify", "--all", scene.folder["home"]).code == 64)
        #expect(try scene.godwit("verify", "--expect", "").code == 64)
    }

    @Test("every container below a folder has its line, and an unreadable one gives exit code 1")
    func all() throws {
        let scene = try Scene()
        try scene.godwit("run", "-q")
        let arguments = ["verify", "--all", scene.folder["home"], "-m", scene.manifest, "--now", Scene.now]
        let good = try scene.startBare(arguments).finish()
        #expect(good.code == 0, "\(good.errorText)")
        #expect(good.text.contains("✓ container: 14 checks passed"))
        #expect(good.text.contains("1 container: 1 passed in"))
        try scene.folder.makeFolder("home/other/Library/Preferences")
        try scene.folder.makeFolder("home/other/Library/Application Support")
        try scene.folder.makeFIFO("home/other/" + Scene.local)
        let before = try scene.fingerprint()
        let mixed = try scene.startBare(arguments + ["--json"]).finish()
        #expect(mixed.code == 1)
        #expect(mixed.errors.isEmpty)
        let report = try mixed.json()
        #expect(report["counts", "passed"] == 1)
        #expect(report["counts", "unreadable"] == 1)
        #expect(report["containers"]?.items.map { $0["container"] } == ["container", "other"])
        #expect(report["containers"]?.items.last?["error", "code"] == 66)
        try scene.expectUnchanged(since: before)
    }
}
