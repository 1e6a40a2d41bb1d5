import Foundation
package import GodwitTestSupport

/// An app that moves from a Core Data store to a plain SQLite store: manifest, schema and container.
package struct CoreDataApp: ManifestApp {
    package static let local = "container/Library/Application Support/Old.sqlite"
    package static let cloud = "container/Library/Application Support/New.sqlite"
    package static let preferences = "container/Library/Preferences/com.example.old.plist"
    package static let external = "container/Library/Application Support/.Old_SUPPORT/_EXTERNAL_DATA"

    package let folder: TemporaryFolder
    /// The lines below `entities:`.
    package var entities = standardEntities
    /// The lines below `legacy:`; empty for no legacy section.
    package var legacy = """
          settings:
            - { key: unit, into: UserSettings.unit, default: kg }
        """

    /// Entities that cover all of the sample's records, in each form that a manifest supports.
    package static let standardEntities = """
          Workout:
            key: id
            modified: updatedAt
            source:
              entity: Workout
              fields:
                id: { from: id, as: uuid }
                name: { from: name, default: untitled }
                isDone: { from: isDone, as: bool }
                startedAt: { from: startedAt, as: iso8601 }
                updatedAt: { from: updatedAt, as: iso8601 }
                distance: ZDISTANCE
                cost: { from: cost, as: decimal }
                image: { from: image, as: externalData }
          ExerciseSet:
            key: id
            modified: { column: updatedAt, as: coreData }
            belongsTo: { workoutId: Workout }
            source:
              entity: ExerciseSet
              fields:
                id: { from: id, as: uuid }
                workoutId: { from: workout.id, as: uuid }
                reps: reps
                position: Z_FOK_WORKOUT
                updatedAt: updatedAt
          Tag:
            key: id
            source: { entity: Tag, fields: { id: Z_PK, title: title, favoriteOf: { from: favoriteTags.id, as: uuid } } }
          WorkoutTag:
            key: id
            source:
              join: Workout.tags
              fields:
                id: { from: [source.id, target.Z_PK], as: uuid }
                workoutId: { from: source.id, as: uuid }
                tagId: target.Z_PK
                position: order
          UserSettings: { key: id, singleton: singleton, modified: updatedAt }
        """

    /// The tables of `standardEntities`.
    package static let standardSchema = """
        CREATE TABLE Workout(id TEXT PRIMARY KEY, name TEXT NOT NULL, isDone INTEGER, startedAt TEXT, updatedAt TEXT,
          distance REAL, cost TEXT, image BLOB, kind TEXT NOT NULL DEFAULT 'plain');
        CREATE TABLE ExerciseSet(id TEXT PRIMARY KEY, workoutId TEXT REFERENCES Workout(id), reps INTEGER NOT NULL,
          position INTEGER, updatedAt REAL);
        CREATE TABLE Tag(id INTEGER PRIMARY KEY, title TEXT, favoriteOf TEXT);
        CREATE TABLE WorkoutTag(id TEXT PRIMARY KEY, workoutId TEXT, tagId INTEGER, position INTEGER);
        CREATE TABLE UserSettings(id TEXT PRIMARY KEY, unit TEXT, updatedAt TEXT);
        """

    /// - Parameters:
    ///   - sql: what the app's store holds.
    ///   - schema: the first migration.
    ///   - journal: `WAL` leaves all records in the log, as an app that was killed does.
    package init(
        _ sql: String = CoreDataSample.workouts, schema: String = standardSchema, journal: String? = nil,
        preferences: [String: Any] = ["unit": "lb"]
    ) throws {
        folder = try TemporaryFolder()
        for name in ["container/Library/Preferences", "container/Library/Application Support", "migrations", "app"] {
            try folder.makeFolder(name)
        }
        try folder.write(schema, to: "migrations/V0001__create.sql")
        let app = try SampleStore(folder["app/store"], journal: journal, sql)
        try folder.copyStore("app/store", to: Self.local, companions: ["-wal", "-shm"])
        try app.close()
        guard !preferences.isEmpty else { return }
        let list = try PropertyListSerialization.data(fromPropertyList: preferences, format: .binary, options: 0)
        try folder.write(Array(list), to: Self.preferences)
        try folder.setModified(seconds: TrainLog.preferencesWritten, of: Self.preferences)
    }

    package var manifest: String {
        """
        godwit: 1
        app: Old
        container:
          preferences: [Library/Preferences/com.example.old.plist]
          local: { path: Library/Application Support/Old.sqlite, layout: coreData }
          cloud: Library/Application Support/New.sqlite
        schema: migrations
        entities:
        \(entities)
        \(legacy.isEmpty ? "" : "legacy:\n" + legacy)
        copy: { flag: moved }

        """
    }

    /// Lets the app write into its store.
    package func write(_ sql: String) throws { try write(Self.local, sql) }

    /// Rows of the cloud store, read from a copy; each row is one text with storage classes.
    package func cloud(_ sql: String) throws -> [String] {
        try StoreCopy(of: folder[Self.cloud]).store.rows(sql).map { $0.map(\.typed).joined(separator: " | ") }
    }

    /// The contents of the cloud store, for comparison.
    package func contents() throws -> StoreContents { try StoreContents(StoreCopy(of: folder[Self.cloud]).store) }

    /// All files of the local store: main file, log, shared memory, and files next to it.
    package func source() throws -> [String: FolderFingerprint.File] {
        try FolderFingerprint(folder["container"]).files.filter { $0.key.contains("Old") && !$0.key.hasSuffix("plist") }
    }
}
