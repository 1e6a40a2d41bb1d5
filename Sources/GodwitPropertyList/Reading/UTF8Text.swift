/// Checks on the bytes of text formats.
package enum UTF8Text {
    /// The offset of the first byte that is not well-formed UTF-8, or nil.
    ///
    /// Source: Unicode Standard, table 3-7; overlong forms, surrogates and values beyond U+10FFFF are not well-formed.
    package static func firstFault(in bytes: [UInt8], from start: Int = 0) -> Int? {
        var position = start
        while position < bytes.count {
            guard let length = sequenceLength(in: bytes, at: position) else { return position }
            position += length
        }
        return nil
    }

    private static func sequenceLength(in bytes: [UInt8], at position: Int) -> Int? {
        let lead = bytes[position]
        if lead < 0x80 { return 1 }
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return nil
        }
        guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { return nil }
        for next in bytes[(position + 2)..<max(position + 2, position + length)] where next & 0xC0 != 0x80 {
            return nil
        }
        return length
    }

    /// The byte order mark at the start of a UTF-8 file.
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Space, tab, line feed and carriage return: white space in both XML and JSON.
    package static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        text.append(contentsOf: Unicode.UTF8.encode(scalar).map(Array.init) ?? [])
    }
}
