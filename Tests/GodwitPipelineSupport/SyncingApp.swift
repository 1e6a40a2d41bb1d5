package import Godwit
package import GodwitModel
package import GRDB
import GodwitTestSupport

/// TrainLog while it runs: its cloud store is open, and a sync engine records by temporary triggers what to send.
///
/// As in sync engines built on GRDB, only the app's connection has the triggers, they write into a separate store
/// attached to it, foreign keys are off, and commits need not reach the disk at once.
package final class SyncingApp: Sendable {
    /// How an app may have the store open.
    package enum Opening: String, CaseIterable, Sendable {
        case queue, queueWithLog, pool
    }

    package static let entities = ["Workout", "ExerciseSet", "FavoriteExercise", "UserSettings"]

    package let app: TrainLog
    package let database: any DatabaseWriter

    /// Opens the cloud store of an app, which must exist.
    ///
    /// - Parameter triggers: more triggers, each as `CREATE TEMP TRIGGER …`.
    package init(_ app: TrainLog, _ opening: Opening, triggers: String = "") throws {
        self.app = app
        let notes = app.folder["sync-notes"]
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            if opening == .queueWithLog { try database.execute(sql: "PRAGMA journal_mode=WAL") }
            try database.execute(sql: "PRAGMA synchronous=NORMAL")
            // A pool's readers have no triggers.
            guard !database.configuration.readonly else { return }
            try database.execute(sql: "ATTACH ? AS sync", arguments: [notes])
            try database.execute(sql: "CREATE TABLE IF NOT EXISTS sync.outbox(entity, what)")
            // Like the engines' own triggers, these ask the app whether the engine is writing.
            database.add(function: DatabaseFunction("isSending", argumentCount: 0) { _ in false })
            for entity in try Self.entities.filter({ try database.tableExists($0, in: "main") }) {
                for what in ["INSERT", "UPDATE", "DELETE"] {
                    try database.execute(
                        sql: """
                            CREATE TEMP TRIGGER sync_\(what)_\(entity) AFTER \(what) ON main.\(entity)
                            WHEN NOT isSending() BEGIN
                              WITH sent(n) AS (SELECT 1) SELECT RAISE(ABORT, 'not now') FROM sent WHERE isSending();
                              INSERT INTO outbox VALUES ('\(entity)', '\(what)');
                              UPDATE outbox SET entity = entity WHERE rowid = last_insert_rowid();
                            END
                            """)
                }
            }
            try database.execute(sql: triggers)
        }
        let path = app.folder[TrainLog.cloud]
        switch opening {
        case .queue, .queueWithLog: database = try DatabaseQueue(path: path, configuration: configuration)
        case .pool: database = try DatabasePool(path: path, configuration: configuration)
        }
    }

    /// A pipeline that is given the open store.
    package func migration(_ change: (inout MigrationOptions) -> Void = { _ in }) throws -> Migration {
        try app.migration(cloud: .database(database), change)
    }

    /// Runs a command for real, or as a dry run.
    @discardableResult
    package func perform(
        _ command: Command = .run, dryRun: Bool = false, options change: (inout MigrationOptions) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws -> RunReport {
        try migration(change).perform(command, dryRun: dryRun, faultPoint: faultPoint)
    }

    /// The number of changes that the engine recorded for an entity.
    package func noted(_ what: String, of entity: String) throws -> Int64 {
        try database.writeWithoutTransaction { database in
            try Int64.fetchOne(
                database, sql: "SELECT count(*) FROM sync.outbox WHERE entity = ? AND what = ?",
                arguments: [entity, what]) ?? 0
        }
    }

    /// The number of all recorded changes.
    package func countNotes() throws -> Int {
        try database.writeWithoutTransaction { try Int.fetchOne($0, sql: "SELECT count(*) FROM sync.outbox") ?? 0 }
    }

    /// The settings of the connection, and everything on it that doesn't belong to the store.
    package func state() throws -> [String] {
        try database.writeWithoutTransaction { database in
            let settings = try [
                "foreign_keys", "synchronous", "trusted_schema", "recursive_triggers", "busy_timeout",
                "legacy_alter_table", "ignore_check_constraints",
            ]
            .map {
                "\($0) \(try Int.fetchOne(database, sql: "PRAGMA \($0)") ?? -1)"
            }
            let objects = try String.fetchAll(
                database, sql: "SELECT type || ' ' || name FROM sqlite_temp_master ORDER BY name")
            let stores = try Row.fetchAll(database, sql: "PRAGMA database_list").map { "store \($0["name"] as String)" }
            let functions = try String.fetchAll(
                database, sql: "SELECT name FROM pragma_function_list WHERE name LIKE 'godwit%'")
            // PRAGMA collation_list also lists removed collations.
            let order = try? Int.fetchOne(database, sql: "SELECT 'a' < 'b' COLLATE godwit_bytes")
            return settings + objects + stores + functions + (order == nil ? [] : ["a collation"])
        }
    }
}
