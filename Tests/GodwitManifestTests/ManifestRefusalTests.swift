import GodwitModel
import Testing

/// One piece of the sample, its replacement (`§` marks the expected position), and words of the message.
struct BadPiece: Sendable, CustomTestStringConvertible {
    let old: String
    let new: String
    let words: [String]

    init(_ old: String, _ new: String, _ words: String...) {
        (self.old, self.new, self.words) = (old, new, words)
    }

    var testDescription: String { new }

    func check() throws { try expectRefusal(try ManifestSamples.trainLog(old, new), words) }
}

/// Valid YAML that is no valid manifest is rejected at its position.
struct ManifestRefusalTests {
    @Test(
        "an invalid top level of a manifest is rejected",
        arguments: [
            BadPiece("godwit: 1 ", "godwit: §2 ", "format 2", "reads format 1", "newer Godwit"),
            BadPiece("godwit: 1 ", "godwit: §0 ", "format number"),
            BadPiece("godwit: 1 ", "godwit: §\"1\" ", "format number"),
            BadPiece("godwit: 1 ", "godwit: §1.0 ", "format number"),
            BadPiece("godwit: 1 ", "godwit: §[1] ", "format number"),
            BadPiece("godwit: 1 ", "§godwitt: 1 ", "missing key `godwit`"),
            BadPiece("app: TrainLog\n", "app: §12\n", "must be text", "an integer", "quotes"),
            BadPiece("app: TrainLog\n", "app: §true\n", "must be text", "a boolean"),
            BadPiece("app: TrainLog\n", "app: §\"\"\n", "`app` is empty"),
            BadPiece("app: TrainLog\n", "app: §~\n", "nothing", "remove the key"),
            BadPiece("app: TrainLog\n", "app: §[TrainLog]\n", "must be text", "a list"),
            BadPiece("app: TrainLog\n", "app: §\"a\\tb\"\n", "control character U+0009"),
            BadPiece("app: TrainLog\n", "§ap: TrainLog\n", "unknown key `ap`", "Did you mean `app`?"),
            BadPiece("schema: ../../Migrations/trainlog", "schema: §{ a: b }", "`schema` must be text", "a mapping"),
            BadPiece("schema: ../../Migrations/trainlog", "schema: §\"a\\0b\"", "U+0000"),
            BadPiece("history: { keep: 10 }", "history: {}\n§histroy: {}", "histroy", "Did you mean `history`?"),
            BadPiece("history: { keep: 10 }", "§colour: red", "unknown key `colour`", "Use one of", "`export`"),
            BadPiece("history: { keep: 10 }", "§\"\\e[31mred\": 1", "unknown key `\\u{1b}[31mred`"),
        ])
    func top(bad: BadPiece) throws { try bad.check() }

    private static let folder = "Library/Application Support/"
    private static let cloud = "Library/Application Support/TrainLogCloud.store"
    private static let local = "  local:  Library/Application Support/TrainLog.store\n"

    @Test(
        "a container path that is unsafe is rejected",
        arguments: [
            ("'/var/TrainLog.store'", "is absolute"), ("../TrainLog.store", "leaves the container"),
            ("Library/../../TrainLog.store", "leaves the container"), ("Library/..", "leaves the container"),
            ("Library//TrainLog.store", "empty part"), ("Library/", "empty part"), ("./TrainLog.store", "part `.`"),
            ("'~/TrainLog.store'", "part `~`"), ("Library/.godwit-tmp-12345678", "reserved"),
            ("Library/.Godwit-x/TrainLog.store", "reserved"), ("'Library\\..\\TrainLog.store'", "backslash"),
            ("\"Library/a\\0.store\"", "U+0000"), ("\"Library/a\\n.store\"", "U+000A"), ("''", "is empty"),
            ("[a]", "must be text"), ("7", "must be text"), ("{ layout: sqlite }", "missing key `path`"),
        ])
    func unsafePath(path: String, word: String) throws {
        try BadPiece(Self.local, "  local: §\(path)\n", word, "container.local").check()
    }

    @Test(
        "another invalid value under container is rejected",
        arguments: [
            BadPiece(local, "  local: Library/a\n  §locl: b\n", "unknown key `locl`", "`local`"),
            BadPiece(local, "  local: { path: a, §source: b }\n", "unknown key `source`", "`container.local`"),
            BadPiece(local, "  local: { path: a, layout: §swiftData }\n", "can't be `swiftData`", "`coreData`"),
            BadPiece(local, "  local: { path: a, layout: §coredata }\n", "Did you mean `coreData`?"),
            BadPiece(local, "  local: §Library/Preferences/com.example.trainlog.plist\n", "the same file"),
            BadPiece(cloud, "§\(folder)TrainLog.store", "the same file", "container.local"),
            BadPiece(cloud, "§\(folder)trainlog.STORE", "the same file"),
            BadPiece(cloud, "§\(folder)TrainLog.store-wal", "SQLite makes next to"),
            BadPiece(cloud, "§\(folder)TrainLog.store/inner", "is inside"),
            BadPiece(cloud, "§Library/Application Support", "contains"),
            BadPiece("    - Library/Preferences/com.example.trainlog.plist", "    §[]", "1 to 100 files"),
            BadPiece(
                "    - Library/Preferences/com.example.trainlog.plist", "    - a.plist\n    - §a.plist", "the same file"
            ),
            BadPiece("    - Library/Preferences/com.example.trainlog.plist", "    §a.plist", "must be a list"),
            BadPiece("    - Library/Preferences/com.example.trainlog.plist", "    - { §a: b }", "unknown key `a`"),
            BadPiece(
                "syncEvents: Library/Application Support/sync-events.jsonl",
                "syncEvents: §Library/Application Support/TrainLog.store", "the same file"),
        ])
    func container(bad: BadPiece) throws { try bad.check() }

    @Test(
        "an invalid entity is rejected",
        arguments: [
            BadPiece("{ key: id, modified: updatedAt }\n  Ex", "§{ modified: updatedAt }\n  Ex", "missing key `key`"),
            BadPiece("  Workout:  ", "  Workout: §id #", "`entities.Workout` must be a mapping"),
            BadPiece("  Workout:  ", "  §godwit_run: { key: id }\n  Workout:  ", "begins with `godwit_`"),
            BadPiece("  Workout:  ", "  §SQLITE_master: { key: id }\n  Workout:  ", "begins with `sqlite_`"),
            BadPiece("  Workout:  ", "  §\"\": { key: id }\n  Workout:  ", "an empty name in `entities`"),
            BadPiece("  UserSettings: ", "  §WORKOUT: { key: id }\n  UserSettings: ", "given twice", "letter case"),
            BadPiece("  UserSettings: ", "  §Workout: { key: id }\n  UserSettings: ", "given twice", "line 11"),
            BadPiece("conflict: keepEarliest", "conflict: §keepearliest", "Did you mean `keepEarliest`?"),
            BadPiece("conflict: keepEarliest", "conflict: §ask", "`keepNewest`", "`keepCloud`"),
            BadPiece("conflict: keepEarliest", "§modifed: x", "unknown key `modifed`", "Did you mean `modified`?"),
            BadPiece("conflict: keepEarliest", "source: §{ entity: x }", "layout `coreData`"),
            BadPiece("singleton: singleton", "singleton: §\"\"", "is empty"),
            BadPiece("singleton: singleton", "singleton: §1", "must be text", "quotes"),
            BadPiece("singleton: singleton", "singleton: §true", "must be text"),
            BadPiece("key: exerciseId", "key: §''", "is empty"),
            BadPiece("key: exerciseId", "key: §[a, b]", "must be text"),
            BadPiece("key: exerciseId", "key: §godwit_id", "begins with `godwit_`"),
            BadPiece("modified: createdAt", "modified: §ExerciseID", "is the key"),
            BadPiece("modified: createdAt", "modified: §{ as: iso8601 }", "missing key `column`"),
            BadPiece("modified: createdAt", "modified: { column: a, as: §iso8061 }", "Did you mean `iso8601`?"),
            BadPiece("modified: createdAt", "modified: { column: a, as: §seconds }", "`unixSeconds`"),
            BadPiece("modified: createdAt", "modified: { column: a, §unit: s }", "unknown key `unit`"),
            BadPiece(
                "belongsTo: { workoutId: Workout }", "belongsTo: { workoutId: §Workuot }", "Did you mean `Workout`"),
            BadPiece(
                "belongsTo: { workoutId: Workout }", "belongsTo: { workoutId: §Plan }",
                "not an entity of this manifest", "Add it"),
            BadPiece("belongsTo: { workoutId: Workout }", "belongsTo: §Workout", "must be a mapping"),
            BadPiece("belongsTo: { workoutId: Workout }", "belongsTo: { workoutId: §[Workout] }", "must be text"),
            BadPiece("belongsTo: { workoutId: Workout }", "belongsTo: { a: Workout, §A: Workout }", "given twice"),
            BadPiece("belongsTo: { workoutId: Workout }", "belongsTo: { §sqlite_x: Workout }", "begins with"),
        ])
    func entities(bad: BadPiece) throws { try bad.check() }

    @Test("a cycle of parents is reported from the entity that comes first")
    func circles() throws {
        let chain = "{ key: id, belongsTo: { "
        try BadPiece(
            "  Workout:          { key: id, modified: updatedAt }",
            "  Workout: \(chain)self: Workout, last: §ExerciseSet } }", "`Workout` → `ExerciseSet` → `Workout`"
        ).check()
        try BadPiece(
            "  UserSettings: ",
            "  Leaf: \(chain)a: B } }\n  A: \(chain)c: §C } }\n  B: \(chain)a: A } }\n  C: \(chain)w: Workout, b: B } }\n"
                + "  UserSettings: ", "cycle: `A` → `C` → `B` → `A`"
        ).check()
    }

    @Test("a manifest without entities, or with too many, is rejected")
    func count() throws {
        let head = ManifestSamples.smallest.split(separator: "\n").dropLast().joined(separator: "\n")
        try expectRefusal("\(head)\nentities: §{}", ["1 to 1000 entities"])
        try expectRefusal("\(head)\nentities: §[Note]", ["must be a mapping"])
        try expectRefusal("\(head)\nentities:§", ["must be a mapping", "nothing"])
        try expectRefusal("§\(head)", ["missing key `entities`"])
        let many = (0...1000).map { "E\($0): { key: id }" }.joined(separator: ", ")
        try expectRefusal("\(head)\nentities: §{ \(many) }", ["1 to 1000 entities"])
    }

    @Test("a thousand entities in a chain, listed in reverse, are sorted")
    func longChain() throws {
        let head = ManifestSamples.smallest.split(separator: "\n").dropLast().joined(separator: "\n")
        let chain = (1..<1000).map { "  E\($0): { key: id, belongsTo: { up: E\($0 + 1) } }\n" }.joined()
        let manifest = try ManifestSamples.decode("\(head)\nentities:\n\(chain)  E1000: { key: id }\n")
        #expect(manifest.entitiesParentsFirst.map(\.name) == (1...1000).reversed().map { "E\($0)" })
        try expectRefusal(
            "\(head)\nentities:\n\(chain)  E1000: { key: id, belongsTo: { up: E1 } }\n".marking("up: ", "E2"), ["E1000"]
        )
    }
}

extension String {
    /// The text with a mark between two pieces that occur together once.
    fileprivate func marking(_ before: String, _ after: String) -> String {
        guard let range = ranges(of: before + after + " ").first else { return self }
        var text = self
        text.insert("§", at: index(range.lowerBound, offsetBy: before.count))
        return text
    }
}
