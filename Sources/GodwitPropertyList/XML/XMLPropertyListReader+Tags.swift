/// An opening tag, or `<name/>`, which opens and closes at once.
struct XMLTag {
    let name: String
    let isEmpty: Bool
}

/// Reads tags, text, and markup between them.
extension XMLPropertyListReader {
    func startsHere(_ text: StaticString) -> Bool {
        guard bytes.count - position >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { bytes[position..<(position + $0.count)].elementsEqual($0) }
    }

    mutating func skipWhitespace() {
        while position < bytes.count, UTF8Text.isWhitespace(bytes[position]) { position += 1 }
    }

    /// Skips white space, comments and processing instructions.
    mutating func skipMiscellaneous() throws(LegacyDamage) {
        while true {
            skipWhitespace()
            if startsHere("<!--") {
                try skip(past: "-->", from: 4)
            } else if startsHere("<?") {
                try skip(past: "?>", from: 2)
            } else {
                return
            }
        }
    }

    private mutating func skip(past end: StaticString, from length: Int) throws(LegacyDamage) {
        position += length
        while position < bytes.count {
            if startsHere(end) {
                position += end.utf8CodeUnitCount
                return
            }
            position += 1
        }
        throw LegacyDamage("truncated", at: position)
    }

    /// Letters, digits and a few symbols; a long name is truncated only in messages.
    private mutating func readName() throws(LegacyDamage) -> String {
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        guard position < bytes.count else { throw LegacyDamage("truncated", at: position) }
        guard position > start else { throw LegacyDamage("malformed tag", at: start) }
        return String(decoding: bytes[start..<position], as: UTF8.self).escapedForMessage
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: ":"), 0x80...:
            true
        default: false
        }
    }

    mutating func readOpeningTag(mayHaveAttributes: Bool = false) throws(LegacyDamage) -> XMLTag {
        let start = position
        position += 1
        if startsHere("!") { throw LegacyDamage("markup that is not allowed here", at: start) }
        let name = try readName()
        while true {
            let before = position
            skipWhitespace()
            guard position < bytes.count else { throw LegacyDamage("truncated", at: position) }
            if startsHere(">") {
                position += 1
                return XMLTag(name: name, isEmpty: false)
            }
            if startsHere("/>") {
                position += 2
                return XMLTag(name: name, isEmpty: true)
            }
            guard mayHaveAttributes, position > before else {
                throw LegacyDamage("malformed tag <\(name)>", at: start)
            }
            _ = try readAttribute()
        }
    }

    mutating func readAttribute() throws(LegacyDamage) -> (name: String, value: String) {
        let name = try readName()
        skipWhitespace()
        guard startsHere("=") else { throw LegacyDamage("malformed attribute", at: position) }
        position += 1
        skipWhitespace()
        guard position < bytes.count else { throw LegacyDamage("truncated", at: position) }
        let quote = bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw LegacyDamage("malformed attribute", at: position)
        }
        let start = position + 1
        guard let end = bytes[start...].firstIndex(of: quote) else { throw LegacyDamage("truncated", at: bytes.count) }
        position = end + 1
        return (name, String(decoding: bytes[start..<end], as: UTF8.self))
    }

    /// Reads `</name>` and returns the name for comparison.
    mutating func readClosingTag() throws(LegacyDamage) -> String {
        let start = position
        position += 2
        let name = try readName()
        skipWhitespace()
        guard position < bytes.count else { throw LegacyDamage("truncated", at: position) }
        guard startsHere(">") else { throw LegacyDamage("malformed tag </\(name)>", at: start) }
        position += 1
        return name
    }

    mutating func readEmptyContent(of name: String) throws(LegacyDamage) {
        let start = position
        guard try readText(of: name).isEmpty else { throw LegacyDamage("text inside <\(name)>", at: start) }
    }

    /// Reads the text up to and including the closing tag; line ends are kept, as in CoreFoundation.
    mutating func readText(of name: String) throws(LegacyDamage) -> [UInt8] {
        var text: [UInt8] = []
        while true {
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "<"), bytes[position] != UInt8(ascii: "&") {
                position += 1
            }
            text += bytes[start..<position]
            guard position < bytes.count else { throw LegacyDamage("truncated", at: position) }
            if bytes[position] == UInt8(ascii: "&") {
                UTF8Text.append(try readReference(), to: &text)
            } else if startsHere("</") {
                let tagStart = position
                let closing = try readClosingTag()
                guard closing == name else { throw LegacyDamage("mismatched tag </\(closing)>", at: tagStart) }
                return text
            } else if startsHere("<![CDATA[") {
                let contentStart = position + 9
                try skip(past: "]]>", from: 9)
                text += bytes[contentStart..<(position - 3)]
            } else if startsHere("<!--") || startsHere("<?") {
                try skip(past: startsHere("<?") ? "?>" : "-->", from: startsHere("<?") ? 2 : 4)
            } else {
                throw LegacyDamage("tag inside <\(name)>", at: position)
            }
        }
    }

    /// Reads a character reference: `&amp;` and the four other predefined entities, `&#38;` and `&#x26;`.
    ///
    /// Other entities cannot exist, because declarations are rejected.
    private mutating func readReference() throws(LegacyDamage) -> Unicode.Scalar {
        let start = position
        let window = bytes[(start + 1)..<min(start + 12, bytes.count)]
        guard let end = window.firstIndex(of: UInt8(ascii: ";")) else {
            throw LegacyDamage("malformed entity reference", at: start)
        }
        position = end + 1
        let name = bytes[(start + 1)..<end]
        guard name.first == UInt8(ascii: "#") else {
            switch String(decoding: name, as: UTF8.self) {
            case "amp": return "&"
            case "lt": return "<"
            case "gt": return ">"
            case "quot": return "\""
            case "apos": return "'"
            default: throw LegacyDamage("unknown entity", at: start)
            }
        }
        let isHex = name.dropFirst().first == UInt8(ascii: "x")
        let digits = String(decoding: name.dropFirst(isHex ? 2 : 1), as: UTF8.self)
        guard digits.first != "+", digits.first != "-", let number = UInt32(digits, radix: isHex ? 16 : 10),
            let scalar = Unicode.Scalar(number), number >= 0x20 || [9, 10, 13].contains(number)
        else { throw LegacyDamage("character reference", at: start) }
        return scalar
    }
}
