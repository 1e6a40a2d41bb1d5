internal import GodwitFiles
internal import GodwitModel
internal import CZlib

/// The header and trailer of a gzip member: RFC 1952, section 2.3.
struct GzipFrame: Sendable {
    /// Without name, time and system, so that equal content gives equal bytes.
    static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    static let tailCount = 8

    /// CRC-32 of the unpacked bytes.
    let check: uLong
    /// Number of unpacked bytes.
    let count: Int64

    var tail: [UInt8] {
        [UInt32(truncatingIfNeeded: check), UInt32(truncatingIfNeeded: count)].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
        }
    }

    /// Whether a file of this size begins with the header and ends with the trailer.
    func isAround(_ bytes: WrittenBytes, _ size: Int64) throws(GodwitError) -> Bool {
        for (expected, offset) in [(Self.head, 0), (tail, size - Int64(Self.tailCount))] {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: expected.count, alignment: 1)
            defer { buffer.deallocate() }
            guard try bytes.read(into: buffer, at: offset) == expected.count, buffer.elementsEqual(expected) else {
                return false
            }
        }
        return true
    }
}
