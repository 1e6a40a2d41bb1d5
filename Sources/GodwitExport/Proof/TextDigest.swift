internal import GodwitSQLite

/// A digest of text that comes in pieces, by which it is found out whether the same text comes once more.
///
/// Blocks of a KiB each become two words (`PairSum`); what becomes of the blocks in their order is hashed by SipHash. All
/// secrets are drawn by lot in each process. Texts that differ have the same digest with a probability of about 2 to the
/// power of -64, however they were chosen. It takes far less time than SHA-256; it is compared within one process, and never stored.
package struct TextDigest: Sendable {
    /// Bytes of a block.
    package static let blockSize = 16 * PairSum.mostPairs

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
            block.withUnsafeBytes { Self.add($0, .drawn, to: &hash) }
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
        let secrets = PairSum.Secrets.drawn
        for start in stride(from: 0, to: blocks.count, by: Self.blockSize) {
            Self.add(UnsafeRawBufferPointer(rebasing: blocks[start..<start + Self.blockSize]), secrets, to: &hash)
        }
    }

    private static func add(_ block: UnsafeRawBufferPointer, _ secrets: PairSum.Secrets, to hash: inout SipHash) {
        var sum = PairSum()
        sum.add(block: block, secrets)
        sum.combine(into: &hash)
    }
}
