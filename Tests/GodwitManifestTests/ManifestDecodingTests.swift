import GodwitManifest
import GodwitModel
import Testing

struct ManifestDecodingTests {
    @Test("the sample manifest decodes to exactly its values")
    func sample() throws {
        let file = "SampleData/trainlog/godwit.yaml"
        let manifest = try Manifest.decode(Array(ManifestSamples.trainLog.utf8), file: file, sha256: "ab12")
        #expect(manifest.app == "TrainLog")
        #expect(manifest.file == file)
        #expect(manifest.sha256 == "ab12")
        #expect(manifest.container.preferences == ["Library/Preferences/com.example.trainlog.plist"])
        #expect(manifest.container.local == "Library/Application Support/TrainLog.store")
        #expect(manifest.container.localLayout == .sqlite)
        #expect(manifest.container.cloud == "Library/Application Support/TrainLogCloud.store")
        #expect(manifest.container.syncEvents == "Library/Application Support/sync-events.jsonl")
        #expect(manifest.schemaDirectory == "SampleData/trainlog/../../Migrations/trainlog")
        #expect(manifest.copy.flag == "cloudMigrationDone")
        #expect(manifest.export.schemaVersion == 1)
        #expect(manifest.export.warnAfter?.description == "12h")
        #expect(manifest.export.errorAfter?.seconds == 172_800)
        #expect(manifest.historyKept == 10)
    }

    @Test("a preferences file is a path, or a mapping that says if users may lack it")
    func optionalPreferences() throws {
        let text = ManifestSamples.smallest.replacing(
            "[p.plist]", with: "[a.plist, { path: b.plist, optional: true }, { path: c.plist, optional: false }]")
        let container = try ManifestSamples.decode(text).container
        #expect(container.preferences == ["a.plist", "b.plist", "c.plist"])
        #expect(container.optionalPreferences == ["b.plist"])
        #expect(container.isOptional("b.plist") && !container.isOptional("c.plist"))
        for (item, part) in [
            ("{ optional: true }", "missing key `path`"),
            ("{ path: b, optional: yes }", "`container.preferences[0].optional`"),
            ("{ path: b, optionl: true }", "unknown key `optionl`"), ("{ path: /b }", "is absolute"),
            ("{ path: a.store }", "container.local"),
        ] {
            let wrong = ManifestSamples.smallest.replacing("[p.plist]", with: "[\(item)]")
            let error = try #require(throws: GodwitError.self) { try ManifestSamples.decode(wrong) }
            #expect(error.message.contains(part), "\(error.message)")
        }
    }

    @Test("the entities of the sample manifest keep the order of the file and all rules")
    func entities() throws {
        let entities = try ManifestSamples.decode(ManifestSamples.trainLog).entities
        #expect(entities.map(\.name) == ["Workout", "ExerciseSet", "FavoriteExercise", "UserSettings"])
        #expect(entities.map(\.key) == ["id", "id", "exerciseId", "id"])
        #expect(entities.map(\.modified?.column) == ["updatedAt", "updatedAt", "createdAt", "updatedAt"])
        #expect(entities.allSatisfy { $0.modified?.encoding == nil })
        #expect(entities.map(\.belongsTo) == [[], [Reference(column: "workoutId", parent: "Workout")], [], []])
        #expect(entities.map(\.conflict) == [.keepNewest, .keepNewest, .keepEarliest, .keepNewest])
        #expect(entities.map(\.singleton) == [nil, nil, nil, "singleton"])
    }

    @Test("the legacy rules of the sample manifest are decoded")
    func legacy() throws {
        let legacy = try ManifestSamples.decode(ManifestSamples.trainLog).legacy
        let setting = try #require(legacy.settings.first)
        #expect(legacy.settings.count == 1)
        #expect((setting.key, setting.entity, setting.column) == ("weightUnit", "UserSettings", "weightUnitRaw"))
        #expect(setting.values?.map(\.from) == ["kg", "lb", "pounds"])
        #expect(setting.values?.map(\.to) == [.string("kg"), .string("lb"), .string("lb")])
        #expect(setting.defaultValue == .string("kg"))
        let favorites = try #require(legacy.favorites.first)
        #expect(
            (favorites.key, favorites.entity, favorites.column) == (
                "favoriteExercises", "FavoriteExercise", "exerciseId"
            ))
        #expect(favorites.encoding == .auto)
        #expect(favorites.mode == .onlyIntoEmpty)
        #expect(legacy.localOnly == ["hasSeenTutorial"])
    }

    @Test("the smallest manifest has the default values")
    func defaults() throws {
        let manifest = try ManifestSamples.decode(ManifestSamples.smallest)
        #expect(manifest.container.syncEvents == nil)
        #expect(manifest.schemaDirectory == "schema")
        #expect(
            manifest.legacy.settings.isEmpty && manifest.legacy.favorites.isEmpty && manifest.legacy.localOnly.isEmpty)
        #expect(manifest.copy.flag == "cloudMigrationDone")
        #expect(manifest.export.schemaVersion == 1)
        #expect(manifest.export.warnAfter == nil && manifest.export.errorAfter == nil)
        #expect(manifest.historyKept == 10)
    }

    @Test(
        "the schema folder is relative to the manifest, or absolute",
        arguments: [
            ("godwit.yaml", "m", "m"), ("./godwit.yaml", "m", "./m"), ("a/b/godwit.yaml", "../m", "a/b/../m"),
            ("/godwit.yaml", "m", "/m"), ("a/godwit.yaml", "/srv/m", "/srv/m"), ("a/g.yaml", "~m", "a/~m"),
        ])
    func schemaFolder(file: String, schema: String, expected: String) throws {
        let text = ManifestSamples.smallest.split(separator: "\n").map {
            $0.hasPrefix("schema:") ? "schema: \"\(schema)\"" : String($0)
        }
        #expect(try ManifestSamples.decode(text.joined(separator: "\n"), file: file).schemaDirectory == expected)
    }

    @Test("a local store may name its layout")
    func layout() throws {
        let text = try ManifestSamples.trainLog(
            "local:  Library/Application Support/TrainLog.store",
            "local: { path: Library/Application Support/TrainLog.store, layout: coreData }")
        let container = try ManifestSamples.decode(text).container
        #expect(container.local == "Library/Application Support/TrainLog.store")
        #expect(container.localLayout == .coreData)
    }

    @Test("modified may name its date encoding", arguments: InstantEncoding.allCases)
    func modified(encoding: InstantEncoding) throws {
        let text = try ManifestSamples.trainLog(
            "modified: createdAt", "modified: { column: at, as: \(encoding.rawValue) }")
        let modified = try ManifestSamples.decode(text).entity(named: "FavoriteExercise")?.modified
        #expect(modified == ModifiedColumn(column: "at", encoding: encoding))
    }

    @Test("favorites may name their encoding and mode", arguments: FavoritesEncoding.allCases, FavoritesMode.allCases)
    func favourites(encoding: FavoritesEncoding, mode: FavoritesMode) throws {
        let text = try ManifestSamples.trainLog(
            "- key: favoriteExercises",
            "- key: favoriteExercises\n      encoding: \(encoding.rawValue)\n      mode: \(mode.rawValue)")
        let rule = try #require(try ManifestSamples.decode(text).legacy.favorites.first)
        #expect(rule.encoding == encoding)
        #expect(rule.mode == mode)
    }

    @Test("conflict accepts one of four rules", arguments: ConflictRule.allCases)
    func conflict(rule: ConflictRule) throws {
        let text = try ManifestSamples.trainLog("conflict: keepEarliest", "conflict: \(rule.rawValue)")
        #expect(try ManifestSamples.decode(text).entity(named: "FavoriteExercise")?.conflict == rule)
    }

    @Test("an entity may belong to itself, and parents come before children in any order of the file")
    func order() throws {
        let text = try ManifestSamples.trainLog(
            "  Workout:          { key: id, modified: updatedAt }\n",
            """
              Note: { key: id, belongsTo: { parentId: Note, setId: ExerciseSet } }
              Workout: { key: id, belongsTo: { planId: Plan } }
              Plan: { key: id }

            """)
        let manifest = try ManifestSamples.decode(text)
        #expect(manifest.entities.map(\.name).prefix(3) == ["Note", "Workout", "Plan"])
        #expect(
            manifest.entitiesParentsFirst.map(\.name)
                == ["Plan", "Workout", "ExerciseSet", "Note", "FavoriteExercise", "UserSettings"])
    }

    @Test("every part of a manifest has its position")
    func positions() throws {
        let manifest = try ManifestSamples.decode(ManifestSamples.trainLog)
        #expect(manifest.position(of: "app") == SourcePosition(line: 2, column: 6))
        #expect(manifest.position(of: "app#key") == SourcePosition(line: 2, column: 1))
        #expect(manifest.position(of: "entities.Workout#key") == SourcePosition(line: 11, column: 3))
        #expect(manifest.position(of: "entities.Workout.key") == SourcePosition(line: 11, column: 28))
        #expect(manifest.position(of: "legacy.settings[0].into") == SourcePosition(line: 18, column: 13))
        #expect(manifest.position(of: "legacy.localOnly[0]") == SourcePosition(line: 24, column: 15))
        #expect(manifest.position(of: "entities.Workout.singleton.x[3]") == manifest.position(of: "entities.Workout"))
        #expect(manifest.position(of: "nowhere") == SourcePosition(line: 1, column: 1))
        let error = manifest.refusal(of: "history.keep", "Too many.", hint: "Fewer.")
        #expect(error.message == "godwit.yaml:29:18: Too many.")
        #expect(error.hint == "Fewer." && error.code == .manifest)
    }
}
