import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport

/// What must become of the records of a generated container, by a model that shares no code with Godwit.
///
/// It knows each record's instant from its making and reads no date.
struct ExpectedMerge {
    /// For each entity, key to the marker of the record that must be in the cloud store in the end.
    private(set) var winners: [String: [String: String]] = [:]

    init(_ container: GeneratedContainer) {
        for entity in ReportTests.entities {
            let rule =
                container.manifest.conflicts[entity] ?? (entity == "FavoriteExercise" ? .keepEarliest : .keepNewest)
            let local = Self.dedupe((container.local ?? []) + container.legacyRecords, entity, rule)
            let cloud = Self.dedupe(container.cloud ?? [], entity, rule)
            var merged = cloud
            for (key, mine) in local {
                guard let theirs = cloud[key] else {
                    merged[key] = mine
                    continue
                }
                merged[key] = Self.isKept(mine, over: theirs, rule) ? mine : theirs
            }
            winners[entity] = merged.mapValues(\.marker)
        }
    }

    /// Key to winner; a singleton's is always called `singleton`.
    private static func dedupe(
        _ records: [SampleRecord], _ entity: String, _ rule: ConflictRule
    ) -> [String: SampleRecord] {
        var best: [String: SampleRecord] = [:]
        for record in records where record.entity == entity {
            let slot = entity == "UserSettings" ? "singleton" : record.key
            guard let other = best[slot] else {
                best[slot] = record
                continue
            }
            if isFirst(record, other, rule) { best[slot] = record }
        }
        return best
    }

    private static func isFirst(_ a: SampleRecord, _ b: SampleRecord, _ rule: ConflictRule) -> Bool {
        let (x, y) = (a.date ?? .min, b.date ?? .min)
        if x != y { return rule == .keepEarliest ? x < y : x > y }
        if a.key != b.key { return a.key < b.key }
        // Columns in the order of their names: a favourite's date comes before its note, elsewhere the marker first.
        if a.entity == "FavoriteExercise", a.dateText != b.dateText { return (a.dateText ?? "") < (b.dateText ?? "") }
        return a.marker < b.marker
    }

    private static func isKept(_ mine: SampleRecord, over theirs: SampleRecord, _ rule: ConflictRule) -> Bool {
        switch rule {
        case .keepCloud: return false
        case .keepLocal: return true
        case .keepNewest, .keepEarliest:
            let (x, y) = (mine.date ?? .min, theirs.date ?? .min)
            return rule == .keepNewest ? x > y : x < y
        }
    }
}

extension GeneratedContainer {
    /// The records that the legacy values must become, given what the local store holds.
    var legacyRecords: [SampleRecord] {
        guard let preferences else { return [] }
        let keys = Set(preferences.keys)
        let mapped: Set = ["weightUnit", "appTheme", "restTimer", "soundOn", "favoriteExercises"]
        guard !keys.isDisjoint(with: mapped) else { return [] }
        let written = min(fileDate, Instant.sampleNow.milliseconds)
        return settings(preferences, written) + favoriteRecords(written)
    }

    private var fileDate: Int64 {
        let seconds = (try? app.fingerprint().files["Library/Preferences/com.example.trainlog.plist"])?.modifiedSeconds
        return (seconds ?? 0) * 1000
    }

    private func settings(_ preferences: [String: Preference], _ written: Int64) -> [SampleRecord] {
        guard !(local ?? []).contains(where: { $0.entity == "UserSettings" }) else { return [] }
        let isTaken = preferences.contains { key, value in
            switch key {
            case "weightUnit": value != .string("stone")
            case "restTimer": value == .integer(75)
            case "appTheme", "soundOn": true
            default: false
            }
        }
        let theme = preferences["appTheme"] == nil ? "system" : "legacy theme"
        return [
            SampleRecord(
                entity: "UserSettings", key: "singleton", marker: theme, date: isTaken ? written : 0, dateText: nil)
        ]
    }

    private func favoriteRecords(_ written: Int64) -> [SampleRecord] {
        let present = (local ?? []).filter { $0.entity == "FavoriteExercise" }.map(\.key)
        guard present.isEmpty || manifest.mergesFavorites else { return [] }
        let date = favoritesEncoding == .dates ? min(Favorites.marked * 1000, Instant.sampleNow.milliseconds) : written
        return favorites.filter { !present.contains($0) }.map {
            SampleRecord(entity: "FavoriteExercise", key: $0, marker: "NULL", date: date, dateText: nil)
        }
    }
}
