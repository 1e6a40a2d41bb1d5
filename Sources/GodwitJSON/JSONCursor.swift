/// A text between its quotes: its offset, and whether it has escapes.
package struct TextSpan {
    package let start: Int
    package let count: Int
    package let hasEscapes: Bool
}

/// Reads the tokens of JSON (RFC 8259) from bytes in memory: no comments, no trailing commas, no other blanks.
///
/// A caller that has only the first part of a text adds bytes and starts again at the token if a fault `needsMore`, or if
/// the cursor `isAtEndOfNumber`.
package struct JSONCursor {
    let bytes: UnsafeRawBufferPointer
    package private(set) var offset: Int

    package init(_ bytes: UnsafeRawBufferPointer, offset: Int = 0) { (self.bytes, self.offset) = (bytes, offset) }

    var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// Whether the last byte was read and is a digit, so that more of them may follow.
    package var isAtEndOfNumber: Bool { offset == bytes.count && bytes.last.map { $0 >= 0x30 && $0 <= 0x39 } == true }

    func fault(_ kind: JSONFault.Kind) -> JSONFault { JSONFault(kind, at: offset, needsMore: offset == bytes.count) }

    /// Goes past a byte if it comes next.
    mutating func takes(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        offset += 1
        return true
    }

    mutating func skipBlanks(max: Int) throws(JSONFault) {
        let start = offset
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
        guard offset - start <= max else { throw JSONFault(.tooManyBlanks, at: offset) }
    }

    package mutating func take(word: StaticString) throws(JSONFault) {
        let rest = bytes[offset...].prefix(word.utf8CodeUnitCount)
        let isSame = word.withUTF8Buffer { $0.starts(with: rest) }
        guard isSame, rest.count == word.utf8CodeUnitCount else {
            throw JSONFault(.value, at: offset, needsMore: isSame)
        }
        offset += rest.count
    }

    /// Reads a text and checks that its bytes are UTF-8; its escapes are checked when it is decoded.
    package mutating func text() throws(JSONFault) -> TextSpan {
        guard takes(0x22) else { throw fault(.name) }
        let start = offset
        var hasEscapes = false
        var high: UInt8 = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == 0x22 { break }
            guard byte >= 0x20 else { throw fault(.control) }
            high |= byte
            if byte == 0x5C {
                hasEscapes = true
                offset += 1
                guard offset < bytes.count else { break }
                high |= bytes[offset]
            }
            offset += 1
        }
        guard offset < bytes.count else { throw fault(.textEnd) }
        let text = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
        guard high < 0x80 || text.isValidUTF8WithoutNUL else { throw JSONFault(.encoding, at: start) }
        offset += 1
        return TextSpan(start: start, count: text.count, hasEscapes: hasEscapes)
    }

    /// Reads a text as a Swift string.
    package mutating func string() throws(JSONFault) -> String { try string(acceptsAnyEscape: false).text }

    /// Reads a text, with U+FFFD for each half of a surrogate pair if any escape is accepted.
    ///
    /// - Returns: the text, and the offset of the first half.
    mutating func string(acceptsAnyEscape: Bool) throws(JSONFault) -> (text: String, halfPair: Int?) {
        let span = try text()
        let text = UnsafeRawBufferPointer(rebasing: bytes[span.start..<span.start + span.count])
        guard span.hasEscapes else { return (String(decoding: text, as: UTF8.self), nil) }
        let decoded = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
        defer { decoded.deallocate() }
        var escapes = JSONUnescaping(text, at: span.start)
        let count = try escapes.write(to: decoded, acceptsAny: acceptsAnyEscape)
        return (String(decoding: decoded[..<count], as: UTF8.self), escapes.firstHalfPair)
    }

    /// Reads a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`, RFC 8259, section 6.
    package mutating func number(maxDigits: Int = .max) throws(JSONFault) -> JSONNumber {
        var number = JSONNumber(start: offset)
        number.isNegative = takes(0x2D)
        let first = peek
        try digits(into: &number, max: maxDigits)
        guard first != 0x30 || number.digits == 1 else { throw JSONFault(.leadingZero, at: number.start) }
        if takes(0x2E) {
            number.isReal = true
            let before = number.digits
            try digits(into: &number, max: maxDigits)
            number.exponent = before - number.digits
        }
        if takes(0x65) || takes(0x45) {
            number.isReal = true
            let isNegative = takes(0x2D)
            if !isNegative { _ = takes(0x2B) }
            var power = JSONNumber(start: offset)
            try digits(into: &power, max: maxDigits)
            let size = Int(min(power.magnitude, 100_000))
            number.exponent += isNegative ? -size : size
        }
        number.count = offset - number.start
        return number
    }

    private mutating func digits(into number: inout JSONNumber, max: Int) throws(JSONFault) {
        let before = number.digits
        while let byte = peek, byte >= 0x30, byte <= 0x39 {
            number.append(digit: byte &- 0x30)
            offset += 1
        }
        guard number.digits <= max else { throw JSONFault(.tooManyDigits, at: number.start) }
        guard number.digits > before else { throw fault(.digit) }
    }
}
