internal import GodwitFiles
internal import GodwitModel
internal import CZlib

/// What stands around the blocks of a gzip member: RFC 1952, section 2.3.
struct GzipFrame: Sendable {
    /// No name, no time, no word of the system, so that equal content gives equal bytes.
    static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    static let tailCount = 8

    /// CRC-32 of what is packed.
    let check: uLong
    /// Bytes of it.
    let count: Int64

    var tail: [UInt8] {
        [UInt32(truncatingIfNeeded: check), UInt32(truncatingIfNeeded: count)].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
        }
    }

    /// Whether a file of a size begins and ends with it.
    func isAround(_ bytes: WrittenBytes, _ size: Int64) throws(GodwitError) -> Bool {
        for (expected, place) in [(Self.head, 0), (tail, size - Int64(Self.tailCount))] {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: expected.count, alignment: 1)
            defer { buffer.deallocate() }
            guard try bytes.read(into: buffer, at: place) == expected.count, buffer.elementsEqual(expected) else {
                return false
            }
        }
        return true
    }
}
