import GodwitLegacy
import GodwitManifest
import GodwitModel
import Testing

/// Unmapped keys that look like a typing error.
struct NearKeysTests {
    private static let shape = SchemaShape(tables: [
        TableShape(
            name: "Settings",
            columns: ["id", "theme", "weightUnitRaw", "soundEnabled", "updatedAt"].map {
                ColumnShape(name: $0, type: "TEXT")
            }),
        TableShape(name: "FavoriteExercise", columns: [ColumnShape(name: "exerciseId", type: "TEXT")]),
    ])

    private func warnings(rules: [(String, String)], favorites: [String] = [], keys: [String]) throws -> [Warning] {
        var text = """
            godwit: 1
            app: A
            container: { preferences: [p.plist], local: a.store, cloud: b.store }
            schema: S
            entities:
              Settings: { key: id, modified: updatedAt, singleton: one }
              FavoriteExercise: { key: exerciseId }
            legacy:
              settings: [\(rules.map { "{ key: \($0.0), into: Settings.\($0.1) }" }.joined(separator: ", "))]

            """
        text +=
            "  favorites: [\(favorites.map { "{ key: \($0), into: FavoriteExercise.exerciseId }" }.joined(separator: ", "))]\n"
        let manifest = try Manifest.decode(Array(text.utf8), file: "godwit.yaml", sha256: "")
        let ledger = keys.map { key in
            let rule = rules.first { $0.0 == key }
            let into =
                rule.map { "Settings.\($0.1)" } ?? (favorites.contains(key) ? "FavoriteExercise.exerciseId" : nil)
            return RunReport.Legacy.Key(
                key: key, bucket: into == nil ? .unmapped : .migrated, source: "p.plist", into: into)
        }
        return NearKeys(manifest, ledger, shape: Self.shape).warnings()
    }

    @Test(
        "a mapped key that no file has is reported with a similar key",
        arguments: ["weightUnit", "weightunits", "wieghtUnits", "weight-units", "weight_unit", "WeightUnits"])
    func misspelt(_ key: String) throws {
        let found = try warnings(rules: [("weightUnits", "weightUnitRaw"), ("theme", "theme")], keys: ["theme", key])
        #expect(found.map(\.code) == ["keyNotFound"])
        #expect(found.first?.position == GodwitError.Position(file: "godwit.yaml", line: 9, column: 21))
        #expect(
            found.first?.message.contains("'weightUnits'") == true && found.first?.message.contains("'\(key)'") == true)
    }

    @Test(
        "a key without a rule is reported if the rule of its column or entity has a key that no file has",
        arguments: [
            ("weightUnit", "Settings.weightUnitRaw"), ("theme", "Settings.theme"),
            ("favoriteExercises", "FavoriteExercise.exerciseId"),
        ])
    func wrongKey(_ key: String, _ target: String) throws {
        let rules = [("units", "weightUnitRaw"), ("look", "theme")]
        let found = try warnings(rules: rules, favorites: ["starred"], keys: [key])
        #expect(found.map(\.code) == ["keyNotMapped"] && found[0].message.contains(target))
        // A setting that only shares a word with the column may be anything.
        #expect(try warnings(rules: rules, favorites: ["starred"], keys: ["themeHintShown"]).isEmpty)
    }

    @Test(
        "a key with the name of a column is reported if a key of quite another name fills that column",
        arguments: ["soundEnabled", "sound_enabled", "SoundEnabled"])
    func exchanged(_ key: String) throws {
        let found = try warnings(rules: [("launches", "soundEnabled")], keys: ["launches", key])
        #expect(found.map(\.code) == ["keyNotMapped"])
        for part in ["'\(key)'", "`Settings.soundEnabled`", "'launches'"] {
            #expect(found.first?.message.contains(part) == true)
        }
        // The key that fills the column may be a later spelling of the same setting.
        for rule in ["soundOn", "playsSounds", "soundEnabledV2", "enabled"] {
            #expect(try warnings(rules: [(rule, "soundEnabled")], keys: [rule, key]) == [])
        }
        #expect(try warnings(rules: [("launches", "soundEnabled")], keys: ["launches", "soundVolume"]) == [])
    }

    @Test("a list whose name has all words of an entity without favorites is reported")
    func longerName() throws {
        #expect(try warnings(rules: [], keys: ["my_favorite_exercises_sorted"]).map(\.code) == ["keyNotMapped"])
    }

    @Test(
        "a key without a rule is reported if it resembles an unfilled column or an entity without favorites",
        arguments: [
            ("weightUnit", "Settings.weightUnitRaw"), ("weight-unit-raw", "Settings.weightUnitRaw"),
            ("soundOn", "Settings.soundEnabled"), ("UnitOfWeight", "Settings.weightUnitRaw"),
            ("favoriteExercises", "FavoriteExercise.exerciseId"),
            ("favs", "FavoriteExercise.exerciseId"), ("favorites", "FavoriteExercise.exerciseId"),
        ])
    func leftOut(_ key: String, _ target: String) throws {
        let found = try warnings(rules: [("theme", "theme")], keys: ["theme", key])
        #expect(found.map(\.code) == ["keyNotMapped"])
        #expect(found.first?.message.contains(target) == true)
    }

    @Test("keys that every app has, and keys like a filled column, are not reported")
    func others() throws {
        let found = try warnings(
            rules: [("appTheme", "theme"), ("unit", "weightUnitRaw"), ("sound", "soundEnabled")], favorites: ["favs"],
            keys: [
                "appTheme", "unit", "sound", "favs", "themeVersion", "lastLaunch", "weightUnit", "favoriteColor",
                "AppleLanguages", "updatedAt", "id", "lastOpenedAt", "launchCount",
            ])
        #expect(found == [])
    }

    @Test("a mapped key that no file has is not reported without a similar key")
    func missing() throws {
        #expect(
            try warnings(rules: [("theme", "theme"), ("weightUnits", "weightUnitRaw")], keys: ["theme", "lastLaunch"])
                == [])
    }
}
