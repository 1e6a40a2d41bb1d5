import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// `copy` by itself, of a local store that was never deduped: duplicates of a large one are found while it is copied.
struct UndedupedCopyTests {
    @Test("a store without duplicates is copied unchanged", arguments: [true, false])
    func plain(isLarge: Bool) throws {
        let app = try UndedupedStore.make("", isLarge: isLarge)
        let before = try app.folder.bytes(of: TrainLog.local)
        let report = try app.perform(.copy)
        #expect(report.copy?.outcome == .done && report.copy?.createdStore == true)
        #expect(report.copied("ExerciseSet")?.inserted == (isLarge ? 12_000 : 0))
        #expect(report.copy?.entities.allSatisfy { $0.duplicates == 0 } == true)
        #expect(try app.folder.bytes(of: TrainLog.local) == before)
        #expect(try app.isFlagSet())
        #expect(try app.perform(.copy).copy?.outcome == .alreadyDone)
    }

    @Test("one that has some is copied with one record per key", arguments: [true, false], [true, false])
    func duplicates(isLarge: Bool, dryRun: Bool) throws {
        let app = try UndedupedStore.make(UndedupedStore.twice, isLarge: isLarge)
        let before = try app.fingerprint()
        let report = try app.perform(.copy, dryRun: dryRun)
        #expect(report.copied("Workout")?.duplicates == 1 && report.copied("Workout")?.inserted == 1)
        #expect(report.copied("FavoriteExercise")?.duplicates == 1)
        #expect(report.copied("ExerciseSet")?.local == (isLarge ? 12_000 : 0))
        #expect(try app.leftovers() == [])
        guard !dryRun else {
            #expect(try app.fingerprint().differences(from: before) == [])
            return
        }
        #expect(try app.column(TrainLog.cloud, "SELECT title FROM Workout") == ["Pull"])
        #expect(try app.count(TrainLog.local, of: "Workout") == 2)
        #expect(try app.perform(.verify).verify?.outcome == .done)
    }

    @Test("one whose records have no key is refused, and no cloud store is made", arguments: [0, 3000])
    func noKey(bytes: Int) throws {
        let app = try UndedupedStore.makeWithoutKey(bytes: bytes)
        let error = failure { try app.perform(.copy) }
        #expect(error?.code == .data)
        #expect(error?.message.hasSuffix("1 Note record without a value in 'id'") == true)
        #expect(app.folder.names(in: "container/Library/Application Support") == ["Notes.store"])
    }

    @Test("orphans are counted and named in either", arguments: [true, false])
    func orphans(isLarge: Bool) throws {
        let app = try UndedupedStore.make(
            """
            INSERT INTO ExerciseSet VALUES ('lost', 'gone', 'plank', 1, NULL, NULL, 0, '2026-01-01T00:00:00.000Z',
                '2026-01-01T00:00:00.000Z');
            """, isLarge: isLarge)
        let error = failure { try app.perform(.copy) }
        #expect(
            error?.message
                == "1 `ExerciseSet` record refers to a record of `Workout` that does not exist "
                + "(`workoutId` of the record 'lost')")
        #expect(!app.folder.exists(TrainLog.cloud))
        let report = try app.perform(.copy) { $0.allowsOrphans = true }
        #expect(report.copy?.orphans == ["ExerciseSet.workoutId": 1])
    }
}
