import GodwitPipelineSupport
import GodwitTestSupport

/// A local store that was never deduped, small, or large enough to be looked over in other threads.
enum UndedupedStore {
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
    /// A second record of a workout, and one of a favourite.
    static let twice = """
        INSERT INTO Workout VALUES ('W-1', 'Pull', NULL, '2026-01-01T00:00:00.000Z', 60, '2026-01-01T00:00:00.000Z',
            '2026-01-02T00:00:00.000Z');
        INSERT INTO FavoriteExercise VALUES ('plank', 'again', '2026-01-03T00:00:00.000Z');
        """

    /// One workout and one favourite, what the SQL adds, and in a large one 12,000 sets.
    static func make(_ sql: String, isLarge: Bool) throws -> TrainLog {
        let app = try TrainLog()
        try app.make(TrainLog.local, plain + sql + (isLarge ? filler : ""))
        return app
    }

    /// 2,000 notes of a size, of which one has no key.
    static func makeWithoutKey(bytes: Int) throws -> NoteApp {
        let app = try NoteApp(entities: "  Note: { key: id }", migrations: ["CREATE TABLE Note(id TEXT, b BLOB);"])
        try app.write(
            NoteApp.local,
            """
            CREATE TABLE Note(id TEXT, b BLOB);
            INSERT INTO Note WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            SELECT nullif(i, 7), zeroblob(\(bytes)) FROM n
            """)
        return app
    }
}
