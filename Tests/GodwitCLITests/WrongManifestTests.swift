import GodwitTestSupport
import Testing

/// An invalid manifest gives code 78, with file, line and column.
struct WrongManifestTests {
    /// A part of the sample manifest, its replacement, and what the error must say.
    struct Mistake: CustomTestStringConvertible, Sendable {
        let part: String
        let replacement: String
        let naming: [String]

        init(_ part: String, _ replacement: String, _ naming: String...) {
            (self.part, self.replacement, self.naming) = (part, replacement, naming)
        }

        var testDescription: String { replacement }
    }

    static let mistakes = [
        Mistake("app: TrainLog", "ap: TrainLog", "godwit.yaml:5:1", "ap"),
        Mistake("app: TrainLog", "app: TrainLog\napp: Twice", "godwit.yaml:6:1"),
        Mistake("app: TrainLog", "app: [TrainLog]", "godwit.yaml:5:6"),
        Mistake("app: TrainLog", "app: &anchor TrainLog", "godwit.yaml:5:"),
        Mistake("app: TrainLog", "app: !!str TrainLog", "godwit.yaml:5:"),
        Mistake("app: TrainLog", "app: \"TrainLog", "godwit.yaml:"),
        Mistake("godwit: 1 ", "godwit: 2 ", "godwit.yaml:4:9"),
        Mistake("workoutId: Workout", "workoutId: Workuot", "godwit.yaml:22:", "Workuot"),
        Mistake("modified: createdAt", "modified: madeAt", "godwit.yaml:23:", "madeAt"),
        Mistake("UserSettings.theme", "UserSettings.colour", "godwit.yaml:34:", "colour"),
        Mistake("Workout: { key: id,", "Workout: { key: id, belongsTo: { id: ExerciseSet },", "godwit.yaml:21:"),
        Mistake("keepEarliest", "keepOldest", "godwit.yaml:23:", "keepOldest"),
        Mistake("warnAfter: 12h", "warnAfter: soon", "godwit.yaml:52:", "warnAfter"),
        Mistake(
            "Library/Application Support/TrainLog.store", "../TrainLog.store", "godwit.yaml:11:", "container.local"),
        Mistake(
            "Library/Application Support/TrainLog.store", "/tmp/TrainLog.store", "godwit.yaml:11:", "container.local"),
        Mistake("- Library/Preferences/com", "- Library/../../com", "godwit.yaml:10:", "container.preferences"),
    ]

    // Every error has a hint, except one of these: a value of the wrong type.
    @Test("a mistake in the manifest is rejected with its position", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        let scene = try Scene()
        try scene.edit(mistake.part, mistake.replacement)
        try scene.expectRefusal(78, of: ["run"], naming: mistake.naming)
    }

    @Test("a mistake in the manifest is rejected by every command", arguments: MissingInputTests.commands)
    func everyCommand(_ command: String) throws {
        let scene = try Scene()
        try scene.edit("app: TrainLog", "ap: TrainLog")
        try scene.expectRefusal(78, of: [command], naming: ["godwit.yaml:5:1"])
    }

    @Test("a store outside of the container through a link gives 78", arguments: MissingInputTests.commands)
    func linkOut(_ command: String) throws {
        let scene = try Scene()
        try scene.folder.copyStore(scene.inFolder(Scene.local), to: "elsewhere.store")
        try scene.folder.remove(scene.inFolder(Scene.local))
        try scene.folder.makeLink(scene.inFolder(Scene.local), to: scene.folder["elsewhere.store"])
        try scene.expectRefusal(78, of: [command], naming: [Scene.local, "is outside of the container"])
    }

    @Test("a folder outside of the container through a link gives 78")
    func folderOut() throws {
        let scene = try Scene()
        try scene.folder.makeFolder("elsewhere")
        try scene.folder.remove(scene.inFolder("Library/Preferences"))
        try scene.folder.makeLink(scene.inFolder("Library/Preferences"), to: scene.folder["elsewhere"])
        try scene.expectRefusal(78, of: ["run"], naming: [Scene.plist, "is outside of the container"])
    }

    @Test("a link inside the container is followed")
    func linkInside() throws {
        let scene = try Scene()
        try scene.folder.makeFolder(scene.inFolder("Library/Stores"))
        try scene.folder.copyStore(scene.inFolder(Scene.local), to: scene.inFolder("Library/Stores/Diary.store"))
        try scene.folder.remove(scene.inFolder(Scene.local))
        try scene.folder.makeLink(scene.inFolder(Scene.local), to: "../Stores/Diary.store")
        let finished = try scene.godwit("run", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(try finished.json()["outcome"] == "done")
    }
}
