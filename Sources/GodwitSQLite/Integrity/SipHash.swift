/// SipHash-1-3 with a result of 128 bits, or half of that, over words of 64: <https://www.aumasson.jp/siphash/siphash.pdf>.
///
/// Its key is drawn by lot in each process, so that no one who makes a file can choose what collides. Hashes are
/// compared within one process and never stored.
package struct SipHash: Sendable {
    /// The random key of the hashes of this process.
    package struct Key: Sendable {
        fileprivate let first: UInt64
        fileprivate let second: UInt64

        /// To be asked for once in a scan, not for each entry.
        package static let drawn: Key = {
            var source = SystemRandomNumberGenerator()
            return Key(first: source.next(), second: source.next())
        }()
    }

    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    @inline(__always)
    package init(_ key: Key) {
        v0 = key.first ^ 0x736F_6D65_7073_6575
        v1 = key.second ^ 0x646F_7261_6E64_6F6D ^ 0xEE
        v2 = key.first ^ 0x6C79_6765_6E65_7261
        v3 = key.second ^ 0x7465_6462_7974_6573
    }

    @inline(__always)
    package mutating func combine(_ word: UInt64) {
        v3 ^= word
        mix()
        v0 ^= word
    }

    @inline(__always)
    package consuming func finished() -> (UInt64, UInt64) {
        v2 ^= 0xEE
        for _ in 0..<3 { mix() }
        let first = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xDD
        for _ in 0..<3 { mix() }
        return (first, v0 ^ v1 ^ v2 ^ v3)
    }

    /// The first half, which takes half as long.
    @inline(__always)
    package consuming func finishedWord() -> UInt64 {
        v2 ^= 0xEE
        for _ in 0..<3 { mix() }
        return v0 ^ v1 ^ v2 ^ v3
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
