import GodwitLegacy
import GodwitModel
import GodwitPropertyList
import Testing

/// The ledger counts every key once, the sums agree, and the planned records follow from it.
struct LegacyPlannerTests {
    // MARK: A manifest and files to plan with

    private static let now = Instant(seconds: 1_800_000_000)
    private static let fileDate = Instant(seconds: 1_700_000_000)

    private static func manifest(
        settings: [SettingRule] = [], favorites: [FavoritesRule] = [], localOnly: [String] = []
    ) -> Manifest {
        Manifest(
            app: "Test", file: "godwit.yaml", sha256: "0",
            container: ContainerPaths(preferences: ["a.plist", "b.plist"], local: "l", cloud: "c", syncEvents: nil),
            schemaDirectory: ".",
            entities: [
                Entity(name: "Settings", key: "id", modified: ModifiedColumn(column: "updatedAt"), singleton: "only"),
                Entity(name: "Favorite", key: "item", modified: ModifiedColumn(column: "createdAt")),
            ],
            legacy: LegacyRules(settings: settings, favorites: favorites, localOnly: localOnly),
            copy: CopyRules(), export: ExportRules(), historyKept: 10, positions: [:])
    }

    private static let shape = SchemaShape(tables: [
        TableShape(
            name: "Settings",
            columns: [
                ColumnShape(name: "id", type: "TEXT"), ColumnShape(name: "unit", type: "TEXT"),
                ColumnShape(name: "rest", type: "INTEGER"), ColumnShape(name: "updatedAt", type: "TEXT"),
            ]),
        TableShape(
            name: "Favorite",
            columns: [ColumnShape(name: "item", type: "TEXT"), ColumnShape(name: "createdAt", type: "TEXT")]),
    ])

    private static func input(
        _ pairs: [(String, LegacyValue)], name: String = "a.plist", modified: Instant = fileDate
    ) -> LegacyPlanner.Input {
        LegacyPlanner.Input(
            name: name,
            file: LegacyFile(
                path: "/x/" + name, format: .binary, size: 10, modified: modified, sha256: "ff", bytes: [],
                root: pairs.map { LegacyPair(key: $0.0, value: $0.1) }))
    }

    private static func plan(
        _ inputs: [LegacyPlanner.Input], _ manifest: Manifest, keys: [String: Set<Value>] = [:],
        showsValues: Bool = false
    ) -> LegacyImportPlan {
        LegacyPlanner(manifest: manifest, now: now, showsValues: showsValues)
            .plan(inputs, targets: LegacyTargets(shape: shape, keys: keys))
    }

    private static let unit = SettingRule(
        key: "weightUnit", entity: "Settings", column: "unit",
        values: [
            ValueMapping(from: "kg", to: .string("kg")), ValueMapping(from: "pounds", to: .string("lb")),
            ValueMapping(from: "1", to: .string("kg")), ValueMapping(from: "true", to: .string("lb")),
        ],
        defaultValue: .string("kg"))
    private static let rest = SettingRule(
        key: "restTimer", entity: "Settings", column: "rest", defaultValue: .integer(90))

    private static func value(_ column: String, in record: PlannedRecord?) -> Value? {
        guard let record, let place = record.columns.firstIndex(of: column) else { return nil }
        return record.values[place]
    }

    /// A date column, its declared encoding, and the stored value for half a second after the file's date.
    struct DateColumn: Sendable {
        let type: String
        let encoding: InstantEncoding?
        let stored: Value
    }

    @Test(
        "a column for whole numbers gets whole seconds, because a STRICT table rejects others",
        arguments: [
            DateColumn(type: "INTEGER", encoding: nil, stored: .integer(1_700_000_000)),
            DateColumn(type: "INTEGER", encoding: .unixSeconds, stored: .integer(1_700_000_000)),
            DateColumn(type: "INTEGER", encoding: .coreData, stored: .integer(721_692_800)),
            DateColumn(type: "INTEGER", encoding: .unixMilliseconds, stored: .integer(1_700_000_000_500)),
            DateColumn(type: "REAL", encoding: nil, stored: .real(1_700_000_000.5)),
            DateColumn(type: "REAL", encoding: .coreData, stored: .real(721_692_800.5)),
            DateColumn(type: "NUMERIC", encoding: .unixSeconds, stored: .real(1_700_000_000.5)),
            DateColumn(type: "TEXT", encoding: nil, stored: .string("2023-11-14T22:13:20.500Z")),
        ])
    func storedDates(_ column: DateColumn) {
        let shape = SchemaShape(tables: [
            TableShape(
                name: "Favorite",
                columns: [ColumnShape(name: "item", type: "TEXT"), ColumnShape(name: "at", type: column.type)])
        ])
        let entity = Entity(
            name: "Favorite", key: "item", modified: ModifiedColumn(column: "at", encoding: column.encoding))
        let planner = LegacyPlanner(manifest: Self.manifest(), now: Self.now, showsValues: false)
        let date = Instant(milliseconds: 1_700_000_000_500)
        #expect(planner.storedDate(date, for: entity, shape) == column.stored)
    }

    // MARK: Settings

    @Test(
        "a mapped setting has the outcome for its value",
        arguments: [
            (LegacyValue.string("kg"), RunReport.Legacy.KeyOutcome.migrated, Value.string("kg")),
            (.string("pounds"), .coerced, .string("lb")),
            (.integer(1), .coerced, .string("kg")),
            (.bool(true), .coerced, .string("lb")),
            (.string("stone"), .conflict, .string("kg")),
            (.string("KG"), .conflict, .string("kg")),
            (.data([1]), .unsupported, .string("kg")),
            (.array([]), .unsupported, .string("kg")),
        ])
    func mappedSetting(value: LegacyValue, bucket: RunReport.Legacy.KeyOutcome, stored: Value) throws {
        let plan = Self.plan([Self.input([("weightUnit", value)])], Self.manifest(settings: [Self.unit]))
        #expect(plan.ledger.map(\.bucket) == [bucket])
        #expect(plan.ledger.first?.into == "Settings.unit")
        #expect(plan.ledger.first?.source == "a.plist")
        let record = try #require(plan.records.first)
        #expect(plan.records.count == 1)
        #expect(Self.value("unit", in: record) == stored)
        #expect(Self.value("id", in: record) == .string("only"))
    }

    @Test("a setting without a value map is converted for the column's type")
    func typedSetting() {
        let cases: [(LegacyValue, RunReport.Legacy.KeyOutcome, Value)] = [
            (.integer(45), .migrated, .integer(45)), (.string("45"), .coerced, .integer(45)),
            (.real(0.5), .unsupported, .integer(90)), (.bigInteger("99999999999999999999"), .unsupported, .integer(90)),
        ]
        for (value, bucket, stored) in cases {
            let plan = Self.plan([Self.input([("restTimer", value)])], Self.manifest(settings: [Self.rest]))
            #expect(plan.ledger.map(\.bucket) == [bucket])
            #expect(Self.value("rest", in: plan.records.first) == stored)
        }
    }

    @Test("mapped text that the column stores as a number is coerced, and other text is unsupported")
    func mappedIntoNumbers() {
        let map = [ValueMapping(from: "90", to: .string("90")), ValueMapping(from: "long", to: .string("long"))]
        let rule = SettingRule(key: "restTimer", entity: "Settings", column: "rest", values: map)
        for (text, bucket) in [("90", RunReport.Legacy.KeyOutcome.coerced), ("long", .unsupported)] {
            let plan = Self.plan([Self.input([("restTimer", .string(text))])], Self.manifest(settings: [rule]))
            #expect(plan.ledger.map(\.bucket) == [bucket])
        }
    }

    @Test("a record of legacy values has the date of the newest file, not later than now")
    func datedByFile() {
        let manifest = Self.manifest(settings: [Self.unit, Self.rest])
        let newer = Self.fileDate.advanced(bySeconds: 500)
        let two = Self.plan(
            [
                Self.input([("weightUnit", .string("kg"))]),
                Self.input([("restTimer", .integer(5))], name: "b.plist", modified: newer),
            ], manifest)
        #expect(Self.value("updatedAt", in: two.records.first) == .string(newer.iso8601))
        let future = Self.plan(
            [Self.input([("weightUnit", .string("kg"))], modified: Self.now.advanced(bySeconds: 99))], manifest)
        #expect(Self.value("updatedAt", in: future.records.first) == .string(Self.now.iso8601))
    }

    @Test("a record with only defaults is dated 1970, so that any other record wins")
    func defaultsAlone() {
        let favorites = FavoritesRule(key: "favs", entity: "Favorite", column: "item")
        let manifest = Self.manifest(settings: [Self.unit, Self.rest], favorites: [favorites])
        let plan = Self.plan([Self.input([("favs", .array([.string("a")]))])], manifest)
        let settings = plan.records.first { $0.entity == "Settings" }
        #expect(Self.value("updatedAt", in: settings) == .string("1970-01-01T00:00:00.000Z"))
        #expect(plan.ledger.filter { $0.bucket == .defaulted }.map(\.key) == ["weightUnit", "restTimer"])
        #expect(plan.ledger.filter { $0.bucket == .defaulted }.allSatisfy { $0.source == nil })
    }

    @Test("a record with only a conflict is not newer than a real one")
    func conflictTakesDefaultDate() {
        let plan = Self.plan(
            [Self.input([("weightUnit", .string("stone"))])], Self.manifest(settings: [Self.unit]))
        #expect(Self.value("updatedAt", in: plan.records.first) == .string("1970-01-01T00:00:00.000Z"))
        #expect(plan.ledger.first?.note?.contains("default was stored instead") == true)
    }

    @Test("with an existing record nothing is written, and the keys have the outcome alreadyPresent")
    func alreadyPresent() {
        let plan = Self.plan(
            [Self.input([("weightUnit", .string("kg"))])], Self.manifest(settings: [Self.unit, Self.rest]),
            keys: ["Settings": [.string("x")]])
        #expect(plan.ledger.map(\.bucket) == [.alreadyPresent])
        #expect(plan.records.isEmpty)
        #expect(plan.hasMappedKeys)
    }

    @Test("with an existing record, a value for a column that it leaves empty is in conflict: it stays behind")
    func emptyColumn() {
        let targets = LegacyTargets(
            shape: Self.shape, keys: ["Settings": [.string("x")]], unfilled: ["Settings": ["rest".foldedName]])
        let manifest = Self.manifest(settings: [Self.unit, Self.rest])
        func plan(_ rest: LegacyValue) -> LegacyImportPlan {
            LegacyPlanner(manifest: manifest, now: Self.now, showsValues: false)
                .plan([Self.input([("weightUnit", .string("kg")), (Self.rest.key, rest)])], targets: targets)
        }
        #expect(plan(.integer(90)).ledger.map(\.bucket) == [.alreadyPresent, .conflict])
        #expect(plan(.integer(90)).records.isEmpty)
        #expect(plan(.integer(90)).ledger.last?.note == "Settings has a record already, in which this column is empty")
        #expect(plan(.null).ledger.map(\.bucket) == [.alreadyPresent, .alreadyPresent])
    }

    @Test("without a mapped key in any file nothing is planned, with or without defaults")
    func nothingMapped() {
        for inputs in [[], [Self.input([("other", .integer(1))])], [LegacyPlanner.Input(name: "a.plist", file: nil)]] {
            let plan = Self.plan(inputs, Self.manifest(settings: [Self.unit, Self.rest]))
            #expect(!plan.hasMappedKeys)
            #expect(plan.records.isEmpty)
            #expect(plan.ledger.allSatisfy { $0.bucket == .unmapped })
        }
    }

    // MARK: Keys and files

    @Test("the first file with a key wins, and the key list names both files")
    func precedence() {
        let plan = Self.plan(
            [
                Self.input([("weightUnit", .string("pounds")), ("x", .integer(1))]),
                Self.input([("weightUnit", .string("kg")), ("y", .integer(2))], name: "b.plist"),
            ], Self.manifest(settings: [Self.unit]))
        #expect(plan.ledger.map(\.key) == ["weightUnit", "x", "y"])
        #expect(Self.value("unit", in: plan.records.first) == .string("lb"))
        #expect(plan.ledger.first?.source == "a.plist")
        #expect(plan.ledger.first?.note?.contains("also in b.plist") == true)
        #expect(plan.sources.map(\.keyCount) == [2, 2])
    }

    @Test("keys are compared by bytes, so that two normalization forms are two keys")
    func normalForms() {
        let plan = Self.plan(
            [Self.input([("caf\u{E9}", .integer(1)), ("cafe\u{301}", .integer(2))])],
            Self.manifest(localOnly: ["caf\u{E9}"]))
        #expect(plan.ledger.map(\.bucket) == [.localOnly, .unmapped])
    }

    @Test("local keys, the completion flag and unmapped keys have their own outcomes")
    func otherKeys() {
        let plan = Self.plan(
            [Self.input([("seen", .bool(true)), ("cloudMigrationDone", .bool(false)), ("odd", .null)])],
            Self.manifest(localOnly: ["seen"]))
        #expect(plan.ledger.map(\.bucket) == [.localOnly, .localOnly, .unmapped])
    }

    @Test("every key of every file has exactly one line, and the outcomes add up")
    func sumsMatch() {
        let favorites = FavoritesRule(key: "favs", entity: "Favorite", column: "item")
        let manifest = Self.manifest(
            settings: [Self.unit, Self.rest], favorites: [favorites], localOnly: ["k3", "k7"])
        for count in 0..<40 {
            var pairs = (0..<count).map { ("k\($0)", LegacyValue.integer(Int64($0))) }
            if count % 2 == 0 { pairs.append(("weightUnit", .string("kg"))) }
            if count % 3 == 0 { pairs.append(("favs", .array([.string("a"), .string("a"), .integer(3)]))) }
            let report = RunReport.Legacy(ledger: Self.plan([Self.input(pairs)], manifest).ledger)
            let defaults = report.buckets["defaulted"] ?? 0
            #expect(report.ledger.count == pairs.count + defaults)
            #expect(report.buckets.values.reduce(0, +) == report.ledger.count)
            #expect(Set(report.ledger.map(\.key)).count == report.ledger.count)
        }
    }

    @Test("values are in the key list only on request")
    func valuesAreHidden() {
        let inputs = [Self.input([("weightUnit", .string("pounds")), ("restTimer", .string("45"))])]
        let manifest = Self.manifest(settings: [Self.unit, Self.rest])
        #expect(Self.plan(inputs, manifest).ledger.allSatisfy { $0.from == nil && $0.to == nil })
        let shown = Self.plan(inputs, manifest, showsValues: true).ledger
        #expect(shown.map(\.from) == ["pounds", "45"])
        #expect(shown.map(\.to) == ["lb", "45"])
    }

    // MARK: Favourites

    private static let favorites = FavoritesRule(key: "favs", entity: "Favorite", column: "item")

    @Test("favorites become records in order, dated by their own date or the file's")
    func favoritesBecomeRecords() {
        let own = Instant(seconds: 1_600_000_000)
        let plan = Self.plan(
            [
                Self.input([
                    (
                        "favs",
                        .dictionary([
                            LegacyPair(key: "a", value: .date(own)), LegacyPair(key: "b", value: .bool(true)),
                            LegacyPair(key: "c", value: .bool(false)),
                        ])
                    )
                ])
            ],
            Self.manifest(favorites: [Self.favorites]))
        #expect(plan.records.map { $0.values[0] } == [.string("a"), .string("b")])
        #expect(plan.records.map { $0.values[1] } == [.string(own.iso8601), .string(Self.fileDate.iso8601)])
        #expect(plan.ledger.first?.bucket == .migrated)
        #expect(plan.ledger.first?.items == ["migrated": 2, "notFavorite": 1])
    }

    @Test("an entity with records gets no favorites, unless the mode is merge")
    func favoritesIntoFullEntity() {
        let input = Self.input([("favs", .array([.string("a"), .string("b")]))])
        let keys: [String: Set<Value>] = ["Favorite": [.string("a")]]
        let kept = Self.plan([input], Self.manifest(favorites: [Self.favorites]), keys: keys)
        #expect(kept.records.isEmpty)
        #expect(kept.ledger.first?.bucket == .alreadyPresent)
        let merging = FavoritesRule(key: "favs", entity: "Favorite", column: "item", mode: .merge)
        let merged = Self.plan([input], Self.manifest(favorites: [merging]), keys: keys)
        #expect(merged.records.map { $0.values[0] } == [.string("b")])
        #expect(merged.ledger.first?.items == ["migrated": 1, "alreadyPresent": 1])
        let all = Self.plan(
            [input], Self.manifest(favorites: [merging]), keys: ["Favorite": [.string("a"), .string("b")]])
        #expect(all.ledger.first?.bucket == .alreadyPresent)
    }

    @Test("rejected items decide the key's outcome, and the other items are imported")
    func rejectedItems() {
        let list = LegacyValue.array([.string("a"), .array([]), .integer(7), .string("a")])
        let plan = Self.plan([Self.input([("favs", list)])], Self.manifest(favorites: [Self.favorites]))
        #expect(plan.records.map { $0.values[0] } == [.string("a"), .string("7")])
        #expect(plan.ledger.first?.bucket == .unsupported)
        #expect(plan.ledger.first?.items == ["migrated": 1, "coerced": 1, "duplicate": 1, "rejected": 1])
        #expect(plan.ledger.first?.note?.hasPrefix("1 of 4 items not taken") == true)
    }

    @Test("a favorites value of the wrong type is unsupported as a whole")
    func wrongFavorites() {
        let plan = Self.plan([Self.input([("favs", .real(1.5))])], Self.manifest(favorites: [Self.favorites]))
        #expect(plan.ledger.map(\.bucket) == [.unsupported])
        #expect(plan.records.isEmpty)
    }

    @Test("an empty list maps its key and inserts nothing")
    func emptyFavorites() {
        let plan = Self.plan([Self.input([("favs", .array([]))])], Self.manifest(favorites: [Self.favorites]))
        #expect(plan.hasMappedKeys)
        #expect(plan.records.isEmpty)
        #expect(plan.ledger.map(\.bucket) == [.migrated])
    }
}
