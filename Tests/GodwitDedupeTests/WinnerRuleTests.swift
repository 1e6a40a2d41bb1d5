import GodwitModel
import GodwitTestSupport
import Testing

/// The laws of the winner rule, without a store.
struct WinnerRuleTests {
    /// A record with a date column, as stored, between its key and its other columns.
    private func candidate(_ key: String, _ date: String?, _ rest: Value...) -> WinnerRule.Candidate {
        WinnerRule.Candidate(
            key: .string(key), modified: date.flatMap { Instant(iso8601: $0) },
            columns: [.string(key)] + rest + [date.map { .string($0) } ?? .null])
    }

    private func winner(
        _ candidates: [WinnerRule.Candidate], _ rule: ConflictRule = .keepNewest
    ) -> (index: Int, reason: RunReport.Dedupe.Reason)? {
        WinnerRule.winner(among: candidates, rule: rule)
    }

    /// One to nine candidates with few distinct keys, dates and columns, so that ties are common.
    private func randomSet(_ generator: inout SeededGenerator) -> [WinnerRule.Candidate] {
        let values: [Value] = [
            .null, .integer(1), .real(1), .integer(-1), .real(0.5), .string("a"), .string("A"), .string("a "),
            .text([0x61, 0x00]), .blob([0x61]), .blob([]), .text([]),
        ]
        let dates = [
            nil, "2026-01-01T12:00:00+05:00", "2026-01-01T10:00:00Z", "2026-01-01T07:00:00Z", "1969-12-31T23:59:59Z",
        ]
        return (0..<Int.random(in: 1...9, using: &generator)).map { _ in
            let key = values[Int.random(in: 1..<values.count, using: &generator)]
            let date = dates[Int.random(in: 0..<dates.count, using: &generator)]
            return WinnerRule.Candidate(
                key: key, modified: date.flatMap { Instant(iso8601: $0) },
                columns: [
                    key, values[Int.random(in: 0..<values.count, using: &generator)],
                    date.map { .string($0) } ?? .null,
                ])
        }
    }

    @Test("the same record wins for the same reason, in any order", arguments: ConflictRule.allCases)
    func permutations(_ rule: ConflictRule) throws {
        var generator = SeededGenerator(seed: 20_261_121)
        for _ in 0..<1000 {
            let set = randomSet(&generator)
            let first = try #require(winner(set, rule))
            for _ in 0..<5 {
                let shuffled = set.shuffled(using: &generator)
                let again = try #require(winner(shuffled, rule))
                #expect(shuffled[again.index] == set[first.index])
                #expect(again.reason == first.reason)
            }
        }
    }

    @Test("the winner does not depend on omitted losers", arguments: ConflictRule.allCases)
    func subsets(_ rule: ConflictRule) throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<1000 {
            let set = randomSet(&generator)
            let best = set[try #require(winner(set, rule)).index]
            let half = set.filter { _ in Bool.random(using: &generator) } + [best]
            #expect(half[try #require(winner(half, rule)).index] == best)
        }
    }

    @Test("the order of pairs is total: without cycles, and equal only for equal records")
    func totalOrder() throws {
        var generator = SeededGenerator(seed: 42)
        func beats(_ a: WinnerRule.Candidate, _ b: WinnerRule.Candidate) throws -> Bool {
            try #require(winner([b, a])).index == 1
        }
        for _ in 0..<1000 {
            let (a, b, c) = (randomSet(&generator)[0], randomSet(&generator)[0], randomSet(&generator)[0])
            #expect(try !(beats(a, b) && beats(b, a)))
            if a != b { #expect(try beats(a, b) || beats(b, a)) }
            if try beats(a, b), try beats(b, c) { #expect(try beats(a, c)) }
        }
    }

    @Test("no records have no winner, and one record wins")
    func few() throws {
        #expect(winner([]) == nil)
        #expect(try #require(winner([candidate("a", nil)])) == (0, .onlyOne))
    }

    @Test("instants are compared, not texts: noon at +05:00 is earlier than ten in UTC")
    func offsets() throws {
        let set = [candidate("a", "2026-01-01T12:00:00+05:00"), candidate("b", "2026-01-01T10:00:00Z")]
        #expect(try #require(winner(set)) == (1, .newest))
        #expect(try #require(winner(set, .keepEarliest)) == (0, .earliest))
    }

    @Test("the last digit of a fraction decides")
    func fractions() throws {
        let set = [candidate("a", "2026-01-01T10:00:00.1Z"), candidate("b", "2026-01-01T10:00:00.1000000001Z")]
        #expect(try #require(winner(set)) == (1, .newest))
    }

    @Test("a missing or unreadable date is older than every other")
    func noDate() throws {
        let set = [candidate("b", "0001-01-01T00:00:00Z"), candidate("a", nil)]
        #expect(try #require(winner(set)) == (0, .newest))
        #expect(try #require(winner(set, .keepEarliest)) == (1, .earliest))
    }

    @Test("equal instants are decided by the smaller key, by bytes", arguments: ConflictRule.allCases)
    func keyTies(_ rule: ConflictRule) throws {
        let set = [
            candidate("b", "2026-01-01T12:00:00+02:00"), candidate("a", "2026-01-01T10:00:00Z"),
            candidate("B", "2026-01-01T10:00:00.000Z"),
        ]
        #expect(try #require(winner(set, rule)) == (2, .smallerKey))
    }

    @Test("equal keys are decided by the smaller columns: NULL before numbers before text before blobs")
    func columnTies() throws {
        let set = [
            candidate("a", nil, .blob([])), candidate("a", nil, .string("")), candidate("a", nil, .integer(.max)),
            candidate("a", nil, .null),
        ]
        #expect(try #require(winner(set)) == (3, .smallerColumns))
        #expect(try #require(winner(Array(set.dropLast()))) == (2, .smallerColumns))
        #expect(try #require(winner(Array(set.dropLast(2)))) == (1, .smallerColumns))
    }

    @Test("records equal in all columns are identical")
    func identical() throws {
        let set = Array(repeating: candidate("a", "2026-01-01T10:00:00Z", .integer(1)), count: 3)
        #expect(try #require(winner(set)).reason == .identical)
        #expect(try #require(winner(set + [candidate("a", "2025-01-01T10:00:00Z", .integer(1))])).reason == .newest)
        #expect(
            try #require(winner(set + [candidate("a", "2026-01-01T10:00:00Z", .integer(2))])).reason == .smallerColumns)
    }

    @Test("integer 1 and real 1.0 are two records, and the integer is smaller")
    func storageClasses() throws {
        #expect(
            try #require(winner([candidate("a", nil, .real(1)), candidate("a", nil, .integer(1))])) == (
                1, .smallerColumns
            ))
    }

    @Test("inside one store, keepCloud and keepLocal keep the newest", arguments: [ConflictRule.keepCloud, .keepLocal])
    func storeRules(_ rule: ConflictRule) throws {
        let set = [candidate("a", "2026-01-01T10:00:00Z"), candidate("a", "2026-01-02T10:00:00Z")]
        #expect(try #require(winner(set, rule)) == (1, .newest))
    }

    @Test(
        "between two stores the rule decides, and equal dates keep the cloud record",
        arguments: [
            (1, 2, .keepNewest, .cloud, .newest), (2, 1, .keepNewest, .local, .newest),
            (1, 2, .keepEarliest, .local, .earliest), (2, 1, .keepEarliest, .cloud, .earliest),
            (1, 1, .keepNewest, .cloud, .tieCloud), (1, 1, .keepEarliest, .cloud, .tieCloud),
            (nil, 1, .keepNewest, .cloud, .newest), (nil, 1, .keepEarliest, .local, .earliest),
            (1, nil, .keepNewest, .local, .newest), (1, nil, .keepEarliest, .cloud, .earliest),
            (nil, nil, .keepNewest, .cloud, .tieCloud), (2, 1, .keepCloud, .cloud, .cloudKept),
            (1, 2, .keepLocal, .local, .localKept),
        ] as [(Int64?, Int64?, ConflictRule, StoreRole, RunReport.Dedupe.Reason)])
    func stores(
        _ local: Int64?, _ cloud: Int64?, _ rule: ConflictRule, _ store: StoreRole, _ reason: RunReport.Dedupe.Reason
    ) {
        let result = WinnerRule.winner(
            local: local.map { Instant(seconds: $0) }, cloud: cloud.map { Instant(seconds: $0) }, rule: rule)
        #expect(result == (store, reason))
    }
}
