internal import GodwitModel

/// Reads strings, numbers and the words `true`, `false` and `null`.
extension JSONReader {
    mutating func readScalar(_ first: UInt8) throws(LegacyDamage) -> LegacyValue {
        switch first {
        case UInt8(ascii: "\""):
            let start = position
            let text = try readString()
            return loneSurrogate.map { unheld($0.reason, from: start) } ?? .string(text)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
        case UInt8(ascii: "t"): return try readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        default: throw LegacyDamage("a value expected", at: position)
        }
    }

    private mutating func readWord(_ word: String, _ value: LegacyValue) throws(LegacyDamage) -> LegacyValue {
        guard bytes[position...].starts(with: word.utf8) else { throw LegacyDamage("a value expected", at: position) }
        position += word.utf8.count
        return value
    }

    /// Integers of any length stay integers; a fraction or an exponent makes a real.
    private mutating func readNumber() throws(LegacyDamage) -> LegacyValue {
        let start = position
        if peek == UInt8(ascii: "-") { position += 1 }
        let leadsWithZero = peek == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits > 0, digits == 1 || !leadsWithZero else { throw LegacyDamage("malformed number", at: start) }
        var isReal = false
        if peek == UInt8(ascii: ".") {
            isReal = true
            position += 1
            guard skipDigits() > 0 else { throw LegacyDamage("malformed number", at: start) }
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            isReal = true
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            guard skipDigits() > 0 else { throw LegacyDamage("malformed number", at: start) }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard isReal else { return .integer(decimal: text) }
        guard let number = Double(text), number.isFinite else {
            return unheld("number out of range", from: start)
        }
        return .real(number)
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = peek, byte.isDecimalDigit { position += 1 }
        return position - start
    }

    /// Reads a string from its opening quote to after its closing quote.
    mutating func readString() throws(LegacyDamage) -> String {
        position += 1
        loneSurrogate = nil
        var text: [UInt8] = []
        while true {
            let start = position
            while let byte = peek, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                position += 1
            }
            text += bytes[start..<position]
            guard let byte = peek else { throw LegacyDamage("truncated", at: position) }
            guard byte >= 0x20 else { throw LegacyDamage("control character", at: position) }
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            UTF8Text.append(try readEscape(), to: &text)
        }
    }

    /// Reads an escape after its backslash; a low surrogate must follow a high one.
    private mutating func readEscape() throws(LegacyDamage) -> Unicode.Scalar {
        let start = position - 1
        guard let byte = peek else { throw LegacyDamage("truncated", at: position) }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw LegacyDamage("unknown escape", at: start)
        }
        let unit = try readHexUnit(from: start)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let next = position
        if unit < 0xDC00, bytes[position...].starts(with: "\\u".utf8) {
            position += 2
            let low = try readHexUnit(from: start)
            if (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
            {
                return scalar
            }
        }
        // JSON can have half of a surrogate pair, for example from text that was cut inside an emoji; Swift's strings
        // cannot.
        position = next
        if loneSurrogate == nil { loneSurrogate = LegacyDamage("lone surrogate", at: start) }
        return "\u{FFFD}"
    }

    private mutating func readHexUnit(from start: Int) throws(LegacyDamage) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek?.hexValue else {
                throw LegacyDamage(peek == nil ? "truncated" : "malformed escape", at: start)
            }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }
}
