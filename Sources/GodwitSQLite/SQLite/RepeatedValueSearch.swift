package import GodwitModel

/// Finds out if a column may have a value twice, in one or two scans of its table, in any order and in constant memory.
///
/// Sorting a million text keys takes SQLite 1.5 s, and needs space for all of them; this takes 0.1 s. The hashes of up to
/// 500,000 values are kept. Of more, the first scan marks a bit for each value's hash. Where the bit is marked already,
/// two values share it: about one of thirty. The second scan compares the hashes of the values at these bits only.
package struct RepeatedValueSearch {
    /// 8 MiB of hashes, half of them unused.
    private static let maxHashes: Int64 = 500_000
    /// 16 MiB of bits; with more than 8 million values, more of them share one.
    private static let maxBits: Int64 = 1 << 27
    /// Bits for each value: with more of them, the bits do not fit into the processor's cache.
    private static let spread: Int64 = 16

    private let connection: SQLiteConnection
    private let column: String
    private let source: String
    /// Approximate number of values.
    private let count: Int64

    /// - Parameter column: the column, quoted for SQL.
    package init(of column: String, in table: String, _ connection: SQLiteConnection) throws(GodwitError) {
        (self.connection, self.column) = (connection, column)
        source = try connection.source(table)
        count = try connection.estimateRecords(of: table)
    }

    /// False if no value occurs twice; true if two values have the same hash, or if it can't be found out this way.
    package func mayFindAny() throws(GodwitError) -> Bool {
        guard count <= Self.maxHashes else { return try compareMarked() }
        let hashes = HashTable(for: count)
        let areDistinct = try connection.scan([column], from: source) { row throws(GodwitError) in
            hashes.insert(ValueHash.of(row[0]))
        }
        if areDistinct { return false }
        return hashes.isFull ? try compareMarked() : true
    }

    private func compareMarked() throws(GodwitError) -> Bool {
        let marks = Marks(atLeast: min(max(count, 64) * Self.spread, Self.maxBits))
        let limit = max(1 << 12, Int(count / 4))
        let shared = Hashes(limit: limit)
        let isRead = try connection.scan([column], from: source) { row throws(GodwitError) in
            let hash = ValueHash.of(row[0])
            return marks.mark(hash) ? true : shared.add(hash)
        }
        guard isRead else { return true }
        if shared.all.isEmpty { return false }
        marks.removeAll()
        for hash in shared.all { _ = marks.mark(hash) }
        let found = Hashes(limit: 4 * limit)
        let isReadAgain = try connection.scan([column], from: source) { row throws(GodwitError) in
            let hash = ValueHash.of(row[0])
            return marks.has(hash) ? found.add(hash) : true
        }
        guard isReadAgain else { return true }
        let sorted = found.all.sorted()
        return zip(sorted, sorted.dropFirst()).contains(where: ==)
    }
}

/// Hashes of some values, up to a limit.
private final class Hashes {
    private let limit: Int
    @exclusivity(unchecked) private(set) var all: [UInt64] = []

    init(limit: Int) { self.limit = limit }

    /// Returns whether there is room for more.
    func add(_ hash: UInt64) -> Bool {
        all.append(hash)
        return all.count < limit
    }
}

/// Bits by the first bits of a hash.
private final class Marks {
    private let words: UnsafeMutableBufferPointer<UInt64>
    private let shift: UInt64

    init(atLeast count: Int64) {
        let bits = max(Int64.bitWidth - count.leadingZeroBitCount, 6)
        words = .allocate(capacity: 1 << (bits - 6))
        shift = UInt64(64 - bits)
        removeAll()
    }

    deinit { words.deallocate() }

    func removeAll() { words.update(repeating: 0) }

    /// Marks the bit of a hash; false if it is marked already.
    @inline(__always)
    func mark(_ hash: UInt64) -> Bool {
        let (word, mask) = place(hash)
        if words[word] & mask != 0 { return false }
        words[word] |= mask
        return true
    }

    @inline(__always)
    func has(_ hash: UInt64) -> Bool {
        let (word, mask) = place(hash)
        return words[word] & mask != 0
    }

    @inline(__always)
    private func place(_ hash: UInt64) -> (word: Int, mask: UInt64) {
        let bit = hash >> shift
        return (Int(truncatingIfNeeded: bit >> 6), 1 << (bit & 63))
    }
}
