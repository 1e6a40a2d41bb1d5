import GodwitModel
import GodwitSQLite
import GodwitDedupe
import GodwitTestSupport
import Testing

/// Random tables are deduplicated and restored, and one table in random orders.
///
/// 50 stores of 22 tables are 1,100 tables; 20 tables in 52 orders each are 1,040 orders.
struct UndoPropertyTests {
    /// The choices of a run, without its identifier.
    private func choices(_ bench: DedupeBench, _ run: String) throws -> [[Value]] {
        guard try bench.has("godwit_removed") else { return [] }
        return try bench.rows(
            "SELECT entity, key, record, reason, winnerKey FROM godwit_removed WHERE runId = ? ORDER BY id",
            [.string(run)])
    }

    @Test(
        "in random stores, undo restores the former rows, and another dedupe chooses the same winners",
        arguments: GeneratedCases.numbers(0..<50, few: 15))
    func roundTrip(seed: Int) throws {
        let tables = RandomTables(seed: UInt64(seed))
        var bench = try tables.bench()
        // What is known of rows is kept in memory, on disk, or first on disk and then in memory.
        bench.rowsInMemory = [nil, 0, 3][seed % 3]
        let before = try bench.contents()
        let report = try bench.dedupe()
        let deduped = try bench.contents()
        let (removed, first) = (report.removed.values.reduce(0, +), try choices(bench, "RUN-1"))
        #expect(first.count == removed)
        #expect(report.groupCount == 0 || deduped != before)
        let store = try bench.undo()
        #expect(store.restored.values.reduce(0, +) == removed)
        #expect(store.kept == 0)
        let undone = try bench.contents()
        for table in before.keys { #expect(undone[table] == before[table], "\(table) of \(seed)") }
        #expect(try bench.dedupe(run: "RUN-2").removed == report.removed)
        #expect(try bench.contents() == deduped)
        #expect(try choices(bench, "RUN-2") == first)
        try bench.undo("RUN-2", by: "UNDO-2")
        #expect(try bench.contents() == before)
    }

    @Test("the random stores have duplicates")
    func generator() throws {
        var found = (records: 0, removed: 0, repointed: 0, rekeyed: 0)
        for seed in 0..<5 {
            let bench = try RandomTables(seed: UInt64(seed)).bench()
            found.records += try bench.contents().values.reduce(0) { $0 + $1.count }
            let report = try bench.dedupe()
            found.removed += report.removed.values.reduce(0, +)
            found.repointed += report.repointed
            found.rekeyed += report.groups.count(where: \.rekeyed)
        }
        #expect(found.records > 300)
        #expect(found.removed > 100)
        #expect(found.repointed > 20)
        #expect(found.rekeyed > 10)
    }

    /// The number of orders of one table in a store.
    private static let orders = 52

    @Test(
        "rows in any order have the same winner and give the same ledger",
        arguments: GeneratedCases.numbers(0..<20, few: 8))
    func orders(seed: Int) throws {
        var dice = SeededGenerator(seed: UInt64(seed) &+ 4711)
        let isSingleton = seed % 4 == 0
        let options = seed % 3 == 0 ? "seq INTEGER NOT NULL, PRIMARY KEY(key, seq)) WITHOUT ROWID" : "seq INTEGER)"
        let keys: [Value] = [.string("a"), .string("A"), .integer(1), .string("1"), .blob([0x61])]
        let dates: [Value] = [
            .null, .string("2026-01-01T00:00:00Z"), .string("2026-01-01T05:00:00+05:00"), .string("x"),
        ]
        let bodies: [Value] = [
            .null, .integer(1), .real(1), .real(-0.0), .real(0), .string("1"), .string("b"), .blob([0x62]),
        ]
        let rows = (0..<24).map { row -> [Value] in
            [
                keys.randomElement(using: &dice) ?? .null, dates.randomElement(using: &dice) ?? .null,
                bodies.randomElement(using: &dice) ?? .null, .integer(options.contains("WITHOUT") ? Int64(row) : 0),
            ]
        }
        let names = (0..<Self.orders).map { "E\($0)" }
        let entities = names.map {
            Entity(
                name: $0, key: "key", modified: ModifiedColumn(column: "at"),
                conflict: seed % 2 == 0 ? .keepNewest : .keepEarliest, singleton: isSingleton ? "singleton" : nil)
        }
        let schema = names.map { "CREATE TABLE \($0)(key, at, body, \(options);" }.joined(separator: "\n")
        let bench = try DedupeBench(entities, schema)
        let shuffled = names.map { _ in rows.shuffled(using: &dice) }
        try bench.write { connection throws(GodwitError) in
            for (name, rows) in zip(names, shuffled) {
                for row in rows { try connection.execute("INSERT INTO \(name) VALUES (?, ?, ?, ?)", row) }
            }
        }
        let report = try bench.dedupe()
        let contents = try bench.contents()
        let expected = try #require(contents["E0"])
        #expect(expected.count < rows.count)
        let books = """
            SELECT key, record, reason, winnerKey FROM godwit_removed WHERE entity = ? ORDER BY id
            """
        let kept = try bench.rows(books, [.string("E0")])
        #expect(expected.count + kept.count == rows.count)
        let winners = report.groups.filter { $0.entity == "E0" }.map(\.winner)
        for name in names {
            #expect(contents[name] == expected, "\(name) of \(seed)")
            #expect(try bench.rows(books, [.string(name)]) == kept, "\(name) of \(seed)")
            #expect(report.groups.filter { $0.entity == name }.map(\.winner) == winners)
        }
    }
}
