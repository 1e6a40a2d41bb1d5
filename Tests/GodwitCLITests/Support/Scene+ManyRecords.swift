import GodwitTestSupport

extension Scene {
    /// Adds 20,000 workouts, `large-00000001` and so on, to the local store: about 8 MB with their indexes.
    func addManyWorkouts() throws {
        let store = try open(Self.local)
        try store.execute(
            """
            INSERT INTO Workout(id, title, notes, startedAt, createdAt, updatedAt)
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000)
            SELECT printf('large-%08d', x), 'Legs', printf('%.300c', 'n'), '2026-01-01T00:00:00Z',
              '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z' FROM n
            """)
        try store.close()
    }
}
