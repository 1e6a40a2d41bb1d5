import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// `copy` alone, of a local store that nobody has deduped: a large one is found out about while it is copied.
struct UndedupedCopyTests {
    private static let filler = """
        INSERT INTO ExerciseSet
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
        SELECT printf('S-%09d', i), 'W-1', printf('%.400c', 'x'), i, i % 12, NULL, 0,
            '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n;
        """
    private static let plain = """
        INSERT INTO Workout VALUES ('W-1', 'Push', NULL, '2026-01-01T00:00:00.000Z', 60, '2026-01-01T00:00:00.000Z',
            '2026-01-01T00:00:00.000Z');
        INSERT INTO FavoriteExercise VALUES ('plank', NULL, '2026-01-01T00:00:00.000Z');
        """
    private static let twice = """
        INSERT INTO Workout VALUES ('W-1', 'Pull', NULL, '2026-01-01T00:00:00.000Z', 60, '2026-01-01T00:00:00.000Z',
            '2026-01-02T00:00:00.000Z');
        INSERT INTO FavoriteExercise VALUES ('plank', 'again', '2026-01-03T00:00:00.000Z');
        """

    private func make(_ sql: String, isLarge: Bool) throws -> TrainLog {
        let app = try TrainLog()
        try app.make(TrainLog.local, Self.plain + sql + (isLarge ? Self.filler : ""))
        return app
    }

    @Test("a store without duplicates is copied as it is", arguments: [true, false])
    func plain(isLarge: Bool) throws {
        let app = try make("", isLarge: isLarge)
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
        let app = try make(Self.twice, isLarge: isLarge)
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
        let app = try NoteApp(entities: "  Note: { key: id }", migrations: ["CREATE TABLE Note(id TEXT, b BLOB);"])
        try app.write(
            NoteApp.local,
            """
            CREATE TABLE Note(id TEXT, b BLOB);
            INSERT INTO Note WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            SELECT nullif(i, 7), zeroblob(\(bytes)) FROM n
            """)
        let error = failure { try app.perform(.copy) }
        #expect(error?.code == .data)
        #expect(error?.message.hasSuffix("1 Note record without a value in 'id'.") == true)
        #expect(app.folder.names(in: "container/Library/Application Support") == ["Notes.store"])
    }

    @Test("orphans are counted and named in either", arguments: [true, false])
    func orphans(isLarge: Bool) throws {
        let app = try make(
            """
            INSERT INTO ExerciseSet VALUES ('lost', 'gone', 'plank', 1, NULL, NULL, 0, '2026-01-01T00:00:00.000Z',
                '2026-01-01T00:00:00.000Z');
            """, isLarge: isLarge)
        let error = failure { try app.perform(.copy) }
        #expect(error?.message == "1 orphan: ExerciseSet.workoutId points nowhere in 'lost'.")
        #expect(!app.folder.exists(TrainLog.cloud))
        let report = try app.perform(.copy) { $0.allowsOrphans = true }
        #expect(report.copy?.orphans == ["ExerciseSet.workoutId": 1])
    }
}
