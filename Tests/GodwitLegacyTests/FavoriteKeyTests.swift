import GodwitLegacy
import GodwitModel
import GodwitPropertyList
import Testing

/// Favourites in a key column follow the same rules as settings, and every item is counted once.
struct FavoriteKeyTests {
    private static let early = Instant(seconds: 1_500_000_000)
    private static let late = Instant(seconds: 1_600_000_000)
    private static let fileDate = Instant(seconds: 1_700_000_000)

    private static func plan(
        _ lists: [LegacyValue], into type: String, isStrict: Bool = false, existing: Set<Value> = [],
        mode: FavoritesMode = .onlyIntoEmpty, conflict: ConflictRule = .keepNewest
    ) -> LegacyImportPlan {
        let names = lists.indices.map { "list\($0)" }
        let manifest = Manifest(
            app: "Test", file: "godwit.yaml", sha256: "0",
            container: ContainerPaths(preferences: ["a.plist"], local: "l", cloud: "c", syncEvents: nil),
            schemaDirectory: ".",
            entities: [
                Entity(
                    name: "Favorite", key: "item", modified: ModifiedColumn(column: "createdAt"), conflict: conflict)
            ],
            legacy: LegacyRules(
                favorites: names.map { FavoritesRule(key: $0, entity: "Favorite", column: "item", mode: mode) }),
            copy: CopyRules(), export: ExportRules(), historyKept: 10, positions: [:])
        let shape = SchemaShape(tables: [
            TableShape(
                name: "Favorite",
                columns: [ColumnShape(name: "item", type: type), ColumnShape(name: "createdAt", type: "INTEGER")],
                isStrict: isStrict)
        ])
        let file = LegacyFile(
            path: "/x/a.plist", format: .binary, size: 10, modified: fileDate, sha256: "ff", bytes: [],
            root: zip(names, lists).map { LegacyPair(key: $0, value: $1) })
        return LegacyPlanner(manifest: manifest, now: Instant(seconds: 1_800_000_000), showsValues: false)
            .plan(
                [LegacyPlanner.Input(name: "a.plist", file: file)],
                targets: LegacyTargets(shape: shape, keys: ["Favorite": existing]))
    }

    private static func keys(_ plan: LegacyImportPlan) -> [Value] { plan.records.map { $0.values[0] } }

    private static func strings(_ items: String...) -> LegacyValue { .array(items.map { .string($0) }) }

    // MARK: One item

    @Test(
        "an item is migrated, coerced or rejected as its column requires",
        arguments: [
            // Type, item, stored (nil: rejected), bucket.
            ("TEXT", LegacyValue.string("007"), Value.string("007"), RunReport.Legacy.KeyOutcome.migrated),
            ("VARCHAR(20)", .string("1e3"), .string("1e3"), .migrated),
            ("", .string("7"), .string("7"), .migrated),
            ("TEXT", .integer(7), .string("7"), .coerced),
            ("BLOB", .string("a"), .blob([0x61]), .coerced),
            ("INTEGER", .string("7"), .integer(7), .coerced),
            ("INTEGER", .string("007"), .integer(7), .coerced),
            ("INTEGER", .string("-0"), .integer(0), .coerced),
            ("INTEGER", .integer(7), .integer(7), .migrated),
            ("INTEGER", .integer(.min), .integer(.min), .migrated),
            ("INTEGER", .string("9223372036854775807"), .integer(.max), .coerced),
            ("INTEGER", .string("9223372036854775808"), nil, .unsupported),
            ("INTEGER", .bigInteger("9223372036854775808"), nil, .unsupported),
            ("INTEGER", .string("1e3"), nil, .unsupported),
            ("INTEGER", .string("7.0"), nil, .unsupported),
            ("INTEGER", .string("bench"), nil, .unsupported),
            ("STRING", .string("bench"), .string("bench"), .migrated),
            ("STRING", .string("007"), .integer(7), .coerced),
            ("STRING", .string("1e3"), .integer(1000), .coerced),
            ("STRING", .string("0.10"), .real(0.1), .coerced),
            ("STRING", .string(" 7 "), .integer(7), .coerced),
            ("STRING", .integer(7), .integer(7), .migrated),
            ("STRING", .string("9223372036854775809"), nil, .unsupported),
            ("STRING", .string("12345678901234567890123"), nil, .unsupported),
            ("STRING", .string("9007199254740993.0"), nil, .unsupported),
            ("STRING", .string("9007199254740993e0"), nil, .unsupported),
            ("STRING", .string("1e400"), nil, .unsupported),
            ("STRING", .string("1e-400"), nil, .unsupported),
            ("STRING", .string("1e-99999999999999999999"), nil, .unsupported),
            ("STRING", .string("0e99999999999999999999"), .integer(0), .coerced),
            ("DATE", .string("2026-01-01"), .string("2026-01-01"), .migrated),
            ("DATE", .string("20260101"), .integer(20_260_101), .coerced),
            ("REAL", .string("7"), .real(7), .coerced),
            ("REAL", .integer(7), .real(7), .coerced),
            ("REAL", .string("-0"), .real(0), .coerced),
            ("REAL", .string("-0.0"), .real(0), .coerced),
            ("REAL", .string("0.1"), .real(0.1), .coerced),
            ("REAL", .string("-12.5E+1"), .real(-125), .coerced),
            ("REAL", .string("0.10000000000000000001"), nil, .unsupported),
            ("REAL", .string("9007199254740993"), nil, .unsupported),
            ("REAL", .string("0.30000000000000004"), .real(0.30000000000000004), .coerced),
            ("REAL", .string("5e-324"), .real(.leastNonzeroMagnitude), .coerced),
            ("REAL", .string("bench"), nil, .unsupported),
            ("BOOLEAN", .string("yes"), .integer(1), .coerced),
            ("BOOLEAN", .string("bench"), nil, .unsupported),
        ] as [(String, LegacyValue, Value?, RunReport.Legacy.KeyOutcome)])
    func oneItem(type: String, item: LegacyValue, stored: Value?, bucket: RunReport.Legacy.KeyOutcome) throws {
        let plan = Self.plan([.array([item])], into: type)
        let line = try #require(plan.ledger.first)
        #expect(Self.keys(plan) == [stored].compactMap(\.self))
        #expect(line.bucket == bucket)
        #expect(line.items == [stored == nil ? "rejected" : bucket.rawValue: 1])
        #expect((line.note == nil) == (bucket == .migrated))
    }

    @Test("ANY keeps values in a STRICT table, and is numeric elsewhere")
    func strictAny() {
        let strict = Self.plan([Self.strings("007", "7")], into: "ANY", isStrict: true)
        #expect(Self.keys(strict) == [.string("007"), .string("7")])
        #expect(strict.ledger.first?.bucket == .migrated)
        #expect(Self.keys(Self.plan([Self.strings("007", "7")], into: "ANY")) == [.integer(7)])
    }

    @Test("an integer in a list and the same number as text are one favorite in each column")
    func integerAndText() {
        let list = LegacyValue.array([.integer(7), .string("007"), .string("7")])
        let numbers = Self.plan([list], into: "INTEGER")
        #expect(Self.keys(numbers) == [.integer(7)])
        #expect(numbers.ledger.first?.bucket == .migrated)
        #expect(numbers.ledger.first?.items == ["migrated": 1, "duplicate": 2])
        let texts = Self.plan([list], into: "TEXT")
        #expect(Self.keys(texts) == [.string("7"), .string("007")])
        #expect(texts.ledger.first?.items == ["migrated": 1, "coerced": 1, "duplicate": 1])
    }

    // MARK: Lists

    private static let tricky = strings("007", "7", "1e3", "9223372036854775809", "12345678901234567890123")

    @Test(
        "items that a column stores as equal are one record, and each is counted",
        arguments: [
            ("INTEGER", [Value.integer(7)], ["coerced": 1, "duplicate": 1, "rejected": 3]),
            ("INTEGER PRIMARY KEY", [.integer(7)], ["coerced": 1, "duplicate": 1, "rejected": 3]),
            ("STRING", [.integer(7), .integer(1000)], ["coerced": 2, "duplicate": 1, "rejected": 2]),
            ("REAL", [.real(7), .real(1000)], ["coerced": 2, "duplicate": 1, "rejected": 2]),
        ])
    func trickyList(type: String, stored: [Value], items: [String: Int]) throws {
        let plan = Self.plan([Self.tricky], into: type)
        let line = try #require(plan.ledger.first)
        #expect(Self.keys(plan) == stored)
        #expect(line.bucket == .unsupported)
        #expect(line.items == items)
        #expect(line.note?.hasPrefix("\(items["rejected"] ?? 0) of 5 items not taken: string ") == true)
        #expect(line.note?.contains("\(stored.count) of 5 items stored as ") == true)
        #expect(line.note?.hasSuffix("1 of 5 items equal to an earlier one as stored") == true)
        #expect(line.note?.contains("007") != true, "no value in a note")
    }

    @Test("a coerced list notes the number of items and their storage class")
    func coercedNote() {
        let plan = Self.plan([Self.strings("a", "1", "0.5", "2")], into: "NUMERIC")
        #expect(plan.ledger.first?.bucket == .coerced)
        #expect(plan.ledger.first?.items == ["migrated": 1, "coerced": 3])
        #expect(plan.ledger.first?.note == "3 of 4 items stored as integer or real")
        let one = Self.plan([Self.strings("1")], into: "INTEGER")
        #expect(one.ledger.first?.note == "1 of 1 item stored as integer")
    }

    @Test("keys are compared in their stored form", arguments: [FavoritesMode.merge, .onlyIntoEmpty])
    func existing(mode: FavoritesMode) throws {
        let plan = Self.plan(
            [Self.strings("007", "8", "nine")], into: "INTEGER", existing: [.integer(7)], mode: mode)
        let line = try #require(plan.ledger.first)
        if mode == .merge {
            #expect(Self.keys(plan) == [.integer(8)])
            #expect(line.bucket == .unsupported)
            #expect(line.items == ["alreadyPresent": 1, "coerced": 1, "rejected": 1])
        } else {
            #expect(plan.records.isEmpty)
            #expect(line.bucket == .alreadyPresent)
            #expect(line.items == ["alreadyPresent": 1, "notTaken": 1, "rejected": 1])
            #expect(line.note == "Favorite has records already; 1 of 3 is not among them (mode: merge adds it)")
        }
    }

    @Test("text in a numeric column is not a record of the number")
    func existingText() {
        let plan = Self.plan([Self.strings("7")], into: "NUMERIC", existing: [.string("7")], mode: .merge)
        #expect(Self.keys(plan) == [.integer(7)])
    }

    // MARK: Dates

    private static func dated(_ pairs: [(String, Instant)]) -> LegacyValue {
        .dictionary(pairs.map { LegacyPair(key: $0.0, value: .date($0.1)) })
    }

    @Test(
        "of two equal items, the date stays that would win between records",
        arguments: [
            (ConflictRule.keepNewest, late), (.keepCloud, late), (.keepLocal, late), (.keepEarliest, early),
        ])
    func datesOfOne(conflict: ConflictRule, date: Instant) {
        for pairs in [[("7", Self.early), ("007", Self.late)], [("007", Self.late), ("7", Self.early)]] {
            let plan = Self.plan([Self.dated(pairs)], into: "INTEGER", conflict: conflict)
            #expect(plan.records.map(\.values) == [[.integer(7), .integer(date.seconds)]])
        }
    }

    @Test("a favorite in two lists is one record, and the second list notes it")
    func twoLists() {
        let plan = Self.plan(
            [Self.strings("a", "b"), Self.dated([("b", Self.late), ("c", Self.late)])], into: "TEXT",
            conflict: .keepEarliest)
        #expect(Self.keys(plan) == [.string("a"), .string("b"), .string("c")])
        let dates = [Self.fileDate, Self.late, Self.late]
        #expect(plan.records.map { $0.values[1] } == dates.map { .integer($0.seconds) })
        #expect(plan.ledger.map(\.bucket) == [.migrated, .migrated])
        #expect(plan.ledger.map(\.items) == [["migrated": 2], ["migrated": 1, "duplicate": 1]])
    }

    // MARK: Sums

    @Test("for any list and column, the sums match and no key is planned twice", arguments: 0..<60)
    func sums(seed: Int) throws {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func dice(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(sides))
        }
        let texts = ["7", "007", "7.0", "+7", "1e3", "1000", "-0", "0", "0.0", "a", "A", "yes", "true", "1", "", " 7"]
        let types = [
            "TEXT", "INTEGER", "REAL", "NUMERIC", "BLOB", "", "BOOLEAN", "DATE", "STRING", "INTEGER PRIMARY KEY",
        ]
        let list = (0..<dice(30)).map { _ -> LegacyValue in
            switch dice(8) {
            case 0: .integer(Int64(dice(9) - 4))
            case 1: .real(0.5)
            case 2: .bigInteger("18446744073709551615")
            default: .string(texts[dice(texts.count)])
            }
        }
        let existing: Set<Value> = dice(2) == 0 ? [] : [.integer(7), .string("a"), .real(0)]
        let mode: FavoritesMode = dice(2) == 0 ? .merge : .onlyIntoEmpty
        let plan = Self.plan(
            [.array(list), .array(list)], into: types[dice(types.count)], existing: existing, mode: mode)
        #expect(plan.ledger.count == 2)
        for line in plan.ledger {
            let count = try #require(line.items?.values.reduce(0, +))
            // A short list may alternate between keys and values by chance; then pairs are counted.
            #expect(count == list.count || count * 2 == list.count)
        }
        let inserted = plan.ledger.reduce(0) { $0 + ($1.items?["migrated"] ?? 0) + ($1.items?["coerced"] ?? 0) }
        #expect(inserted == plan.records.count)
        #expect(Set(Self.keys(plan)).count == plan.records.count)
        #expect(existing.isDisjoint(with: Self.keys(plan)))
    }
}
