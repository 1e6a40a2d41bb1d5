import GodwitSQLite
import GodwitTestSupport
import Testing

/// Ranges of rowids, which together have every possible number.
struct RowRangeTests {
    /// Whether each range begins after the previous one, from the smallest number to the greatest.
    private func haveEverything(_ ranges: [RowRange]) -> Bool {
        ranges.first?.first == .min && ranges.last?.last == .max && ranges.allSatisfy { $0.first <= $0.last }
            && zip(ranges, ranges.dropFirst()).allSatisfy { $0.last < .max && $0.last + 1 == $1.first }
    }

    @Test(
        "row ranges cover every number once, for any numbers",
        arguments: [(1, 100), (1, 7), (-50, 50), (.min, .max), (.max - 1, .max), (.min, .min + 1), (0, .max)]
            as [(Int64, Int64)],
        [1, 2, 3, 32])
    func whole(numbers: (Int64, Int64), most: Int) {
        let ranges = RowRange.parts(from: numbers.0, through: numbers.1, most: most, ofAtLeast: 1)
        #expect(haveEverything(ranges) && ranges.count <= most)
    }

    @Test("random row ranges cover every number once", arguments: UInt64(0)..<200)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let ends = [Int64.random(in: .min ... .max, using: &generator), .random(in: .min ... .max, using: &generator)]
        let shift = Int64.random(in: 0..<63, using: &generator)
        let numbers = ends.map { $0 >> shift }.sorted()
        let most = Int.random(in: 1...40, using: &generator)
        let ranges = RowRange.parts(from: numbers[0], through: numbers[1], most: most, ofAtLeast: 1)
        #expect(haveEverything(ranges) && ranges.count <= most, "\(numbers) in \(most)")
    }

    @Test("row ranges between the limits have about equal sizes")
    func even() {
        let ranges = RowRange.parts(from: 1, through: 1_000_001, most: 4, ofAtLeast: 16)
        #expect(ranges.map(\.first) == [.min, 250_001, 500_001, 750_001])
    }

    @Test(
        "a range that is smaller than one part is not split", arguments: [(1, 1), (5, 4), (1, 100)] as [(Int64, Int64)])
    func few(numbers: (Int64, Int64)) {
        #expect(RowRange.parts(from: numbers.0, through: numbers.1, most: 32, ofAtLeast: 200) == [.all])
    }

    @Test(
        "the number of ranges depends on the number of rows",
        arguments: [(100, 1), (200, 2), (250, 2), (399, 3), (10_000, 32)])
    func count(last: Int64, expected: Int) {
        #expect(RowRange.parts(from: 0, through: last, most: 32, ofAtLeast: 100).count == expected)
    }
}
