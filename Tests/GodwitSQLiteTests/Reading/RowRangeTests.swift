import GodwitSQLite
import GodwitTestSupport
import Testing

/// Ranges of rows' numbers, which together have every number there is.
struct RowRangeTests {
    /// Whether each range begins behind the one before, from the smallest number to the greatest.
    private func haveEverything(_ ranges: [RowRange]) -> Bool {
        ranges.first?.first == .min && ranges.last?.last == .max && ranges.allSatisfy { $0.first <= $0.last }
            && zip(ranges, ranges.dropFirst()).allSatisfy { $0.last < .max && $0.last + 1 == $1.first }
    }

    @Test(
        "they have every number once, whatever numbers there are",
        arguments: [(1, 100), (1, 7), (-50, 50), (.min, .max), (.max - 1, .max), (.min, .min + 1), (0, .max)]
            as [(Int64, Int64)],
        [1, 2, 3, 32])
    func whole(numbers: (Int64, Int64), most: Int) {
        let ranges = RowRange.parts(from: numbers.0, through: numbers.1, most: most, ofAtLeast: 1)
        #expect(haveEverything(ranges) && ranges.count <= most)
    }

    @Test("random ones do, too", arguments: UInt64(0)..<200)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let ends = [Int64.random(in: .min ... .max, using: &generator), .random(in: .min ... .max, using: &generator)]
        let shift = Int64.random(in: 0..<63, using: &generator)
        let numbers = ends.map { $0 >> shift }.sorted()
        let most = Int.random(in: 1...40, using: &generator)
        let ranges = RowRange.parts(from: numbers[0], through: numbers[1], most: most, ofAtLeast: 1)
        #expect(haveEverything(ranges) && ranges.count <= most, "\(numbers) in \(most)")
    }

    @Test("those between the numbers that there are have about as many each")
    func even() {
        let ranges = RowRange.parts(from: 1, through: 1_000_001, most: 4, ofAtLeast: 16)
        #expect(ranges.map(\.first) == [.min, 250_001, 500_001, 750_001])
    }

    @Test(
        "few numbers are not worth more than one", arguments: [(1, 1), (5, 4), (1, 100)] as [(Int64, Int64)])
    func few(numbers: (Int64, Int64)) {
        #expect(RowRange.parts(from: numbers.0, through: numbers.1, most: 32, ofAtLeast: 200) == [.all])
    }

    @Test("there are as many as are worth it", arguments: [(100, 1), (200, 2), (250, 2), (399, 3), (10_000, 32)])
    func count(last: Int64, expected: Int) {
        #expect(RowRange.parts(from: 0, through: last, most: 32, ofAtLeast: 100).count == expected)
    }
}
