/// One object of a binary property list: its kind and the bytes of its content.
struct BinaryObject {
    enum Kind: Sendable {
        case bool, integer, real, date, data, ascii, utf16, uid, array, dictionary
    }

    let kind: Kind
    /// The offset of the marker.
    let start: Int
    /// Number of characters, bytes, elements or pairs; for numbers their size.
    let count: Int
    /// The bytes after marker and count; for a dictionary all key references, then all value references.
    let payload: Range<Int>

    var end: Int { payload.upperBound }
}

extension BinaryPropertyListTable {
    /// The object at an offset, which must be below `tableStart`.
    ///
    /// The high half of the first byte is the type, and the low half the count, or 15 if an integer with the count
    /// follows. Sets (0xB, 0xC) cannot come from UserDefaults, and null (0x00) is never written: both are rejected.
    func object(at start: Int) throws(LegacyDamage) -> BinaryObject {
        let marker = bytes[start]
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0 where marker == 0x08 || marker == 0x09: return try fixed(.bool, at: start, size: 0)
        case 0x0 where marker == 0x00: throw LegacyDamage("null object", at: start)
        case 0x1 where low <= 4: return try fixed(.integer, at: start, size: 1 << low)
        case 0x2 where low == 2 || low == 3: return try fixed(.real, at: start, size: 1 << low)
        case 0x3 where low == 3: return try fixed(.date, at: start, size: 8)
        case 0x4: return try counted(.data, at: start, unit: 1)
        case 0x5: return try counted(.ascii, at: start, unit: 1)
        case 0x6: return try counted(.utf16, at: start, unit: 2)
        case 0x8 where low < 8: return try fixed(.uid, at: start, size: low + 1)
        case 0xA: return try counted(.array, at: start, unit: referenceSize)
        case 0xD: return try counted(.dictionary, at: start, unit: 2 * referenceSize)
        case 0xB, 0xC: throw LegacyDamage("set object", at: start)
        default:
            let digits = String(marker, radix: 16)
            throw LegacyDamage("unknown object type 0x\(digits.count < 2 ? "0" : "")\(digits)", at: start)
        }
    }

    private func fixed(_ kind: BinaryObject.Kind, at start: Int, size: Int) throws(LegacyDamage) -> BinaryObject {
        guard size <= tableStart - (start + 1) else { throw LegacyDamage("length past end", at: start) }
        return BinaryObject(kind: kind, start: start, count: size, payload: (start + 1)..<(start + 1 + size))
    }

    private func counted(_ kind: BinaryObject.Kind, at start: Int, unit: Int) throws(LegacyDamage) -> BinaryObject {
        var payload = start + 1
        var count = UInt64(bytes[start] & 0x0F)
        if count == 15 {
            guard payload < tableStart else { throw LegacyDamage("length past end", at: start) }
            let marker = bytes[payload]
            guard (0x10...0x13).contains(marker) else { throw LegacyDamage("length is not an integer", at: payload) }
            let size = 1 << Int(marker & 0x0F)
            guard size <= tableStart - (payload + 1) else { throw LegacyDamage("length past end", at: start) }
            count = Self.number(in: bytes, at: payload + 1, size: size)
            payload += 1 + size
        }
        guard count <= UInt64((tableStart - payload) / unit) else { throw LegacyDamage("length past end", at: start) }
        return BinaryObject(
            kind: kind, start: start, count: Int(count), payload: payload..<(payload + Int(count) * unit))
    }
}
