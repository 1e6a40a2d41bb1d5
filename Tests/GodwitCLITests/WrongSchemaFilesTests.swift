import GodwitTestSupport
import Testing

/// Schema files that were changed, removed or duplicated, or that are older than the store.
struct WrongSchemaFilesTests {
    static let second = "home/Migrations/V0002__settings_and_favorites.sql"

    /// A container whose stores have the history of both versions.
    private func migrated() throws -> Scene {
        let scene = try Scene()
        #expect(try scene.godwit("run", "-q").code == 0)
        return scene
    }

    @Test("an edited schema file gives 65 and its name", arguments: ["run", "plan", "migrate"])
    func divergent(_ command: String) throws {
        let scene = try migrated()
        let text = try scene.folder.text(of: Self.second)
        try scene.folder.write(text + "\n-- an afterthought\n", to: Self.second)
        try scene.expectRefusal(65, of: [command], naming: ["V0002__settings_and_favorites"])
    }

    @Test("line endings and a byte-order mark are not edits")
    func lineEndings() throws {
        let scene = try migrated()
        let text = try scene.folder.text(of: Self.second)
        try scene.folder.write(
            "\u{FEFF}" + text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"),
            to: Self.second)
        let finished = try scene.godwit("run", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(try finished.json()["outcome"] == "alreadyDone")
    }

    @Test("a store newer than the schema files gives 65", arguments: ["run", "plan", "migrate"])
    func newer(_ command: String) throws {
        let scene = try Scene(.twoDevices)
        try scene.folder.write("CREATE TABLE Plan (id TEXT);", to: "home/Migrations/V0003__plans.sql")
        #expect(try scene.godwit("migrate", "-q").code == 0)
        try scene.folder.remove("home/Migrations/V0003__plans.sql")
        try scene.expectRefusal(65, of: [command], naming: [Scene.local, "3"])
    }

    @Test("a gap in the versions gives 65")
    func missing() throws {
        let scene = try Scene()
        try scene.folder.copy(Self.second, to: "home/Migrations/V0004__later.sql")
        try scene.expectRefusal(65, of: ["run"], naming: ["3", "V0004__later"])
    }

    @Test("a missing first schema file gives 65")
    func missingFirst() throws {
        let scene = try Scene()
        try scene.folder.remove("home/Migrations/V0001__create_store.sql")
        try scene.expectRefusal(65, of: ["run"], naming: ["schema file 1 is missing"])
    }

    @Test("two schema files of one version give 65 and both names")
    func duplicate() throws {
        let scene = try Scene()
        try scene.folder.write("CREATE TABLE Plan (id TEXT);", to: "home/Migrations/V0002__plans.sql")
        try scene.expectRefusal(65, of: ["run"], naming: ["V0002__plans", "V0002__settings_and_favorites"])
    }

    @Test("a file without the name of a schema file gives 65")
    func badName() throws {
        let scene = try Scene()
        try scene.folder.write("SELECT 1;", to: "home/Migrations/fix.sql")
        try scene.expectRefusal(65, of: ["run"], naming: ["fix.sql"])
    }

    @Test("SQL that does not run gives 65 and the file's name")
    func badSQL() throws {
        let scene = try Scene()
        try scene.folder.write("CREATE TABEL Plan (id TEXT);", to: "home/Migrations/V0003__plans.sql")
        try scene.expectRefusal(65, of: ["run"], naming: ["V0003__plans", "TABEL"])
    }

    @Test("a store of another app gives 65, unless --baseline is given")
    func otherShape() throws {
        let scene = try Scene()
        try SampleStore.make(scene.path(Scene.local), "ALTER TABLE Workout ADD COLUMN mood TEXT")
        try scene.expectRefusal(65, of: ["run"], naming: [Scene.local, "Workout.mood"])
        let finished = try scene.godwit("migrate", "--baseline", "1", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(try finished.json()["schema", "adoptedAt"] == 1)
    }

    @Test("a schema file that fails on the app's data gives 65 and keeps the store")
    func failing() throws {
        let scene = try Scene()
        try scene.folder.write(
            "CREATE TABLE Once (unit INTEGER UNIQUE); INSERT INTO Once SELECT isWarmup FROM ExerciseSet;",
            to: "home/Migrations/V0003__once.sql")
        let before = try scene.open(Scene.local).rows("SELECT name FROM sqlite_schema ORDER BY 1")
        let finished = try scene.godwit("run")
        #expect(finished.code == 65, "\(finished.errorText)")
        #expect(finished.errorText.contains("V0003__once"))
        let store = try scene.open(Scene.local)
        #expect(try store.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'Once'") == 0)
        #expect(!scene.exists(Scene.cloud))
        #expect(before.count >= 4)
    }
}
