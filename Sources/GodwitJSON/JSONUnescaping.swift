/// Decodes the escapes of one text.
package struct JSONUnescaping {
    private let text: UnsafeRawBufferPointer
    /// The offset of the text, for faults.
    private let start: Int
    private var index = 0
    /// The offset of the first escape that is half of a surrogate pair.
    private(set) var firstHalfPair: Int?

    package init(_ text: UnsafeRawBufferPointer, at start: Int) { (self.text, self.start) = (text, start) }

    /// Writes the text without its escapes into memory that is at least as long: no escape is shorter than its character.
    ///
    /// - Parameter acceptsAny: whether `\u0000` and half of a surrogate pair (as U+FFFD) are accepted.
    /// - Returns: how many bytes were written.
    package mutating func write(
        to memory: UnsafeMutableRawBufferPointer, acceptsAny: Bool = false
    ) throws(JSONFault) -> Int {
        var count = 0
        while index < text.count {
            var byte = text[index]
            index += 1
            if byte == 0x5C {
                byte = try escaped()
                if byte == 0x75 {
                    for unit in UTF8.encode(try scalar(acceptsAny)) ?? .init() {
                        memory[count] = unit
                        count += 1
                    }
                    continue
                }
            }
            memory[count] = byte
            count += 1
        }
        return count
    }

    /// The character of an escape of two bytes; `u` for the other form.
    private mutating func escaped() throws(JSONFault) -> UInt8 {
        let kind = index < text.count ? text[index] : 0
        index += 1
        switch kind {
        case 0x22, 0x5C, 0x2F, 0x75: return kind
        case 0x62: return 0x08
        case 0x66: return 0x0C
        case 0x6E: return 0x0A
        case 0x72: return 0x0D
        case 0x74: return 0x09
        default: throw JSONFault(.escape, at: start + index - 2)
        }
    }

    /// The character of `\uXXXX`, or of two of them.
    private mutating func scalar(_ acceptsAny: Bool) throws(JSONFault) -> Unicode.Scalar {
        let escape = start + index - 2
        let unit = try hexadecimal(escape)
        if let scalar = Unicode.Scalar(unit) {
            guard unit > 0 || acceptsAny else { throw JSONFault(.escapedNUL, at: escape) }
            return scalar
        }
        let next = index
        if unit < 0xDC00, index + 1 < text.count, text[index] == 0x5C, text[index + 1] == 0x75 {
            index += 2
            let low = try hexadecimal(escape)
            if (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
            {
                return scalar
            }
        }
        // JSON can hold half of a pair, for example of an emoji that was cut. Swift's text can't.
        guard acceptsAny else { throw JSONFault(.halfPair, at: escape) }
        index = next
        firstHalfPair = firstHalfPair ?? escape
        return "\u{FFFD}"
    }

    private mutating func hexadecimal(_ escape: Int) throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            switch index < text.count ? text[index] : 0 {
            case let byte where byte >= 0x30 && byte <= 0x39: value = value << 4 | UInt32(byte - 0x30)
            case let byte where byte >= 0x41 && byte <= 0x46: value = value << 4 | UInt32(byte - 0x37)
            case let byte where byte >= 0x61 && byte <= 0x66: value = value << 4 | UInt32(byte - 0x57)
            default: throw JSONFault(.hexadecimal, at: escape)
            }
            index += 1
        }
        return value
    }
}
