import GodwitModel
import GodwitSQLite
import GodwitDedupe
import Testing

/// The decision on one group, without a store.
struct DuplicateGroupTests {
    private func candidate(_ key: String, _ seconds: Int64?) -> WinnerRule.Candidate {
        WinnerRule.Candidate(
            key: .string(key), modified: seconds.map { Instant(seconds: $0) },
            columns: [.string(key), seconds.map { .integer($0) } ?? .null])
    }

    private func decide(
        _ candidates: [WinnerRule.Candidate], fixed: String? = nil, rule: ConflictRule = .keepNewest
    ) -> DuplicateGroup? {
        DuplicateGroup.decide(candidates, rule: rule, fixedKey: fixed.map { .string($0) })
    }

    @Test("no record, or one with the right key, needs nothing")
    func nothing() {
        #expect(decide([]) == nil)
        #expect(decide([], fixed: "s") == nil)
        #expect(decide([candidate("a", 1)]) == nil)
        #expect(decide([candidate("s", 1)], fixed: "s") == nil)
    }

    @Test(
        "one singleton with a wrong key gets the right key, and no record is removed", arguments: ["a", "S", "s ", ""])
    func rekeyed(_ key: String) throws {
        let group = try #require(decide([candidate(key, 1)], fixed: "s"))
        #expect(group.winner == 0)
        #expect(group.losers.isEmpty)
        #expect(group.isRekeyed)
        #expect(group.finalKey == .string("s"))
        #expect(group.reason == .onlyOne)
    }

    @Test("of several records, the winner keeps its own key")
    func several() throws {
        let group = try #require(decide([candidate("a", 1), candidate("a", 3), candidate("a", 2)]))
        #expect(group.winner == 1)
        #expect(group.losers == [0, 2])
        #expect(!group.isRekeyed)
        #expect(group.finalKey == .string("a"))
        #expect(group.reason == .newest)
    }

    @Test("the fixed key goes to the winner, whether or not another record has it")
    func fixedKey() throws {
        let taken = try #require(decide([candidate("s", 1), candidate("b", 2)], fixed: "s"))
        #expect(taken.winner == 1)
        #expect(taken.losers == [0])
        #expect(taken.isRekeyed)
        let owned = try #require(decide([candidate("s", 3), candidate("b", 2)], fixed: "s"))
        #expect(owned.winner == 0)
        #expect(!owned.isRekeyed)
        let free = try #require(decide([candidate("c", 1), candidate("b", 2)], fixed: "s"))
        #expect(free.finalKey == .string("s"))
    }

    @Test("the rule of the entity decides")
    func rule() throws {
        #expect(try #require(decide([candidate("a", 1), candidate("a", 2)], rule: .keepEarliest)).winner == 0)
    }

    @Test(
        "the fixed key is compared in its stored form",
        arguments: [
            ("TEXT", "1", .string("1")), ("VARCHAR(10)", "1", .string("1")), ("", "1", .string("1")),
            ("BLOB", "1", .string("1")), ("INTEGER", "1", .integer(1)), ("BIGINT", "-7", .integer(-7)),
            ("NUMERIC", "1", .integer(1)), ("DATETIME", "1", .integer(1)), ("REAL", "1", .real(1)),
            ("DOUBLE", "1", .real(1)), ("INTEGER", "singleton", .string("singleton")), ("CHARINT", "1", .integer(1)),
            ("NUMERIC", "1.0", .integer(1)), ("INT", "1e3", .integer(1000)), ("NUMERIC", "-1.5", .real(-1.5)),
            ("REAL", "1.0", .real(1)), ("REAL", "1e3", .real(1000)), ("REAL", "-0.0", .real(0)),
            ("INT", " 7 ", .integer(7)),
            ("NUMERIC", "9223372036854775808", .real(9_223_372_036_854_775_808)), ("NUMERIC", "1 2", .string("1 2")),
            ("NUMERIC", "inf", .string("inf")), ("INT", "0x10", .string("0x10")), ("REAL", "1e", .string("1e")),
            ("TEXT", "1.0", .string("1.0")),
        ] as [(String, String, Value)])
    func affinity(_ type: String, _ fixed: String, _ expected: Value) throws {
        let entity = Entity(name: "Settings", key: "id", singleton: fixed)
        let shape = SchemaShape(tables: [
            TableShape(name: "Settings", columns: [ColumnShape(name: "id", type: type)])
        ])
        #expect(try EntityTable(entity, in: shape, store: "s", stage: .dedupe).fixedKey == expected)
        // SQLite itself agrees.
        let bench = try DedupeBench(
            [entity], "CREATE TABLE Settings(id \(type)); INSERT INTO Settings VALUES ('\(fixed)');")
        #expect(try bench.rows("SELECT id FROM Settings") == [[expected]])
        #expect(try !bench.hasWork())
    }
}
