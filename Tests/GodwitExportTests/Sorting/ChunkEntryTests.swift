import GodwitExport
import GodwitTestSupport
import Testing

/// Entries are distributed by the bytes of their prefixes.
struct ChunkEntryTests {
    private static func entries(_ prefixes: [UInt64]) -> [ChunkEntry] {
        prefixes.enumerated().map { ChunkEntry(prefix: $1, offset: $0) }
    }

    /// The expected order, from a stable sort.
    private static func expected(_ entries: [ChunkEntry]) -> [ChunkEntry] {
        entries.sorted { ($0.prefix, $0.offset) < ($1.prefix, $1.offset) }
    }

    private static func sorted(_ entries: [ChunkEntry], _ spare: inout [ChunkEntry]) -> [ChunkEntry] {
        var entries = entries
        entries.sortByPrefix(with: &spare)
        return entries
    }

    @Test("few or sorted entries stay sorted")
    func small() {
        var spare: [ChunkEntry] = []
        for prefixes: [UInt64] in [
            [], [7], [1, 2], [2, 1], [5, 5, 5], [0, .max], [.max, 0], [1, 1, 2, 2], [3, 3, 2, 2],
        ] {
            let entries = Self.entries(prefixes)
            #expect(Self.sorted(entries, &spare) == Self.expected(entries), "\(prefixes)")
        }
    }

    @Test("numbers of every size are sorted, with any number of equal bytes", arguments: 0...UInt64(63))
    func sizes(shift: UInt64) {
        var dice = SeededGenerator(seed: shift)
        var spare = Self.entries([9, 8, 7])
        for count in [2, 3, 100, 3000] {
            let base = UInt64.random(in: 0 ... .max, using: &dice)
            let entries = Self.entries(
                (0..<count).map { _ in base &+ UInt64.random(in: 0 ... .max, using: &dice) >> shift })
            #expect(Self.sorted(entries, &spare) == Self.expected(entries), "\(count) numbers")
        }
    }

    @Test("numbers that differ in any one byte are sorted", arguments: 0..<UInt64(8))
    func oneByte(byte: UInt64) {
        var (dice, spare) = (SeededGenerator(seed: byte), [ChunkEntry]())
        let entries = Self.entries((0..<1000).map { _ in UInt64.random(in: 0...255, using: &dice) << (8 * byte) | 1 })
        #expect(Self.sorted(entries, &spare) == Self.expected(entries))
    }

    @Test("typical keys are sorted: hexadecimal digits, counted names, words of few letters", arguments: 1...UInt64(6))
    func keys(seed: UInt64) {
        var (dice, spare) = (SeededGenerator(seed: seed), [ChunkEntry]())
        let kinds: [(inout SeededGenerator, Int) -> String] = [
            { dice, _ in "\"" + String(UInt64.random(in: 0 ... .max, using: &dice), radix: 16) },
            { _, number in "set-" + String(number * 7919 % 5000) },
            { dice, _ in String((0..<8).map { _ in "abc".randomElement(using: &dice) ?? "a" }) },
            { dice, number in "begins " + (number % 2 == 0 ? "a" : String(UInt8.random(in: 0...9, using: &dice))) },
            { dice, number in number % 50 == 0 ? String(UInt64.random(in: 0 ... .max, using: &dice)) : "the same" },
        ]
        for (place, kind) in kinds.enumerated() {
            for count in [2, 17, 900, 20_000] {
                let entries = Self.entries((0..<count).map { Self.prefix(kind(&dice, $0)) })
                #expect(Self.sorted(entries, &spare) == Self.expected(entries), "kind \(place), \(count)")
            }
        }
    }

    private static func prefix(_ text: String) -> UInt64 {
        let bytes = Array(text.utf8.prefix(8))
        return (0..<8).reduce(0) { $0 << 8 | UInt64($1 < bytes.count ? bytes[$1] : 0) }
    }

    @Test("keys that differ only in their last bytes are sorted, in reverse and among others")
    func lastBytes() {
        var spare: [ChunkEntry] = []
        var prefixes = (0..<UInt64(256)).map { $0 << 56 | $0 << 48 | $0 << 40 }
        prefixes += (0..<20_000).map { 5 << 56 | UInt64(20_000 - $0) }
        let entries = Self.entries(prefixes)
        #expect(Self.sorted(entries, &spare) == Self.expected(entries))
        #expect(Self.sorted(entries.reversed(), &spare).map(\.prefix) == Self.expected(entries).map(\.prefix))
    }
}
