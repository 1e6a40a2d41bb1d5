import GodwitModel
import GodwitPropertyList
import Testing

/// Lists without a rule that an entity without a rule may be meant for.
extension FittingKeysTests {
    @Test("a list without a rule is reported with an entity without records that no rule fills")
    func listOfEmptyEntity() throws {
        for value in [Self.list, .dictionary([LegacyPair(key: "a", value: .bool(true))]), .string("[\"a\"]")] {
            let found = try warnings(values: [("hearts", value)], hasRecords: false)
            #expect(found.map(\.code) == ["keyNotMapped"])
            for part in ["'hearts'", "`p.plist`", "`StarredItem.itemId`"] {
                #expect(found.first?.message.contains(part) == true)
            }
            #expect(try warnings(localOnly: "hearts", values: [("hearts", value)], hasRecords: false) == [])
            #expect(try warnings(values: [("hearts", value)]) == [])
        }
        for key in ["recentSearches", "lastViewedObjects", "searchHistory", "recentTargets", "collapsedGroups"] {
            #expect(try warnings(values: [(key, Self.list)], hasRecords: false) == [], "\(key)")
        }
        for value in [
            LegacyValue.array([]), .string("a"), .array([.integer(1)]), .array([.string("a"), .array([])]),
            .dictionary([LegacyPair(key: "a", value: .string("b"))]), .integer(3),
        ] {
            #expect(try warnings(values: [("hearts", value)], hasRecords: false) == [])
        }
        // A late import has only the new keys.
        #expect(try warnings(values: [("hearts", Self.list)], isWhole: false, hasRecords: false) == [])
    }

    @Test(
        "a list whose name shares a word with an entity that no rule fills is reported also if the entity has records")
    func listNamedLikeEntity() throws {
        for key in ["starredObjects", "allStars", "item_marks"] {
            #expect(try warnings(values: [(key, Self.list)]).map(\.code) == ["keyNotMapped"], "\(key)")
            #expect(try warnings(values: [(key, .integer(4))]) == [], "\(key)")
        }
        // Of two lists the one with the entity's word is named, and only one.
        let both = try warnings(values: [("hearts", Self.list), ("starredObjects", Self.list)], hasRecords: false)
        #expect(both.count == 1 && both[0].message.contains("'starredObjects'"))
        #expect(try warnings(values: [("recentItems", Self.list)]) == [])
        let rule = "{ key: stars, into: StarredItem.itemId }"
        let values = [("stars", Self.list), ("starredObjects", Self.list)]
        #expect(try warnings(favorites: rule, values: values, hasRecords: false) == [])
    }

    @Test("a list is not reported with an entity that has columns which a list does not fill, and only with one target")
    func listOfAnotherEntity() throws {
        let values = [("hearts", LegacyValue.string("a,b"))]
        func count(_ starred: [ColumnShape], _ columns: [ColumnShape] = []) throws -> Int {
            try warnings(values: values, columns: columns, starred: starred, hasRecords: false).count
        }
        let title = ColumnShape(name: "title", type: "TEXT", isNotNull: true)
        let free = ["a", "b", "c"].map { ColumnShape(name: $0, type: "TEXT") }
        #expect(try count([title]) == 0)
        #expect(try count([ColumnShape(name: "n", type: "INTEGER", isNotNull: true, defaultSQL: "0")]) == 1)
        #expect(try count([ColumnShape(name: "pk", type: "INTEGER", isNotNull: true, primaryKeyIndex: 1)]) == 1)
        #expect(try count(Array(free.prefix(2))) == 1)
        #expect(try count(free) == 0)
        #expect(try count([], [Self.columns[0]]) == 1)
    }
}
