internal import CZlib

/// A piece of a document: what it is packed from, and what it becomes.
///
/// Invariant: what it becomes depends on its bytes, the 32 KiB before them and the level alone. One thread uses it at a
/// time, but for its bytes, which the calling thread may read while another packs them.
final class GzipBlock {
    /// Bytes in a block that is full.
    ///
    /// Four times as large they would pack 0.05 % better, and need four times the memory.
    static let size = 1 << 17
    /// How far back deflate can refer: RFC 1951, section 2.
    private static let reach = 1 << 15

    /// What came before, at the end of its first 32 KiB, and behind them the block's own bytes.
    private let memory: UnsafeMutableRawBufferPointer
    private let space: UnsafeMutableRawBufferPointer
    private var countBefore = 0
    /// How many bytes it holds.
    private(set) var count = 0
    /// Whether the document ends with it.
    private(set) var isLast = false
    /// CRC-32 of its bytes, once it is packed.
    private(set) var check: uLong = 0
    private var packedCount: Int?

    /// An empty block with room for whatever such a deflater makes of a full one.
    init(for deflater: Deflater) {
        memory = .allocate(byteCount: Self.reach + Self.size, alignment: 16)
        space = .allocate(byteCount: deflater.bound(Self.size), alignment: 16)
    }

    deinit {
        memory.deallocate()
        space.deallocate()
    }

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count == Self.size }

    /// Empties it; it may then refer to the end of the block before, if there is one.
    func begin(after previous: GzipBlock?) {
        (count, countBefore, isLast, packedCount) = (0, 0, false, nil)
        guard let previous else { return }
        countBefore = min(previous.count, Self.reach)
        let end = previous.bytes.suffix(countBefore)
        UnsafeMutableRawBufferPointer(rebasing: memory[(Self.reach - countBefore)..<Self.reach])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: end))
    }

    /// Takes as many bytes as there is room for, and returns the others.
    func fill(from bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let taken = min(bytes.count, Self.size - count)
        UnsafeMutableRawBufferPointer(rebasing: memory[(Self.reach + count)...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
        count += taken
        return UnsafeRawBufferPointer(rebasing: bytes[taken...])
    }

    /// Makes it the last one.
    func endDocument() { isLast = true }

    private var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[Self.reach..<(Self.reach + count)])
    }

    /// What came before it, so far as it may refer to that.
    var before: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[(Self.reach - countBefore)..<Self.reach])
    }

    /// Packs it, and takes its check value.
    func pack(with deflater: Deflater) {
        check = checkValue(bytes)
        packedCount = deflater.pack(bytes, after: before, isLast: isLast, into: space)
    }

    /// What it has become; nil where zlib could not pack it.
    var packed: UnsafeRawBufferPointer? {
        packedCount.map { UnsafeRawBufferPointer(rebasing: space[..<$0]) }
    }
}

/// CRC-32 as gzip has it: RFC 1952, section 8.
func checkValue(_ bytes: UnsafeRawBufferPointer) -> uLong {
    // Without a pointer crc32_z gives what it begins with, which is the same.
    crc32_z(0, bytes.baseAddress?.assumingMemoryBound(to: Bytef.self), bytes.count)
}
