package import GodwitModel
import GodwitTestSupport

/// Containers in all states in which a run may be stopped.
package enum Shape: String, CaseIterable, Sendable {
    /// The sample: a local store of version 1, no cloud store.
    case container
    /// Both stores, with duplicates and conflicts.
    case twoDevices
    /// Legacy values and no store at all.
    case absentLocal
    /// As `twoDevices`, and some local rows are only in the log.
    case walLocal
    /// As `twoDevices`, and some cloud rows are only in the log.
    case walCloud

    package func make() throws -> TrainLog {
        switch self {
        case .container: return try TrainLog(.container)
        case .twoDevices: return try TrainLog(.twoDevices)
        case .absentLocal:
            let app = try TrainLog(.container)
            try app.folder.remove(TrainLog.local)
            return app
        case .walLocal:
            let app = try TrainLog(.twoDevices)
            try app.leaveInLog(TrainLog.local, Self.newRows("local"))
            return app
        case .walCloud:
            let app = try TrainLog(.twoDevices)
            try app.leaveInLog(TrainLog.cloud, Self.newRows("cloud"))
            return app
        }
    }

    /// A new workout (twice), a new favourite, and three sets that also exist in an older version.
    private static func newRows(_ name: String) -> String {
        """
        INSERT INTO Workout(id, title, startedAt, createdAt, updatedAt)
          VALUES ('only-in-log-\(name)', 'Log', '2026-11-20', '2026-11-20', '2026-11-20T10:00:00.000Z');
        INSERT INTO Workout SELECT * FROM Workout WHERE id = 'only-in-log-\(name)';
        INSERT INTO ExerciseSet(id, workoutId, exerciseId, position, createdAt, updatedAt)
          SELECT id, workoutId, 'older', 1, createdAt, '2020-01-01T00:00:00Z' FROM ExerciseSet LIMIT 3;
        INSERT INTO FavoriteExercise(exerciseId, createdAt) VALUES ('plank', '2026-11-20T10:00:00.000Z');
        """
    }

    /// The fault points that a run of this container passes.
    package var faultPoints: Set<FaultPoint> {
        let copy: Set<FaultPoint> = [.beforeCopyCommit, .afterCopyCommit, .beforeFlag, .afterFlag, .beforeLegacyCommit]
        return switch self {
        case .container, .absentLocal: copy.union([.beforeSchemaCommit, .beforeRenameIntoPlace])
        case .twoDevices, .walLocal, .walCloud: copy.union([.beforeDedupeCommit])
        }
    }
}
