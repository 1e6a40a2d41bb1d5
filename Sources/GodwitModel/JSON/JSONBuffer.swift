/// A growing buffer of JSON text that SQLite's column bytes are written into directly.
///
/// Nothing is allocated per value while the buffer's capacity lasts: integers, whole and short reals, and text are
/// formatted in place. Formats promised in `docs/export-format.md`: RFC 8259, UTF-8, `/` not escaped, reals with a
/// point or an exponent and in the shortest form that reads back to the same double, and tagged objects for what JSON
/// can't hold.
package struct JSONBuffer: ~Copyable {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 1 << 16) { bytes.reserveCapacity(capacity) }

    package var count: Int { bytes.count }

    /// Empties the buffer and keeps its memory.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    package mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    package mutating func append(byte: UInt8) { bytes.append(byte) }

    package mutating func append(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

    package mutating func append(raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }

    /// A Swift string as a JSON string.
    package mutating func append(string: String) {
        var copy = string
        copy.withUTF8 { append(quoting: UnsafeRawBufferPointer($0)) }
    }

    /// An integer; beyond ±(2^53 − 1), where readers would round it, as `{"$int":"…"}`.
    package mutating func append(integer: Int64) {
        let exact: Int64 = 9_007_199_254_740_991
        if integer >= -exact, integer <= exact {
            append(digits: integer)
        } else {
            append("{\"$int\":\"")
            append(digits: integer)
            append("\"}")
        }
    }

    /// The decimal digits of an integer, with its sign.
    package mutating func append(digits number: Int64) {
        if number == 0 { return bytes.append(0x30) }
        var rest = number.magnitude
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &digits) { space in
            var place = space.count
            while rest > 0 {
                place -= 1
                let quotient = rest / 10
                space[place] = UInt8(truncatingIfNeeded: rest &- quotient &* 10) &+ 0x30
                rest = quotient
            }
            if number < 0 {
                place -= 1
                space[place] = 0x2D
            }
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: space[place...]))
        }
    }

    /// A real, with infinities tagged.
    ///
    /// They become `{"$real":"Infinity"}`. SQLite stores NaN as NULL, so there is none.
    package mutating func append(real: Double) {
        guard real.isFinite else {
            append("{\"$real\":\"")
            if real.isNaN { append("NaN") } else if real < 0 { append("-Infinity") } else { append("Infinity") }
            return append("\"}")
        }
        if abs(real) < 1e15, real == real.rounded(.towardZero), !(real == 0 && real.sign == .minus) {
            append(digits: Int64(real))
            return append(".0")
        }
        var text = real.description
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// A blob as `{"$blob":"base64"}`.
    package mutating func append(blob: UnsafeRawBufferPointer) {
        append("{\"$blob\":\"")
        append(base64: blob)
        append("\"}")
    }

    /// Text as a JSON string, or as `{"$text":"base64"}` where it is no valid UTF-8 or holds NUL.
    package mutating func append(text: UnsafeRawBufferPointer) {
        if text.isValidUTF8WithoutNUL {
            append(quoting: text)
        } else {
            append("{\"$text\":\"")
            append(base64: text)
            append("\"}")
        }
    }

    /// Any value.
    package mutating func append(_ value: Value) {
        switch value {
        case .null: append("null")
        case .integer(let number): append(integer: number)
        case .real(let number): append(real: number)
        case .text(let text): text.withUnsafeBytes { append(text: $0) }
        case .blob(let blob): blob.withUnsafeBytes { append(blob: $0) }
        }
    }

    private mutating func append(quoting text: UnsafeRawBufferPointer) {
        bytes.append(0x22)
        var clean = 0
        for index in text.indices where JSONBuffer.needsEscape(text[index]) {
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[clean..<index]))
            append(escaped: text[index])
            clean = index + 1
        }
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[clean...]))
        bytes.append(0x22)
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x08: append("\\b")
        case 0x0C: append("\\f")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            append("\\u00")
            bytes.append(byte < 0x10 ? 0x30 : 0x31)
            let low = byte & 0x0F
            bytes.append(low < 10 ? 0x30 + low : 0x57 + low)
        }
    }

    private mutating func append(base64 data: UnsafeRawBufferPointer) {
        var index = 0
        while index + 2 < data.count {
            append(group: UInt32(data[index]) << 16 | UInt32(data[index + 1]) << 8 | UInt32(data[index + 2]), 4)
            index += 3
        }
        switch data.count - index {
        case 1:
            append(group: UInt32(data[index]) << 16, 2)
            append("==")
        case 2:
            append(group: UInt32(data[index]) << 16 | UInt32(data[index + 1]) << 8, 3)
            append("=")
        default: break
        }
    }

    /// The first `digits` of the four base64 digits of 24 bits: RFC 4648, section 4.
    private mutating func append(group: UInt32, _ digits: Int) {
        for place in 0..<digits {
            let digit = UInt8(truncatingIfNeeded: group >> UInt32(18 - 6 * place)) & 0x3F
            let character: UInt8 =
                switch digit {
                case 0..<26: 0x41 + digit
                case 26..<52: 0x47 + digit
                case 52..<62: digit - 4
                case 62: 0x2B
                default: 0x2F
                }
            bytes.append(character)
        }
    }
}
