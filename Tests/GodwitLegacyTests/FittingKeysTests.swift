import GodwitLegacy
import GodwitManifest
import GodwitModel
import GodwitPropertyList
import Testing

/// Keys without a rule whose values fit a rule with a key that no file has.
struct FittingKeysTests {
    static let columns = [
        ColumnShape(name: "ranking", type: "TEXT"), ColumnShape(name: "days", type: "INTEGER"),
        ColumnShape(name: "radius", type: "REAL"),
    ]

    private static func shape(_ columns: [ColumnShape], starred: [ColumnShape] = []) -> SchemaShape {
        let own = [ColumnShape(name: "id", type: "TEXT"), ColumnShape(name: "unit", type: "TEXT")]
        return SchemaShape(tables: [
            TableShape(name: "Settings", columns: own + columns),
            TableShape(name: "StarredItem", columns: [ColumnShape(name: "itemId", type: "TEXT")] + starred),
        ])
    }

    private static let unit = "{ key: unit, into: Settings.unit }"
    static let list = LegacyValue.array([.string("a"), .string("b")])

    /// The warnings with these rules and values; `unit` is always mapped and found.
    ///
    /// Without `columns`, the singleton has only the columns of the rules.
    ///
    /// - Parameters:
    ///   - starred: columns of `StarredItem` next to its key.
    ///   - hasRecords: whether `StarredItem` has some.
    func warnings(
        _ rules: String..., favorites: String = "", localOnly: String = "", values: [(String, LegacyValue)],
        isWhole: Bool = true, columns: [ColumnShape]? = nil, starred: [ColumnShape] = [], hasRecords: Bool = true
    ) throws -> [Warning] {
        let text = """
            godwit: 1
            app: A
            container: { preferences: [p.plist], local: a.store, cloud: b.store }
            schema: S
            entities:
              Settings: { key: id, singleton: one }
              StarredItem: { key: itemId }
            legacy:
              settings: [\(([Self.unit] + rules).joined(separator: ", "))]
              favorites: [\(favorites)]
              localOnly: [\(localOnly)]

            """
        let manifest = try Manifest.decode(Array(text.utf8), file: "godwit.yaml", sha256: "")
        let shape = Self.shape(
            columns ?? Self.columns.filter { column in rules.contains { $0.contains("Settings.\(column.name)") } },
            starred: starred)
        let root = ([("unit", LegacyValue.string("kg"))] + values).map { LegacyPair(key: $0.0, value: $0.1) }
        let file = LegacyFile(
            path: "/x/p.plist", format: .binary, size: 10, modified: .epoch, sha256: "ff", bytes: [], root: root)
        let input = LegacyPlanner.Input(name: "p.plist", file: file)
        let plan = LegacyPlanner(manifest: manifest, now: .epoch, showsValues: false)
            .plan([input], targets: LegacyTargets(shape: shape, keys: [:]))
        let near = NearKeys(
            manifest, plan.ledger, isWhole: isWhole, shape: shape, emptyEntities: hasRecords ? [] : ["StarredItem"])
        return near.warnings(reading: [input])
    }

    @Test("a list without a rule is reported if no file has the key of the favorites")
    func list() throws {
        let rule = "{ key: favouriteThings, into: StarredItem.itemId }"
        let found = try warnings(favorites: rule, values: [("starred", Self.list), ("onboarded", .bool(true))])
        #expect(found.map(\.code) == ["keyNotFound"])
        for part in ["'favouriteThings'", "'starred'", "`p.plist`", "`StarredItem.itemId`"] {
            #expect(found.first?.message.contains(part) == true)
        }
        #expect(found.first?.position?.line == 10)
        // Listed, or known to be the system's or the app's own.
        #expect(try warnings(favorites: rule, localOnly: "starred", values: [("starred", Self.list)]) == [])
        for key in ["AppleLanguages", "recentSearches", "NSLanguages"] {
            #expect(try warnings(favorites: rule, values: [(key, Self.list)]) == [])
        }
        for value in [LegacyValue.array([]), .string("a"), .array([.integer(1)]), .array([.bool(true)])] {
            #expect(try warnings(favorites: rule, values: [("starred", value)]) == [])
        }
    }

    @Test(
        "a setting whose key no file has is reported with a key without a rule whose value fits",
        arguments: [
            ("into: Settings.ranking, default: name", LegacyValue.string("amount")),
            ("into: Settings.ranking, values: { amount: a, name: n }", .string("amount")),
            ("into: Settings.days, default: 7", .integer(3)), ("into: Settings.days, default: true", .bool(false)),
            ("into: Settings.radius, default: 100.0", .integer(120)),
        ])
    func setting(_ rule: String, _ value: LegacyValue) throws {
        let found = try warnings("{ key: ordering, \(rule) }", values: [("sort", value)])
        #expect(found.map(\.code) == ["keyNotFound"])
        #expect(found.first?.message.contains("'ordering'") == true && found.first?.message.contains("'sort'") == true)
        let known = try warnings("{ key: ordering, \(rule) }", localOnly: "sort", values: [("sort", value)])
        #expect(known == [])
        // A late import has only the new keys.
        #expect(try warnings("{ key: ordering, \(rule) }", values: [("sort", value)], isWhole: false) == [])
    }

    @Test(
        "a value of another kind, or that is not in the value map, is not reported",
        arguments: [
            ("into: Settings.ranking, default: name", LegacyValue.integer(4)),
            ("into: Settings.ranking, values: { amount: a, name: n }", .string("blue")),
            ("into: Settings.days, default: true", .integer(118)), ("into: Settings.days, default: 7", .bool(true)),
            ("into: Settings.days", .real(1.5)), ("into: Settings.ranking", .string("{\"a\": 1}")),
            ("into: Settings.ranking", .data([1])),
        ])
    func otherKind(_ rule: String, _ value: LegacyValue) throws {
        #expect(try warnings("{ key: ordering, \(rule) }", values: [("sort", value)]) == [])
    }

    @Test("keys that an app keeps for itself are not reported, and each other key only once")
    func own() throws {
        let rules = ["{ key: rest, into: Settings.days }", "{ key: area, into: Settings.radius }"]
        for key in ["launchCount", "launches", "last_tab", "hasSeenTour", "deviceId", "sync_count", "SchemaVersion"] {
            #expect(try warnings(rules[0], values: [(key, .integer(3))]) == [], "\(key)")
        }
        let found = try warnings(rules[0], rules[1], values: [("pause", .integer(3))])
        #expect(found.count == 1 && found[0].message.contains("'rest'"))
    }

    @Test(
        "a column without a rule is reported with a key that nothing maps and whose value fits",
        arguments: [
            (0, LegacyValue.string("Ilse")), (0, .integer(2)), (1, .integer(300)), (1, .bool(true)),
            (1, .string("metric")), (2, .real(1.5)), (0, .date(.epoch)), (1, .date(.epoch)), (2, .date(.epoch)),
        ])
    func column(_ place: Int, _ value: LegacyValue) throws {
        let columns = [Self.columns[place]]
        let found = try warnings(values: [("mood", value)], columns: columns)
        #expect(found.map(\.code) == ["keyNotMapped"])
        for part in ["'mood'", "`p.plist`", "`Settings.\(columns[0].name)`"] {
            #expect(found.first?.message.contains(part) == true)
        }
        #expect(try warnings(localOnly: "mood", values: [("mood", value)], columns: columns) == [])
        for key in ["AppleLanguages", "launchCount", "lastTab"] {
            #expect(try warnings(values: [(key, value)], columns: columns) == [])
        }
        // A later import has only the new keys.
        #expect(try warnings(values: [("mood", value)], isWhole: false, columns: columns) == [])
    }

    @Test(
        "a column without a rule is not reported with a value of another kind",
        arguments: [
            (0, LegacyValue.integer(118)), (0, .bool(true)), (1, .real(1.5)),
            (1, .string("a longer text, of several words")), (2, .string("a")), (2, .bool(true)), (0, .array([])),
        ])
    func columnOfAnotherKind(_ place: Int, _ value: LegacyValue) throws {
        #expect(try warnings(values: [("mood", value)], columns: [Self.columns[place]]) == [])
    }

    @Test("a date is named for a column of dates first, and one that the app keeps for itself for no other column")
    func date() throws {
        let columns = [Self.columns[0], ColumnShape(name: "since", type: "DATETIME")]
        let found = try warnings(values: [("firstLight", .date(.epoch)), ("mood", .integer(2))], columns: columns)
        #expect(found.map(\.code) == ["keyNotMapped", "keyNotMapped"])
        #expect(found.contains { $0.message.contains("'firstLight'") && $0.message.contains("`Settings.since`") })
        #expect(found.contains { $0.message.contains("'mood'") && $0.message.contains("`Settings.ranking`") })
        for key in ["lastLaunch", "installedAt", "syncedAt", "configFetched", "updated_at", "backupDate"] {
            #expect(try warnings(values: [(key, .date(.epoch))], columns: Self.columns) == [], "\(key)")
        }
    }

    @Test("a date may be meant for a rule whose key no file has, if its column has the name of a date")
    func dateOfRule() throws {
        let since = ColumnShape(name: "since", type: "TEXT")
        let rule = "{ key: memberFrom, into: Settings.since }"
        let found = try warnings(rule, values: [("firstLight", .date(.epoch))], columns: [since])
        #expect(found.map(\.code) == ["keyNotFound"])
        #expect(try warnings(rule, values: [("syncedAt", .date(.epoch))], columns: [since]) == [])
        let other = "{ key: ordering, into: Settings.ranking }"
        #expect(try warnings(other, values: [("firstLight", .date(.epoch))]) == [])
    }

    @Test(
        "the state of the app's window is not reported, and a setting with such a word is",
        arguments: [
            ("selectedTabIndex", true), ("currentPage", true), ("scrollPosition", true), ("activeSection", true),
            ("sortOrder", false), ("zoomLevel", false), ("tabWidth", false), ("themeIndex", false), ("pageSize", false),
        ])
    func windowState(_ key: String, _ isOwn: Bool) throws {
        let found = try warnings("{ key: rest, into: Settings.days, default: 10 }", values: [(key, .integer(2))])
        #expect(found.map(\.code) == (isOwn ? [] : ["keyNotFound"]))
    }

    @Test("a number that goes into a column of words is reported, unless the rule has a value map")
    func numberAsText() throws {
        let column = ColumnShape(name: "look", type: "TEXT", defaultSQL: "'auto'")
        let plain = ColumnShape(name: "look", type: "TEXT", defaultSQL: "'0'")
        let rule = "{ key: theme, into: Settings.look }"
        for value in [LegacyValue.integer(2), .bool(true), .real(1.5)] {
            let found = try warnings(rule, values: [("theme", value)], columns: [column])
            #expect(found.map(\.code) == ["numberAsText"])
            #expect(found.first?.message.contains("'theme'") == true)
            #expect(try warnings(rule, values: [("theme", value)], columns: [plain]) == [])
        }
        #expect(try warnings(rule, values: [("theme", .string("dark"))], columns: [column]) == [])
        let mapped = "{ key: theme, into: Settings.look, values: { 2: dark } }"
        #expect(try warnings(mapped, values: [("theme", .integer(2))], columns: [column]) == [])
        let word = "{ key: theme, into: Settings.look, default: auto }"
        #expect(try warnings(word, values: [("theme", .integer(2))], columns: [plain]).count == 1)
    }

    @Test("without a default a small number or a boolean is reported, which is hardly meant to be text")
    func smallNumberAsText() throws {
        let column = [ColumnShape(name: "look", type: "TEXT")]
        let rule = "{ key: theme, into: Settings.look }"
        for value in [LegacyValue.integer(2), .bool(false)] {
            let found = try warnings(rule, values: [("theme", value)], columns: column)
            #expect(found.map(\.code) == ["numberAsText"])
        }
        for value in [LegacyValue.integer(4711), .real(1.5), .string("2")] {
            #expect(try warnings(rule, values: [("theme", value)], columns: column) == [])
        }
        for given in ["default: 0", "values: { 2: \"2\" }"] {
            let other = "{ key: theme, into: Settings.look, \(given) }"
            #expect(try warnings(other, values: [("theme", .integer(2))], columns: column) == [])
        }
    }

    @Test("a key that shares a word with an entity or column is not reported if its value can't be meant for it")
    func impossible() throws {
        for key in ["starredItems", "itemsStarred"] {
            #expect(try warnings(values: [(key, Self.list)]).map(\.code) == ["keyNotMapped"])
            for value in [LegacyValue.integer(12), .date(.epoch), .bool(true)] {
                #expect(try warnings(values: [(key, value)]) == [])
            }
        }
        let flag = ColumnShape(name: "radius", type: "BOOLEAN")
        #expect(try warnings(values: [("radiusSet", .date(.epoch))], columns: [flag]) == [])
        #expect(try warnings(values: [("radiusMetres", .integer(5))], columns: Self.columns).count == 1)
    }

    @Test("nothing is reported if no file has any mapped key")
    func nothingFound() throws {
        let text = Self.unit.replacing("unit,", with: "measure,")
        #expect(text.contains("measure"))
        let manifest = try Manifest.decode(
            Array(
                """
                godwit: 1
                app: A
                container: { preferences: [p.plist], local: a.store, cloud: b.store }
                schema: S
                entities:
                  Settings: { key: id, singleton: one }
                legacy:
                  settings: [\(text)]

                """.utf8), file: "godwit.yaml", sha256: "")
        let line = RunReport.Legacy.Key(key: "color", bucket: .unmapped, source: "p.plist")
        #expect(!NearKeys(manifest, [line], shape: Self.shape([])).needsValues)
    }

    @Test(
        "a key with a word of the app's own state is named if another word says that a user chooses it",
        arguments: [
            ("countInBars", true), ("reviewInterval", true), ("sessionLength", true), ("recentLimit", true),
            ("launchCount", false), ("reviewPrompts", false), ("lastTab", false), ("tipIndex", false),
            ("SUScheduledHours", false), ("FBSDKSettingsState", false), ("SUNRISE", true), ("GUIScale", true),
        ])
    func chosen(key: String, isNamed: Bool) throws {
        let found = try warnings(values: [(key, .integer(40))], columns: [Self.columns[1]])
        #expect(found.map(\.code) == (isNamed ? ["keyNotMapped"] : []))
    }

    @Test("a list in JSON text fits a column of text that no rule fills")
    func listInText() throws {
        let found = try warnings(values: [("order", .string(#"["a","b"]"#))], columns: [Self.columns[0]])
        #expect(found.map(\.code) == ["keyNotMapped"])
        #expect(try warnings(values: [("order", .string(#"["a","b"]"#))], columns: [Self.columns[1]]).isEmpty)
    }
}
