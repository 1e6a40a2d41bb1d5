import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Testing

/// The proof reads two stores with the same rows in stored order, and others by key, and finds the same in both.
struct RowOrderTests {
    private static let table = "CREATE TABLE Item(id TEXT, title, amount, updatedAt); CREATE INDEX i ON Item(id);"

    private func prove(_ local: [[Value]], _ cloud: [[Value]]) throws -> CopyProof.Finding {
        let entity = Entity(name: "Item", key: "id", modified: .init(column: "updatedAt"))
        let fixture = try CopyFixture([entity], schema: "")
        for (path, rows) in [(fixture.localPath, local), (fixture.cloudPath, cloud)] {
            let store = try SampleStore(path, Self.table + "BEGIN;")
            for row in rows { try store.execute("INSERT INTO Item VALUES (?, ?, ?, ?)", row) }
            try store.execute("COMMIT")
            try store.close()
        }
        let found = try #require(try fixture.prove().first)
        for (count, size) in [(1, UInt64(1)), (2, 7), (3, 1)] {
            #expect(try fixture.prove(by: .of(count, rangeSize: size)) == [found], "\(count) threads")
        }
        return found
    }

    @Test("the order of rows does not change what a comparison finds", arguments: UInt64(0)..<20)
    func agrees(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let titles: [Value] = [
            .null, .integer(1), .real(1), .real(-0.0), .real(0), .string("1"), .blob([49]), .blob([]),
        ]
        let local = (0..<60).map { number -> [Value] in
            [
                .string("k\(number * 7919 % 61)"), titles.randomElement(using: &generator) ?? .null, .integer(1),
                .integer(Int64(number % 3)),
            ]
        }
        var cloud = local
        for _ in 0..<Int(seed % 4) {
            let index = Int.random(in: 0..<cloud.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: cloud.remove(at: index)
            case 1: cloud[index][1] = .string("other")
            case 2: cloud[index][3] = .integer(Int64.random(in: 0..<3, using: &generator))
            default: cloud.append([.string("more\(index)-\(cloud.count)"), .null, .null, .null])
            }
        }
        let found = try prove(local, cloud)
        #expect(try prove(local.shuffled(using: &generator), cloud.shuffled(using: &generator)) == found)
        #expect(try prove(local, cloud.reversed()) == found)
        if seed % 4 == 0 { #expect(found.holds && found.equal == 60 && found.local == 60) }
    }

    @Test(
        "one value of the last row that differs only in its bits is found",
        arguments: [
            (Value.real(0), Value.real(-0.0)), (.integer(1), .real(1)), (.string("a"), .blob([97])),
            (.string(""), .null), (.blob([]), .null), (.blob([]), .string("")), (.blob([0]), .blob([0, 0])),
            (.string("é"), .string("e\u{301}")),
        ])
    func bits(mine: Value, theirs: Value) throws {
        let rows = (0..<50).map { [Value.string("k\($0)"), .integer(Int64($0)), .null, .integer(1)] }
        let local = rows + [[.string("z"), mine, .null, .integer(2)]]
        let cloud = rows + [[.string("z"), theirs, .null, .integer(1)]]
        let found = try prove(local, cloud)
        #expect((found.equal, found.different, found.failed.first?.key) == (50, 1, "z"))
        #expect(try prove(local, local).equal == 51)
    }

    @Test("a store with one more or one missing row at the end differs")
    func ends() throws {
        let rows = (0..<10).map { [Value.string("k\($0)"), .integer(Int64($0)), .null, .integer(1)] }
        let more = try prove(rows, rows + [[.string("z"), .null, .null, .null]])
        #expect((more.equal, more.onlyCloud, more.holds) == (10, 1, true))
        let less = try prove(rows, rows.dropLast())
        #expect((less.equal, less.missing, less.failed.first?.key) == (9, 1, "k9"))
    }
}

extension RowThreads {
    /// Threads that divide even a few rows.
    static func of(_ count: Int, rangeSize: UInt64 = 1) -> RowThreads {
        var threads = RowThreads()
        (threads.count, threads.rangeSize) = (count, rangeSize)
        return threads
    }
}
