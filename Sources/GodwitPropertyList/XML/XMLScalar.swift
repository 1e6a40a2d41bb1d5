internal import GodwitJSON
internal import GodwitModel

/// Reads the content of `<integer>`, `<real>`, `<date>`, `<data>` and `<string>`.
enum XMLScalar {
    /// Why a text is not of its element's type.
    struct Fault: Error {
        let reason: String
        /// Whether the text is of its type, but Godwit cannot hold the value.
        var isOutOfRange = false
    }

    static func value(of name: String, _ text: [UInt8]) throws(Fault) -> LegacyValue {
        switch name {
        case "integer": try integer(trimmed(text))
        case "real": .real(try real(trimmed(text)))
        case "date": .date(try date(trimmed(text)))
        case "data": .data(try data(text))
        default: .string(String(decoding: text, as: UTF8.self))
        }
    }

    private static func trimmed(_ text: [UInt8]) -> String {
        var bytes = text[...].drop(while: UTF8Text.isWhitespace)
        while let last = bytes.last, UTF8Text.isWhitespace(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decimal, or hexadecimal after `0x` as in CoreFoundation, with an optional sign.
    private static func integer(_ text: String) throws(Fault) -> LegacyValue {
        let isNegative = text.hasPrefix("-")
        var digits = text.utf8.dropFirst(isNegative || text.hasPrefix("+") ? 1 : 0)
        var isHex = false
        if digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) {
            isHex = true
            digits = digits.dropFirst(2)
        }
        guard !digits.isEmpty, digits.allSatisfy({ isHex ? $0.isHexDigit : $0.isDecimalDigit }) else {
            throw Fault(reason: "not an integer")
        }
        if isHex {
            guard let number = Int128(String(Substring(digits)), radix: 16) else {
                throw Fault(reason: "integer of more than 127 bits", isOutOfRange: true)
            }
            return .integer(decimal: String(isNegative ? -number : number))
        }
        return .integer(decimal: (isNegative ? "-" : "") + String(Substring(digits)))
    }

    /// Decimal with an optional fraction and exponent, or an infinity; checked first, because `Double` would accept
    /// more.
    private static func real(_ text: String) throws(Fault) -> Double {
        let unsigned = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        switch unsigned.lowercased() {
        case "nan": throw Fault(reason: "NaN cannot be stored as a number", isOutOfRange: true)
        case "inf", "infinity": return text.hasPrefix("-") ? -.infinity : .infinity
        default: break
        }
        guard unsigned.utf8.isDecimalNumber, let number = Double(text) else { throw Fault(reason: "not a number") }
        guard number.isFinite else { throw Fault(reason: "number out of range", isOutOfRange: true) }
        return number
    }

    /// `YYYY-MM-DDTHH:MM:SSZ` with an existing day.
    private static func date(_ text: String) throws(Fault) -> Instant {
        let bytes = Array(text.utf8)
        let pattern = Array("0000-00-00T00:00:00Z".utf8)
        let years = bytes.prefix { $0.isDecimalDigit }.count
        if years > 4 || bytes.first == UInt8(ascii: "-") {
            throw Fault(reason: "date out of range", isOutOfRange: true)
        }
        let fits =
            bytes.count == pattern.count
            && zip(bytes, pattern).allSatisfy { $1 == UInt8(ascii: "0") ? $0.isDecimalDigit : $0 == $1 }
        guard fits, let instant = Instant(iso8601: text) else { throw Fault(reason: "not a date") }
        return instant
    }

    /// Base64 with its padding and any white space.
    ///
    /// Source: RFC 4648, section 4.
    private static func data(_ text: [UInt8]) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var characters = 0
        var padding = 0
        for character in text where !UTF8Text.isWhitespace(character) {
            if character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let sextet = Base64.digit(character) else { throw Fault(reason: "data is not base64") }
            bits = bits << 6 | sextet
            characters += 1
            if characters % 4 == 0 {
                bytes += [
                    UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8),
                    UInt8(truncatingIfNeeded: bits),
                ]
            }
        }
        switch (characters % 4, padding) {
        case (0, 0): break
        case (2, 2) where bits & 0xF == 0: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        case (3, 1) where bits & 0x3 == 0:
            bytes += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
        default: throw Fault(reason: "data is not base64")
        }
        return bytes
    }
}
