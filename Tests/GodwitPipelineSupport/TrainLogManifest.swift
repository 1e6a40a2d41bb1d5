package import GodwitModel

/// A manifest for TrainLog's schema with the parts that tests vary.
package struct TrainLogManifest {
    package var preferences: [String]
    package var conflicts: [String: ConflictRule] = [:]
    /// Whether favourites are added to the existing ones.
    package var mergesFavorites: Bool
    package var historyKept: Int
    /// A folder with other schema files than TrainLog's.
    package var schema = Repository.path("Migrations/trainlog")
    /// The store layout in the container section, if any.
    package var layout: StoreLayout?

    package init(
        preferences: [String] = ["Library/Preferences/com.example.trainlog.plist"], mergesFavorites: Bool = false,
        historyKept: Int = 10, layout: StoreLayout? = nil
    ) {
        (self.preferences, self.mergesFavorites) = (preferences, mergesFavorites)
        (self.historyKept, self.layout) = (historyKept, layout)
    }

    private func rule(_ entity: String, _ usual: ConflictRule) -> String {
        "conflict: \((conflicts[entity] ?? usual).rawValue)"
    }

    private var local: String {
        let path = "Library/Application Support/TrainLog.store"
        guard let layout else { return path }
        return "{ path: \(path), layout: \(layout.rawValue) }"
    }

    package var text: String {
        """
        godwit: 1
        app: TrainLog
        container:
          preferences: [\(preferences.joined(separator: ", "))]
          local: \(local)
          cloud: Library/Application Support/TrainLogCloud.store
          syncEvents: Library/Application Support/sync-events.jsonl
        schema: \(schema)
        entities:
          Workout: { key: id, modified: updatedAt, \(rule("Workout", .keepNewest)) }
          ExerciseSet:
            { key: id, modified: updatedAt, belongsTo: { workoutId: Workout }, \(rule("ExerciseSet", .keepNewest)) }
          FavoriteExercise: { key: exerciseId, modified: createdAt, \(rule("FavoriteExercise", .keepEarliest)) }
          UserSettings:
            { key: id, modified: updatedAt, singleton: singleton, \(rule("UserSettings", .keepNewest)) }
        legacy:
          settings:
            - { key: weightUnit, into: UserSettings.weightUnitRaw, values: { kg: kg, lb: lb, pounds: lb }, default: kg }
            - { key: appTheme, into: UserSettings.theme, default: system }
            - { key: restTimer, into: UserSettings.restTimerSeconds, default: 90 }
            - { key: soundOn, into: UserSettings.soundEnabled, default: true }
          favorites:
            - key: favoriteExercises
              into: FavoriteExercise.exerciseId
              mode: \(mergesFavorites ? "merge" : "onlyIntoEmpty")
          localOnly: [hasSeenTutorial]
        copy: { flag: cloudMigrationDone }
        export:
          schemaVersion: 1
          freshness: { warnAfter: 12h, errorAfter: 48h }
        history: { keep: \(historyKept) }

        """
    }
}
