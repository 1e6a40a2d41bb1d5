internal import GodwitStore

/// A digest of text that comes in pieces, by which it is found out whether the same text comes once more.
///
/// Blocks of a KiB each become two words by NH, <https://datatracker.ietf.org/doc/html/draft-krovetz-vmac-01#section-3.4>:
/// 64 products of its words, each with a secret number added; what becomes of the blocks in their order is hashed by SipHash.
/// All secrets are drawn by lot in each process. Texts that differ have the same digest with a probability of about 2 to the
/// power of -64, however they were chosen. It takes far less time than SHA-256; it is compared within one process, and never stored.
package struct TextDigest: Sendable {
    /// Bytes of a block.
    package static let blockSize = 1 << 10

    private static let secrets: [UInt64] = {
        var source = SystemRandomNumberGenerator()
        return (0..<blockSize / 8).map { _ in source.next() }
    }()

    private var hash = SipHash(SipHash.Key.drawn)
    /// Bytes of a block that is not whole yet.
    private var begun: [UInt8] = []

    /// - Parameter place: bytes that come before the text, in a count in which blocks begin at multiples of their size.
    package init(at place: Int64) { begun = [UInt8](repeating: 0, count: Int(place % Int64(Self.blockSize))) }

    /// Of all that came; ends with how much of the last block there is.
    package var value: Value {
        var hash = hash
        if !begun.isEmpty {
            let block = begun + [UInt8](repeating: 0, count: Self.blockSize - begun.count)
            block.withUnsafeBytes { block in
                Self.secrets.withUnsafeBufferPointer { Self.add(block, $0, to: &hash) }
            }
        }
        hash.combine(UInt64(begun.count))
        let (first, second) = hash.finished()
        return Value(first: first, second: second)
    }

    package struct Value: Equatable, Sendable {
        fileprivate let first: UInt64
        fileprivate let second: UInt64
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        if !begun.isEmpty {
            let count = min(Self.blockSize - begun.count, rest.count)
            begun.append(contentsOf: rest[..<count])
            guard begun.count == Self.blockSize else { return }
            begun.withUnsafeBytes { add(blocks: $0) }
            begun.removeAll(keepingCapacity: true)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        let whole = rest.count / Self.blockSize * Self.blockSize
        add(blocks: UnsafeRawBufferPointer(rebasing: rest[..<whole]))
        begun.append(contentsOf: rest[whole...])
    }

    private mutating func add(blocks: UnsafeRawBufferPointer) {
        Self.secrets.withUnsafeBufferPointer { secrets in
            for start in stride(from: 0, to: blocks.count, by: Self.blockSize) {
                let block = UnsafeRawBufferPointer(rebasing: blocks[start..<start + Self.blockSize])
                Self.add(block, secrets, to: &hash)
            }
        }
    }

    @inline(__always)
    private static func add(
        _ block: UnsafeRawBufferPointer, _ secrets: UnsafeBufferPointer<UInt64>, to hash: inout SipHash
    ) {
        var sum: UInt128 = 0
        for pair in 0..<blockSize / 16 {
            let first = block.loadUnaligned(fromByteOffset: pair &* 16, as: UInt64.self) &+ secrets[pair &* 2]
            let second =
                block.loadUnaligned(fromByteOffset: pair &* 16 &+ 8, as: UInt64.self) &+ secrets[pair &* 2 &+ 1]
            let (high, low) = first.multipliedFullWidth(by: second)
            sum &+= UInt128(truncatingIfNeeded: high) << 64 | UInt128(truncatingIfNeeded: low)
        }
        hash.combine(UInt64(truncatingIfNeeded: sum))
        hash.combine(UInt64(truncatingIfNeeded: sum >> 64))
    }
}
