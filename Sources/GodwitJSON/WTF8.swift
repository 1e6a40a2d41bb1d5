/// WTF-8: UTF-8 with a form for half of a surrogate pair, <https://simonsapin.github.io/wtf-8/>.
///
/// SQLite keeps any sequence of UTF-16 code units as text. Each has exactly one WTF-8: a surrogate without its other
/// half becomes three bytes, which are not valid UTF-8, and all other text is UTF-8. Code units are those of this
/// machine's byte order, at any address.
package enum WTF8 {
    /// How many bytes a code unit becomes at most.
    package static let bytesPerUnit = 3

    /// Writes UTF-16 as WTF-8.
    ///
    /// - Parameter bytes: room for `bytesPerUnit` bytes for each unit.
    /// - Returns: how many bytes were written.
    package static func encode(_ units: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer) -> Int {
        let end = units.count / 2
        var (place, count) = (0, 0)
        while place < end {
            var code = UInt32(units.unit(place))
            place += 1
            if code < 0x80 {
                bytes[count] = UInt8(truncatingIfNeeded: code)
                count += 1
                continue
            }
            if isHigh(code), place < end, isLow(UInt32(units.unit(place))) {
                code = 0x10000 + (code & 0x3FF) << 10 + UInt32(units.unit(place)) & 0x3FF
                place += 1
            }
            let more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3
            bytes[count] = UInt8(truncatingIfNeeded: 0xFF << UInt32(7 - more) | code >> UInt32(6 * more))
            for offset in 1...more {
                bytes[count + offset] = UInt8(truncatingIfNeeded: 0x80 | code >> UInt32(6 * (more - offset)) & 0x3F)
            }
            count += more + 1
        }
        return count
    }

    /// Writes WTF-8 as UTF-16.
    ///
    /// - Parameter units: room for one unit for each byte.
    /// - Returns: how many units were written; nil if the bytes are not WTF-8. Two halves of a pair in three bytes each
    ///   are not WTF-8: they would become the four bytes of the character.
    package static func decode(_ bytes: UnsafeRawBufferPointer, into units: UnsafeMutableRawBufferPointer) -> Int? {
        var (index, count) = (0, 0)
        var last: UInt32 = 0
        func add(_ unit: UInt32) {
            units.storeBytes(of: UInt16(truncatingIfNeeded: unit), toByteOffset: 2 * count, as: UInt16.self)
            count += 1
            last = unit
        }
        while index < bytes.count {
            let lead = bytes[index]
            if lead < 0x80 {
                add(UInt32(lead))
                index += 1
                continue
            }
            guard let length = bytes.sequenceLength(at: index, lead: lead, allowsSurrogates: true) else { return nil }
            var code = UInt32(lead) & 0x7F >> UInt32(length)
            for offset in 1..<length { code = code << 6 | UInt32(bytes[index + offset] & 0x3F) }
            index += length
            if code >= 0x10000 {
                add(0xD800 + (code - 0x10000) >> 10)
                add(0xDC00 + code & 0x3FF)
            } else {
                guard !(isLow(code) && isHigh(last)) else { return nil }
                add(code)
            }
        }
        return count
    }

    /// The order of two texts in UTF-16 by the bytes of their WTF-8: negative, zero or positive.
    ///
    /// That is the order of code points, and only equal units are equal. It is not the order of units: those of a pair
    /// stand for a code point above all single ones.
    package static func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
        let shared = min(one.count, other.count) / 2
        var place = 0
        while place < shared, one.unit(place) == other.unit(place) { place += 1 }
        if place < shared { return one.rank(of: place) < other.rank(of: place) ? -1 : 1 }
        // No UTF-16 has an odd number of bytes; but every stored text has one order.
        guard one.count == other.count, one.count % 2 == 1 else { return one.count - other.count }
        return Int(one[one.count - 1]) - Int(other[other.count - 1])
    }

    @inline(__always)
    fileprivate static func isHigh(_ unit: UInt32) -> Bool { unit & 0xFFFF_FC00 == 0xD800 }

    @inline(__always)
    fileprivate static func isLow(_ unit: UInt32) -> Bool { unit & 0xFFFF_FC00 == 0xDC00 }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    fileprivate func unit(_ place: Int) -> UInt16 { loadUnaligned(fromByteOffset: 2 * place, as: UInt16.self) }

    /// What a unit counts where two texts differ for the first time: half of a pair more than any single one.
    fileprivate func rank(of place: Int) -> UInt32 {
        let code = UInt32(unit(place))
        let isPaired =
            WTF8.isHigh(code) && 2 * place + 3 < count && WTF8.isLow(UInt32(unit(place + 1)))
            || WTF8.isLow(code) && place > 0 && WTF8.isHigh(UInt32(unit(place - 1)))
        return isPaired ? code + 0x10000 : code
    }
}
