import GodwitSQLite
import GodwitTestSupport
import Testing

/// The sum of pairs of words differs between lists.
struct PairSumTests {
    private static let size = 16 * PairSum.mostPairs

    private static func digest(_ block: [UInt8]) -> [UInt64] {
        var (sum, hash) = (PairSum(), SipHash(.drawn))
        block.withUnsafeBytes { sum.add(block: $0, .drawn) }
        sum.combine(into: &hash)
        let (first, second) = hash.finished()
        return [first, second]
    }

    private static func block(seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test("equal pairs have equal sums, and each bit counts", arguments: 0..<4)
    func bits(seed: UInt64) {
        let block = Self.block(seed: seed)
        let whole = Self.digest(block)
        #expect(Self.digest(block) == whole)
        for bit in stride(from: Int(seed), to: 8 * Self.size, by: 7) {
            var other = block
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            if Self.digest(other) == whole { Issue.record("bit \(bit) is not seen") }
        }
    }

    @Test("exchanged words change the sum, in a pair and between pairs")
    func places() {
        let block = Self.block(seed: 9)
        let whole = Self.digest(block)
        func word(_ number: Int) -> Range<Int> { 8 * number..<8 * number + 8 }
        for one in 0..<2 * PairSum.mostPairs {
            for other in 0..<one {
                var moved = block
                moved.replaceSubrange(word(one), with: block[word(other)])
                moved.replaceSubrange(word(other), with: block[word(one)])
                if Self.digest(moved) == whole { Issue.record("\(one) and \(other) may change places") }
            }
        }
    }

    @Test("zeros count by their offset")
    func zeros() {
        var found: [[UInt64]] = []
        for count in 0...2 * PairSum.mostPairs {
            let ones = [UInt8](repeating: 1, count: 8 * count)
            found.append(Self.digest(ones + [UInt8](repeating: 0, count: Self.size - ones.count)))
        }
        #expect(Set(found).count == found.count)
    }
}
