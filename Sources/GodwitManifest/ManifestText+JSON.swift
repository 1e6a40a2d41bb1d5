extension ManifestText {
    /// The text for the YAML parser: in JSON, an escaped surrogate pair becomes one YAML escape.
    ///
    /// JSON has no other escape for characters beyond U+FFFF (RFC 8259, section 7), and encoders that write ASCII use
    /// it. The YAML parser rejects each half.
    var parsable: String {
        guard scalars.first(where: { !$0.properties.isWhitespace }) == "{" else { return string }
        var view = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            if let pair = surrogatePair(at: index) {
                view.append(contentsOf: "\\U00\(String(pair.value, radix: 16).paddedToSix)".unicodeScalars)
                index += 12
            } else {
                // A backslash and the character after it are one escape.
                let count = scalars[index] == "\\" && index + 1 < scalars.count ? 2 : 1
                view.append(contentsOf: scalars[index..<index + count])
                index += count
            }
        }
        return String(view)
    }

    /// The character of two escapes with four digits at an index; nil for none.
    private func surrogatePair(at index: Int) -> Unicode.Scalar? {
        guard let high = escapedUnit(at: index), (0xD800..<0xDC00).contains(high),
            let low = escapedUnit(at: index + 6), (0xDC00..<0xE000).contains(low)
        else { return nil }
        return Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + low & 0x3FF)
    }

    /// The code unit of an escape such as `\ud83d`.
    private func escapedUnit(at index: Int) -> UInt32? {
        guard index + 6 <= scalars.count, scalars[index] == "\\", scalars[index + 1] == "u" else { return nil }
        let digits = scalars[index + 2..<index + 6]
        guard digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else { return nil }
        return UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    }
}

extension String {
    fileprivate var paddedToSix: String { String(repeating: "0", count: max(0, 6 - utf8.count)) + self }
}
