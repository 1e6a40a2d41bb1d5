package import GodwitJSON

/// A hash of one value, different in each process; equal for values of one storage class that are equal by their bytes.
package enum ValueHash {
    private static let key = SipHash.Key.drawn

    @inline(__always)
    package static func of(_ value: RowValue) -> UInt64 {
        var hash = SipHash(key)
        switch value {
        case .null: hash.combine(0)
        case .integer(let number):
            hash.combine(1)
            hash.combine(UInt64(bitPattern: number))
        case .real(let number):
            hash.combine(2)
            // 0.0 and -0.0 are one number.
            hash.combine(number == 0 ? 0 : number.bitPattern)
        case .text(let bytes): combine(bytes, class: 3, into: &hash)
        case .blob(let bytes): combine(bytes, class: 4, into: &hash)
        }
        return hash.finishedWord()
    }

    @inline(__always)
    private static func combine(_ bytes: UnsafeRawBufferPointer, class kind: UInt64, into hash: inout SipHash) {
        hash.combine(kind | UInt64(truncatingIfNeeded: bytes.count) << 8)
        var offset = 0
        while offset &+ 8 <= bytes.count {
            hash.combine(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        guard offset < bytes.count else { return }
        var rest: UInt64 = 0
        for byte in bytes[offset...] { rest = rest << 8 | UInt64(byte) }
        hash.combine(rest)
    }
}
