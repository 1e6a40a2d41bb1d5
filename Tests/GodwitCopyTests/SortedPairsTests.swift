import GodwitModel
import GodwitSQLite
import Foundation
import GodwitCopy
import GodwitTestSupport
import Testing

/// Rows that belong together, recorded in the order of keys and read in the order of local rows.
struct SortedPairsTests {
    private struct Pair: Equatable {
        let mine: Int64
        let theirs: Int64?
    }

    private func sort(_ pairs: [Pair], inMemory limit: Int, _ context: RunContext = .sample()) throws -> SortedPairs {
        var noted = RowPairs(context, stage: .copy, maxRowsInMemory: limit)
        for pair in pairs { try noted.add(pair.mine, pair.theirs) }
        return try noted.sorted()
    }

    private func read(_ pairs: SortedPairs, _ range: RowRange = .all) throws -> [Pair] {
        var found: [Pair] = []
        try pairs.forEach(in: range) { mine, theirs in found.append(Pair(mine: mine, theirs: theirs)) }
        return found
    }

    /// Pairs in random order; a third has no partner.
    private func make(_ count: Int, seed: UInt64) -> [Pair] {
        var generator = SeededGenerator(seed: seed)
        let rows = Set((0..<count).map { _ in Int64.random(in: -50_000...50_000, using: &generator) })
        return rows.sorted().shuffled(using: &generator).map { row in
            Pair(mine: row, theirs: row % 3 == 0 ? nil : .random(in: .min ... .max, using: &generator))
        }
    }

    @Test(
        "pairs are read in the order of the local rows, from memory and from disk", arguments: [0, 1, 700, 3000],
        [1, 255, 256, 257, 512, 5000])
    func order(count: Int, limit: Int) throws {
        let pairs = make(count, seed: UInt64(count))
        let expected = pairs.sorted { $0.mine < $1.mine }
        let sorted = try sort(pairs, inMemory: limit)
        #expect(try read(sorted) == expected)
        // Once more, as another thread does.
        #expect(try read(sorted) == expected)
    }

    @Test("ranges have each pair once", arguments: [100, 300, 100_000], [1, 2, 7, 32])
    func ranges(limit: Int, most: Int) throws {
        let pairs = make(2000, seed: 5)
        let sorted = try sort(pairs, inMemory: limit)
        let bounds = try #require(sorted.bounds)
        let ranges = RowRange.parts(from: bounds.first, through: bounds.last, most: most, ofAtLeast: 1)
        #expect(ranges.count == most)
        let parts = try ranges.map { try read(sorted, $0) }
        #expect(parts.flatMap(\.self) == pairs.sorted { $0.mine < $1.mine })
        #expect(parts.allSatisfy { !$0.isEmpty }, "they are of about one size")
    }

    @Test("the smallest and the largest row numbers are distinct from none", arguments: [1, 2, 100])
    func extremes(limit: Int) throws {
        let pairs = [
            Pair(mine: .max, theirs: nil), Pair(mine: 5, theirs: .min), Pair(mine: .min, theirs: .max),
            Pair(mine: 0, theirs: nil), Pair(mine: 6, theirs: 5),
        ]
        let sorted = try sort(pairs, inMemory: limit)
        #expect(try read(sorted) == pairs.sorted { $0.mine < $1.mine })
        #expect(try read(sorted, RowRange(first: .max, last: .max)) == [pairs[0]])
        #expect(try read(sorted, RowRange(first: 5, last: 5)) == [pairs[1]])
        #expect(try read(sorted, RowRange(first: 1, last: 4)) == [])
    }

    @Test("without pairs there is nothing, and no bounds")
    func none() throws {
        let sorted = try sort([], inMemory: 10)
        #expect(try read(sorted) == [])
        #expect(sorted.bounds == nil)
    }

    @Test("a cancelled command adds no pairs")
    func cancelled() throws {
        let cancellation = Cancellation()
        cancellation.cancel()
        let context = RunContext.sample(cancellation: cancellation)
        #expect(failure { _ = try sort(make(100, seed: 1), inMemory: 10, context) }?.code == .interrupted)
    }
}

/// Rows by rowid, read with one cursor while the rowids follow each other.
struct RowSeekerTests {
    private static let rows: [Int64] = [.min, -7, 1, 2, 3, 5, 8, 13, 100, 101, 102, 5000, .max]

    /// The value of each requested row; nil if there is none.
    private func values(_ wanted: [Int64]) throws -> [String?] {
        let fixture = try CopyFixture(
            [Entity(name: "Item", key: "id")], schema: "CREATE TABLE Item(id INTEGER PRIMARY KEY, a);")
        try fixture.local(
            Self.rows.map { "INSERT INTO Item VALUES (\($0), 'v\($0)');" }.joined(separator: "\n")
        ).close()
        let snapshot = try StoreSnapshot(
            of: fixture.localPath, name: "local", stage: .copy, context: .sample(), checkingIntegrity: false)
        let select = "SELECT a, id FROM Item WHERE id >= ? ORDER BY id"
        var seeker = RowSeeker(
            try snapshot.connection.prepare(select), try snapshot.connection.prepare(select), rowColumn: 1)
        var found: [String?] = []
        for row in wanted {
            found.append(try seeker.go(to: row) ? try seeker.withRow { $0.value(0).readable } : nil)
        }
        return found
    }

    @Test(
        "each row is found, in any order of lookups",
        arguments: [
            rows, rows.reversed(), [1, 5000, 2, .max, 3, .min, 5, -7, 8], [1, 1, 1], [100, 1, 101, 2, 102, 3, 5000, 8],
        ] as [[Int64]])
    func found(wanted: [Int64]) throws {
        #expect(try values(wanted) == wanted.map { "v\($0)" })
    }

    @Test("a missing row is not found, and later ones are")
    func missing() throws {
        #expect(
            try values([1, 4, 5, 6, 7, 8, .max - 1, .max, 0, 1])
                == ["v1", nil, "v5", nil, nil, "v8", nil, "v\(Int64.max)", nil, "v1"])
    }

    @Test("random rows are found as by a simple search", arguments: UInt64(0)..<20)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let wanted = (0..<60).map { _ in
            Int64.random(in: 0...3, using: &generator) == 0
                ? Self.rows.randomElement(using: &generator) ?? 0 : Int64.random(in: -10...110, using: &generator)
        }
        #expect(try values(wanted) == wanted.map { Self.rows.contains($0) ? "v\($0)" : nil })
    }
}
