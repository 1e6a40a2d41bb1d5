/// Which entries there are, whatever their order: how many, and the sum of their digests.
///
/// A digest is a keyed hash of 64 bits (`EntryDigest`). To whoever does not know its key, who is anybody that made the file,
/// the digests of different entries are numbers drawn by lot too; then the sums of two collections that differ anywhere are
/// equal with a probability of about 2 to the power of -64, be the difference a changed bit or a clever exchange.
struct EntrySum: Equatable, Sendable {
    private(set) var count: Int64 = 0
    private var digests: UInt64 = 0

    @inline(__always)
    mutating func add(_ digest: consuming EntryDigest) {
        count += 1
        digests &+= digest.finished()
    }

    /// Adds the entries of another collection.
    mutating func add(_ other: EntrySum) {
        count += other.count
        digests &+= other.digests
    }
}

/// What a scan of an index found.
struct IndexEntries: Equatable, Sendable {
    let sum: EntrySum
    /// Whether no two of them have one value in the first column: not even 1 and 1.0, or none.
    let areDistinctAtFirst: Bool
}

/// The digest of one entry: its values with their storage classes, in the order of the index.
///
/// Each value is pairs of words: its class, with the length where it has one, stands beside its last word, so that no two
/// lists of values are the same pairs. They are added up (`PairSum`), and the sums hashed.
struct EntryDigest {
    /// What digests of this process hang on: to be asked for once in a scan, not for each entry.
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
    /// Sixteen bytes are a pair. Of those that are left, the last eight stand beside the class, and where there are more, the
    /// first eight are one half of a pair.
    @inline(__always)
    private mutating func add(_ bytes: UnsafeRawBufferPointer, class kind: UInt64) {
        let count = bytes.count
        var place = 0
        while place &+ 16 <= count {
            add(Self.word(bytes, place), Self.word(bytes, place &+ 8))
            place &+= 16
        }
        if count &- place > 8 { add(Self.word(bytes, place), 0) }
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
    private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }

    /// Fewer than eight bytes as a word.
    @inline(__always)
    private static func fewBytes(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var word: UInt64 = 0
        for byte in bytes { word = word << 8 | UInt64(byte) }
        return word
    }
}
