import GodwitExport
import GodwitTestSupport
import Testing

/// A digest depends on the text, and never on the pieces it was read in.
struct TextDigestTests {
    private static func digest(_ pieces: [ArraySlice<UInt8>], at offset: Int64 = 0) -> TextDigest.Value {
        var digest = TextDigest(at: offset)
        for piece in pieces { piece.withUnsafeBytes { digest.update($0) } }
        return digest.value
    }

    private static func digest(_ text: [UInt8], at offset: Int64 = 0) -> TextDigest.Value {
        digest([text[...]], at: offset)
    }

    private static func text(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test(
        "a text has the same digest for any division into parts", arguments: [0, 1, 15, 16, 1023, 1024, 1025, 5000],
        [0, 1, 1000, 1024, 70_001])
    func pieces(count: Int, offset: Int64) {
        let text = Self.text(count)
        let whole = Self.digest(text, at: offset)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<50 {
            let cuts = (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 0...count, using: &random)
            }
            let ends = cuts.sorted() + [count]
            #expect(Self.digest(zip([0] + ends, ends).map { text[$0..<$1] }, at: offset) == whole)
        }
        #expect(Self.digest(text, at: offset + Int64(TextDigest.blockSize)) == whole)
    }

    @Test("each changed bit, and each added or missing byte, changes the digest", arguments: [1, 16, 1000, 1024, 3000])
    func changes(count: Int) {
        let text = Self.text(count)
        let whole = Self.digest(text)
        var random = SeededGenerator(seed: 3)
        for offset in [0, count - 1] + (0..<200).map({ _ in Int.random(in: 0..<count, using: &random) }) {
            var other = text
            other[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            #expect(Self.digest(other) != whole)
        }
        #expect(Self.digest(text + [0]) != whole)
        #expect(Self.digest([0] + text) != whole)
        #expect(Self.digest(text.dropLast()) != whole)
        #expect(Self.digest(text, at: 1) != whole)
    }

    @Test("a text of zeros has a digest, and the order of words and blocks counts")
    func zerosAndPlaces() {
        let zeros = [0, 1, 16, 1023, 1024, 2048].map { Self.digest([UInt8](repeating: 0, count: $0)) }
        for (index, one) in zeros.enumerated() { #expect(!zeros[..<index].contains(one)) }
        let text = Self.text(4096)
        for size in [8, 16, 1024, 2048] {
            #expect(
                Self.digest(Array(text[size..<2 * size] + text[..<size] + text[(2 * size)...])) != Self.digest(text))
        }
    }

    @Test("a copy of a digest continues independently", arguments: [0, 500, 1024, 1500])
    func copies(count: Int) {
        let text = Self.text(4000)
        var first = TextDigest(at: 300)
        text[..<count].withUnsafeBytes { first.update($0) }
        var second = first
        text[count...].withUnsafeBytes { first.update($0) }
        Array(text[count...].reversed()).withUnsafeBytes { second.update($0) }
        #expect(first.value == Self.digest(text, at: 300))
        #expect(second.value == Self.digest(text[..<count] + text[count...].reversed(), at: 300))
        #expect(first.value != second.value)
    }
}
