import GodwitTestSupport
import Testing

struct UndoCommandTests {
    /// A container whose cloud store a run has deduplicated.
    private func made() throws -> (scene: Scene, run: String) {
        let scene = try Scene(.twoDevices)
        let report = try scene.godwit("run", "--json").json()
        return (scene, try #require(report["run", "id"]?.string))
    }

    @Test("undo restores duplicates, reports them, and verify then finds them")
    func undo() throws {
        let (scene, run) = try made()
        let finished = try scene.godwit("dedupe", "--undo", "latest", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        let report = try finished.json()
        #expect(report["outcome"] == "done")
        #expect(report["undo", "runId"]?.string == run)
        #expect(report["dedupe"] == nil)
        let cloud = try #require(report["undo", "stores"]?.items.first { $0["store"] == "cloud" })
        #expect(cloud["restored", "FavoriteExercise"] == 3)
        #expect(
            try scene.open(Scene.cloud).integer(
                "SELECT count(*) FROM FavoriteExercise WHERE exerciseId = 'bench-press'") == 3)
        #expect(try scene.godwit("verify", "-q").code == 1)
        #expect(try scene.godwit("dedupe", "-q").code == 0)
        #expect(try scene.godwit("verify", "-q").code == 0)
    }

    @Test("the text report of undo shows the restored records and the next step")
    func text() throws {
        let (scene, run) = try made()
        let text = try scene.godwit("dedupe", "--undo", String(run.prefix(8)).lowercased()).text
        #expect(text.contains("✓ dedupe   5 duplicates of run \(run.prefix(8)) put back\n"))
        #expect(text.contains("    • cloud store: 3 FavoriteExercise, 2 UserSettings"))
        #expect(text.contains("godwit dedupe -m"))
        #expect(try scene.godwit("history").text.contains("5 duplicates of run \(run.prefix(8)) put back"))
        let again = try scene.godwit("dedupe", "--undo", run)
        #expect(again.code == 0)
        #expect(again.text.contains("is undone already by run "))
    }

    @Test("a plan of undo changes nothing and shows how to do it")
    func dryRun() throws {
        let (scene, run) = try made()
        let before = try scene.fingerprint()
        let finished = try scene.godwit("dedupe", "--undo", "latest", "-n")
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(finished.text.contains("5 duplicates of run \(run.prefix(8)) would be put back"))
        #expect(finished.text.contains("--undo \(run)"))
        try scene.expectUnchanged(since: before)
    }

    @Test("an unknown run gives 64, one that cannot be undone gives 65, and nothing changes")
    func refusals() throws {
        let (scene, _) = try made()
        try scene.expectRefusal(64, of: ["dedupe", "--undo", "nonsense"], naming: ["nonsense"])
        try scene.expectRefusal(64, of: ["dedupe", "--undo", ""], naming: ["no run ''"])
        let app = try scene.open(Scene.cloud)
        try app.execute("ALTER TABLE FavoriteExercise DROP COLUMN note")
        try app.close()
        let before = try [Scene.local, Scene.cloud].map { try scene.folder.bytes(of: scene.inFolder($0)) }
        let refused = try scene.godwit("dedupe", "--undo", "latest")
        #expect(refused.code == 65)
        #expect(refused.errorLines.first?.contains("'FavoriteExercise'") == true)
        #expect(refused.errorText.contains("; nothing was changed"))
        #expect(try [Scene.local, Scene.cloud].map { try scene.folder.bytes(of: scene.inFolder($0)) } == before)
    }
}
