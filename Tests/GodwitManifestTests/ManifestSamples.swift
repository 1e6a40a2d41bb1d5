import GodwitManifest
import GodwitModel
import Testing

/// Manifests for tests, and helpers for texts in which `§` marks the expected position of an error.
enum ManifestSamples {
    /// The sample of the design document.
    static let trainLog = """
        godwit: 1                                    # manifest format
        app: TrainLog
        container:
          preferences:                               # first file that has a key wins; the report names the file
            - Library/Preferences/com.example.trainlog.plist
          local:  Library/Application Support/TrainLog.store
          cloud:  Library/Application Support/TrainLogCloud.store
          syncEvents: Library/Application Support/sync-events.jsonl      # optional
        schema: ../../Migrations/trainlog            # V0001__create_store.sql ... relative to this file
        entities:
          Workout:          { key: id, modified: updatedAt }
          ExerciseSet:      { key: id, modified: updatedAt, belongsTo: { workoutId: Workout } }
          FavoriteExercise: { key: exerciseId, modified: createdAt, conflict: keepEarliest }
          UserSettings:     { key: id, modified: updatedAt, singleton: singleton }
        legacy:
          settings:
            - key: weightUnit
              into: UserSettings.weightUnitRaw
              values: { kg: kg, lb: lb, pounds: lb } # optional value map
              default: kg
          favorites:
            - key: favoriteExercises
              into: FavoriteExercise.exerciseId      # encoding: auto | array | json
          localOnly: [hasSeenTutorial]               # stays where it is, by intent
        copy: { flag: cloudMigrationDone }
        export:
          schemaVersion: 1
          freshness: { warnAfter: 12h, errorAfter: 48h }
        history: { keep: 10 }
        """

    /// The smallest valid manifest.
    static let smallest = """
        godwit: 1
        app: Notes
        container: { preferences: [p.plist], local: a.store, cloud: b.store }
        schema: schema
        entities: { Note: { key: id } }
        """

    static func decode(_ text: String, file: String = "godwit.yaml") throws(GodwitError) -> Manifest {
        try Manifest.decode(Array(text.utf8), file: file, sha256: "00")
    }

    /// The sample with one piece replaced; the piece must occur exactly once.
    static func trainLog(_ old: String, _ new: String) throws -> String {
        let parts = split(trainLog, at: old)
        try #require(parts.count == 2, "\(old) must occur once in the sample")
        return parts.joined(separator: new)
    }

    /// Removes the marks `§` from a text, and returns the position of the first as `line:column`.
    static func unmarked(_ text: String) throws -> (text: String, place: String) {
        let parts = split(text, at: "§")
        try #require(parts.count == 2, "one mark in \(text)")
        var (line, column) = (1, 1)
        for scalar in parts[0].unicodeScalars {
            if scalar == "\n" { (line, column) = (line + 1, 1) } else { column += 1 }
        }
        return (parts.joined(), "\(line):\(column)")
    }

    private static func split(_ text: String, at separator: String) -> [String] {
        var parts: [[UInt8]] = [[]]
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if rest.starts(with: separator.utf8) {
                parts.append([])
                rest = rest.dropFirst(separator.utf8.count)
            } else {
                parts[parts.count - 1].append(byte)
                rest = rest.dropFirst()
            }
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Expects a text to be rejected at its mark, with code 78 and these words in the message or hint.
func expectRefusal(_ marked: String, _ words: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let (text, place) = try ManifestSamples.unmarked(marked)
    try expectRefusal(Array(text.utf8), at: place, words, sourceLocation: sourceLocation)
}

/// The same for bytes and a position.
func expectRefusal(
    _ bytes: [UInt8], at place: String, _ words: [String], sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let error = try #require(throws: GodwitError.self, sourceLocation: sourceLocation) {
        try Manifest.decode(bytes, file: "godwit.yaml", sha256: "")
    }
    #expect(error.code == .manifest, sourceLocation: sourceLocation)
    #expect(error.stage == .manifest, sourceLocation: sourceLocation)
    #expect(error.message.hasPrefix("godwit.yaml:\(place): "), "\(error)", sourceLocation: sourceLocation)
    #expect(
        !error.description.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, sourceLocation: sourceLocation)
    for word in words {
        #expect(error.description.contains(word), "\(word): \(error)", sourceLocation: sourceLocation)
    }
}
