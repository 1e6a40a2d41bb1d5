internal import CZlib

/// A block of a document and its packed form.
///
/// Invariant: the packed form depends only on its bytes, the 32 KiB before them, and the level. One thread uses a block
/// at a time, except that the calling thread may read its bytes while another packs them.
final class GzipBlock {
    /// Bytes in a full block.
    ///
    /// Blocks four times as large would pack 0.05% better, and need four times the memory.
    static let size = 1 << 17
    /// The distance to which deflate can refer: RFC 1951, section 2.
    private static let reach = 1 << 15

    /// 32 KiB that end with the bytes before the block, then the block's own bytes.
    private let memory: UnsafeMutableRawBufferPointer
    private let space: UnsafeMutableRawBufferPointer
    private var countBefore = 0
    /// Number of its bytes.
    private(set) var count = 0
    /// Whether it ends the document.
    private(set) var isLast = false
    /// CRC-32 of its bytes; valid after packing.
    private(set) var check: uLong = 0
    private var packedCount: Int?

    /// An empty block; the packed form of a full one fits into it.
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

    /// Empties it; it may refer to the end of the previous block, if there is one.
    func begin(after previous: GzipBlock?) {
        (count, countBefore, isLast, packedCount) = (0, 0, false, nil)
        guard let previous else { return }
        countBefore = min(previous.count, Self.reach)
        let end = previous.bytes.suffix(countBefore)
        UnsafeMutableRawBufferPointer(rebasing: memory[(Self.reach - countBefore)..<Self.reach])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: end))
    }

    /// Adds as many bytes as fit, and returns the others.
    func fill(from bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let taken = min(bytes.count, Self.size - count)
        UnsafeMutableRawBufferPointer(rebasing: memory[(Self.reach + count)...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
        count += taken
        return UnsafeRawBufferPointer(rebasing: bytes[taken...])
    }

    func endDocument() { isLast = true }

    private var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[Self.reach..<(Self.reach + count)])
    }

    /// The bytes before it, as far as it may refer to them.
    var before: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[(Self.reach - countBefore)..<Self.reach])
    }

    /// Packs it and computes its CRC-32.
    func pack(with deflater: Deflater) {
        check = checkValue(bytes)
        packedCount = deflater.pack(bytes, after: before, isLast: isLast, into: space)
    }

    /// The packed form; nil after an error of zlib.
    var packed: UnsafeRawBufferPointer? {
        packedCount.map { UnsafeRawBufferPointer(rebasing: space[..<$0]) }
    }
}

/// CRC-32 as in gzip: RFC 1952, section 8.
func checkValue(_ bytes: UnsafeRawBufferPointer) -> uLong {
    // With a nil pointer, crc32_z returns its initial value, which is the CRC-32 of no bytes.
    crc32_z(0, bytes.baseAddress?.assumingMemoryBound(to: Bytef.self), bytes.count)
}
