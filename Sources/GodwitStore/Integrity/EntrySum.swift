/// Which entries there are, whatever their order: how many, and the sum of their digests.
///
/// A digest is SipHash-1-3 with a result of 128 bits, <https://www.aumasson.jp/siphash/siphash.pdf>, under a key that this
/// process drew by lot. To whoever does not know the key, who is anybody that made the file, the digests of different
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
    /// What the digests of this process hang on.
    struct Key: Sendable {
        fileprivate let first: UInt64
        fileprivate let second: UInt64

        /// To be asked for once in a scan, not for each entry.
        static let drawn: Key = {
            var source = SystemRandomNumberGenerator()
            return Key(first: source.next(), second: source.next())
        }()
    }

    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    @inline(__always)
    init(_ key: Key) {
        v0 = key.first ^ 0x736F_6D65_7073_6575
        v1 = key.second ^ 0x646F_7261_6E64_6F6D ^ 0xEE
        v2 = key.first ^ 0x6C79_6765_6E65_7261
        v3 = key.second ^ 0x7465_6462_7974_6573
    }

    /// Adds a value: its class, with the length where it has one, and then itself, so that no two lists of values are
    /// the same words.
    @inline(__always)
    mutating func combine(_ value: EntryValue) {
        switch value {
        case .null: combine(0)
        case .integer(let number):
            combine(1)
            combine(UInt64(bitPattern: number))
        case .real(let number):
            combine(2)
            combine(number.bitPattern)
        case .text(let bytes):
            combine(3 | UInt64(bytes.count) << 8)
            combine(bytes)
        case .blob(let bytes):
            combine(4 | UInt64(bytes.count) << 8)
            combine(bytes)
        }
    }

    @inline(__always)
    consuming func finished() -> (UInt64, UInt64) {
        v2 ^= 0xEE
        for _ in 0..<3 { mix() }
        let first = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xDD
        for _ in 0..<3 { mix() }
        return (first, v0 ^ v1 ^ v2 ^ v3)
    }

    @inline(__always)
    private mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        var place = 0
        while place &+ 8 <= bytes.count {
            combine(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place &+= 8
        }
        guard place < bytes.count else { return }
        var rest: UInt64 = 0
        while place < bytes.count {
            rest = rest << 8 | UInt64(bytes[place])
            place &+= 1
        }
        combine(rest)
    }

    @inline(__always)
    private mutating func combine(_ word: UInt64) {
        v3 ^= word
        mix()
        v0 ^= word
    }

    /// One round of SipHash.
    @inline(__always)
    private mutating func mix() {
        v0 &+= v1
        v1 = v1 << 13 | v1 >> 51
        v1 ^= v0
        v0 = v0 << 32 | v0 >> 32
        v2 &+= v3
        v3 = v3 << 16 | v3 >> 48
        v3 ^= v2
        v0 &+= v3
        v3 = v3 << 21 | v3 >> 43
        v3 ^= v0
        v2 &+= v1
        v1 = v1 << 17 | v1 >> 47
        v1 ^= v2
        v2 = v2 << 32 | v2 >> 32
    }
}
