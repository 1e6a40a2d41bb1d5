/// A set of entries in any order: their number, and the sum of their digests.
///
/// A digest is a keyed hash of 64 bits (`EntryDigest`). The author of a file does not know the key, so to them the
/// digests of different entries are random numbers. If two collections differ, their sums are equal with a probability
/// of about 2 to the power of -64, for random and for deliberate changes.
struct EntrySum: Equatable, Sendable {
    private(set) var count: Int64 = 0
    private var digests: UInt64 = 0

    @inline(__always)
    mutating func add(_ digest: consuming EntryDigest) {
        count += 1
        digests &+= digest.finished()
    }

    mutating func add(_ other: EntrySum) {
        count += other.count
        digests &+= other.digests
    }
}

struct IndexEntries: Equatable, Sendable {
    let sum: EntrySum
    /// Whether no two entries have equal values in the first column; 1 and 1.0 are equal, and so are two NULLs.
    let areDistinctAtFirst: Bool
}

/// The digest of one entry: its values with their storage classes, in the order of the index.
///
/// Each value becomes pairs of words. Its class, and its length if it has one, is in the pair of its last word, so
/// different lists of values give different pairs. The pairs are summed (`PairSum`), and the sums are hashed.
struct EntryDigest {
    /// The secret of all digests in this process; read it once per scan, not once per entry.
    struct Key: Sendable {
        fileprivate let hash: SipHash.Key
        fileprivate let secrets: PairSum.Secrets

        static var drawn: Key { Key(hash: .drawn, secrets: .drawn) }
    }

    private let secrets: PairSum.Secrets
    private var hash: SipHash
    private var sum = PairSum()
    private var pairs = 0

    @inline(__always)
    init(_ key: Key) { (secrets, hash) = (key.secrets, SipHash(key.hash)) }

    @inline(__always)
    mutating func combine(_ value: EntryValue) {
        switch value {
        case .null: add(0, 0)
        case .integer(let number): add(1, UInt64(bitPattern: number))
        case .real(let number): add(2, number.bitPattern)
        case .text(let bytes): add(bytes, class: 3)
        case .blob(let bytes): add(bytes, class: 4)
        }
    }

    @inline(__always)
    consuming func finished() -> UInt64 {
        sum.combine(into: &hash)
        return hash.finishedWord()
    }

    /// Adds a text or a blob.
    ///
    /// Sixteen bytes form a pair. The last eight bytes of the rest are paired with the class. If the rest is longer,
    /// its first eight bytes are half of another pair.
    @inline(__always)
    private mutating func add(_ bytes: UnsafeRawBufferPointer, class kind: UInt64) {
        let count = bytes.count
        var offset = 0
        while offset &+ 16 <= count {
            add(Self.word(bytes, offset), Self.word(bytes, offset &+ 8))
            offset &+= 16
        }
        if count &- offset > 8 { add(Self.word(bytes, offset), 0) }
        add(
            kind | UInt64(truncatingIfNeeded: count) << 8,
            count < 8 ? Self.fewBytes(bytes) : Self.word(bytes, count &- 8))
    }

    @inline(__always)
    private mutating func add(_ first: UInt64, _ second: UInt64) {
        if pairs == PairSum.mostPairs {
            sum.combine(into: &hash)
            (sum, pairs) = (PairSum(), 0)
        }
        sum.add(first, second, at: pairs, secrets)
        pairs &+= 1
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    @inline(__always)
    private static func fewBytes(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var word: UInt64 = 0
        for byte in bytes { word = word << 8 | UInt64(byte) }
        return word
    }
}
