import Foundation
import GodwitTestSupport
import Testing

/// Hints after mistakes for which an earlier hint named a command that failed the same way.
struct HintTests {
    private func expectRefusal(
        _ scene: Scene, _ code: Int32, _ arguments: [String], _ error: String, _ hint: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try scene.fingerprint()
        let finished = try scene.startBare(arguments).finish()
        #expect(finished.code == code, "\(finished.errorText)", sourceLocation: sourceLocation)
        #expect(
            finished.errorLines.map(String.init) == ["godwit: error: " + error, "hint: " + hint],
            sourceLocation: sourceLocation)
        try scene.expectUnchanged(since: before, sourceLocation: sourceLocation)
    }

    @Test("the hint for a misspelt parent entity names both lines")
    func misspeltEntity() throws {
        let scene = try Scene()
        let text = try scene.folder.text(of: "home/godwit.yaml")
        try scene.folder.write(
            text.replacingOccurrences(of: "  Workout: {", with: "  Workuot: {"), to: "home/godwit.yaml")
        try expectRefusal(
            scene, 78, ["plan"],
            "godwit.yaml:22:72: `ExerciseSet` belongs to `Workout`, which is not an entity of this manifest",
            "Did you mean `Workuot`, the entity in line 21?")
    }

    @Test("the hint for two schema files of one version gives the newer one another number")
    func twinSchemaFiles() throws {
        let scene = try Scene()
        try scene.folder.copy(WrongSchemaFilesTests.second, to: "home/Migrations/V0002__twin.sql")
        try expectRefusal(
            scene, 65, ["plan"], "V0002__settings_and_favorites and V0002__twin in `Migrations` have the same version",
            "Give the newer of the two the next free number.")
    }

    @Test("an expectation is for one container, and a folder of expectations for --all")
    func expectations() throws {
        let scene = try Scene()
        try scene.folder.write("{}", to: "home/expected.json")
        try expectRefusal(
            scene, 66, ["verify", "--all", ".", "--expect", "expected.json"], "`expected.json` is not a folder",
            "Name the folder that has an expectation for each container.")
        try expectRefusal(
            scene, 66, ["verify", "--expect", "Migrations"], "`Migrations` is a folder",
            "Name a file, or compare every container with the folder: add --all.")
        try expectRefusal(
            scene, 73, ["verify", "--expect", "nodir/x", "--update-expect"],
            "can't create `nodir/x`: No such file or directory", "Make the folder `nodir` first.")
    }

    @Test("an export is not accepted as preferences, by inspect and init", arguments: ["inspect", "init"])
    func export(command: String) throws {
        let scene = try Scene()
        #expect(try scene.godwit("export", "-q", "-o", "trainlog.json").code == 0)
        let more = command == "init" ? ["-o", "draft.yaml"] : []
        try expectRefusal(
            scene, 65, [command, "trainlog.json"] + more,
            "`trainlog.json` is an export of TrainLog, which Godwit wrote",
            "Build a store of it with `godwit import`, or name a container, a store or a property list.")
    }

    @Test("the hint for an unknown version lists the existing ones")
    func baseline() throws {
        try expectRefusal(
            Scene(), 64, ["plan", "--baseline", "9"], "--baseline 9 is not a version of the schema; the latest is 2",
            "Use a version from 0 to 2.")
    }

    @Test("the next step of a plan to copy without the import is the import")
    func copyFirst() throws {
        let text = try Scene().godwit("copy", "--dry-run").text
        #expect(text.contains("Next\n  → Import the legacy keys before the copy:\n      godwit migrate -m "))
        #expect(!text.contains("To make these changes"))
    }
}
