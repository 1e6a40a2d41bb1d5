import Foundation
import GodwitTestSupport
import Testing

/// TrainLog's diary in a SwiftData store: the same records as in the plain one, read and never written.
struct SwiftDataSampleTests {
    private static let store = "Library/Application Support/default.store"

    private func makeScene() throws -> Scene {
        try Scene(
            app: "trainlog", container: "/container-swiftdata", preferences: [Scene.plist],
            manifest: "godwit-swiftdata.yaml")
    }

    @Test("a run of a SwiftData store gives the records of the plain container, and keeps the store unchanged")
    func run() throws {
        let scene = try makeScene()
        let before = try scene.fingerprint().files.filter { $0.key.hasSuffix(Self.store) }
        #expect(before.count == 1)
        let finished = try scene.godwit("run", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        let entities = try finished.json()["copy", "entities"]?.items ?? []
        #expect(entities.first { $0["name"] == "Workout" }?["inserted"] == 40)
        #expect(entities.first { $0["name"] == "ExerciseSet" }?["inserted"] == 600)
        let after = try scene.fingerprint().files.filter { $0.key.contains(Self.store) }
        #expect(after == before, "same bytes, same time, and nothing new next to it")
        let export = try scene.godwit("export", "-q", "--account", "available")
        #expect(export.code == 0, "\(export.errorText)")
        let text = try #require(ExportText(export.text).entities)
        try Golden.expect(text + "\n", equals: "container/entities.json")
    }

    @Test("workouts and sets are those that SQL finds in the SwiftData tables")
    func values() throws {
        let scene = try makeScene()
        #expect(try scene.godwit("run", "-q").code == 0)
        let cloud = try scene.open(Scene.cloud)
        try cloud.execute("ATTACH '\(scene.path(Self.store))' AS d")
        let different = try cloud.integer(
            """
            SELECT count(*) FROM (
                SELECT replace(id, '-', ''), title, notes, durationSeconds, updatedAt FROM main.Workout
                EXCEPT
                SELECT hex(ZID), ZTITLE, ZNOTES, ZDURATIONSECONDS,
                    strftime('%Y-%m-%dT%H:%M:%fZ', ZUPDATEDAT + 978307200, 'unixepoch')
                FROM d.ZWORKOUT)
            """)
        #expect(different == 0)
        let joined = try cloud.integer(
            """
            SELECT count(*) FROM main.ExerciseSet AS s JOIN d.ZEXERCISESET AS z ON hex(z.ZID) = replace(s.id, '-', '')
            JOIN d.ZWORKOUT AS w ON w.Z_PK = z.ZWORKOUT AND hex(w.ZID) = replace(s.workoutId, '-', '')
            WHERE s.reps IS z.ZREPS AND s.weightKg IS z.ZWEIGHTKG AND s.exerciseId = z.ZEXERCISEID
            """)
        #expect(joined == 600)
        try cloud.close()
    }

    @Test("the plan of a SwiftData store reports what the run then does, and a second run changes nothing")
    func planAndTwice() throws {
        let scene = try makeScene()
        let untouched = try scene.fingerprint()
        var plan = try scene.godwit("plan", "--json").json()
        try scene.expectUnchanged(since: untouched)
        var run = try scene.godwit("run", "--json").json()
        for part in ["run", "nextSteps", "plan"] {
            plan[part] = nil
            run[part] = nil
        }
        #expect(try plan.text == run.text)
        let before = try scene.fingerprint()
        #expect(try scene.godwit("run", "--json").json()["outcome"] == "alreadyDone")
        try scene.expectUnchanged(since: before)
    }

    @Test("the committed expectation of a SwiftData store is met before and after a run")
    func expectation() throws {
        let scene = try makeScene()
        let path = Golden.path("container-swiftdata/expectation.json")
        if Golden.isUpdating {
            #expect(try scene.godwit("verify", "-q", "--expect", path, "--update-expect").code == 0)
        }
        for isDone in [false, true] {
            if isDone { #expect(try scene.godwit("run", "-q").code == 0) }
            let finished = try scene.godwit("verify", "--expect", path, "--json")
            #expect(finished.code == 0, "\(finished.text)")
            #expect(try finished.json()["expectation", "verdict"] == "met")
        }
    }
}
