/// Which entries there are, whatever their order: how many, and the sum of their digests.
///
/// A digest is a keyed hash of 128 bits (`SipHash`). To whoever does not know its key, who is anybody that made the file, the digests of different
/// entries are numbers drawn by lot too; then the sums of two collections that differ anywhere are equal with a
/// probability of 2 to the power of -64 at most for each half, be the difference a changed bit or a clever exchange.
struct EntrySum: Equatable, Sendable {
    private(set) var count: Int64 = 0
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    @inline(__always)
    mutating func add(_ digest: consuming EntryDigest) {
        let (first, second) = digest.finished()
        count += 1
        low &+= first
        high &+= second
    }

    /// Adds the entries of another collection.
    mutating func add(_ other: EntrySum) {
        count += other.count
        low &+= other.low
        high &+= other.high
    }
}

/// The digest of one entry: its values with their storage classes, in the order of the index.
struct EntryDigest {
    private var hash: SipHash

    @inline(__always)
    init(_ key: SipHash.Key) { hash = SipHash(key) }

    /// Adds a value: its class, with the length where it has one, and then itself, so that no two lists of values are
    /// the same words.
    @inline(__always)
    mutating func combine(_ value: EntryValue) {
        switch value {
        case .null: hash.combine(0)
        case .integer(let number):
            hash.combine(1)
            hash.combine(UInt64(bitPattern: number))
        case .real(let number):
            hash.combine(2)
            hash.combine(number.bitPattern)
        case .text(let bytes):
            hash.combine(3 | UInt64(bytes.count) << 8)
            combine(bytes)
        case .blob(let bytes):
            hash.combine(4 | UInt64(bytes.count) << 8)
            combine(bytes)
        }
    }

    @inline(__always)
    consuming func finished() -> (UInt64, UInt64) { hash.finished() }

    @inline(__always)
    private mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        var place = 0
        while place &+ 8 <= bytes.count {
            hash.combine(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place &+= 8
        }
        guard place < bytes.count else { return }
        var rest: UInt64 = 0
        while place < bytes.count {
            rest = rest << 8 | UInt64(bytes[place])
            place &+= 1
        }
        hash.combine(rest)
    }
}
