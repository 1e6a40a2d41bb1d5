extension ManifestText {
    /// The text as the YAML parser gets it: in JSON an escaped surrogate pair is one escape of YAML's.
    ///
    /// JSON has no other escape for what lies beyond U+FFFF (RFC 8259, section 7), and whoever writes JSON in ASCII uses it;
    /// YAML's parser refuses each half.
    var parsable: String {
        guard scalars.first(where: { !$0.properties.isWhitespace }) == "{" else { return string }
        var view = String.UnicodeScalarView()
        var place = 0
        while place < scalars.count {
            if let pair = surrogatePair(at: place) {
                view.append(contentsOf: "\\U00\(String(pair.value, radix: 16).paddedToSix)".unicodeScalars)
                place += 12
            } else {
                // What stands behind a backslash is no beginning of an escape.
                let count = scalars[place] == "\\" && place + 1 < scalars.count ? 2 : 1
                view.append(contentsOf: scalars[place..<place + count])
                place += count
            }
        }
        return String(view)
    }

    /// The character that two escapes of four digits at a place stand for; nil where there is none.
    private func surrogatePair(at place: Int) -> Unicode.Scalar? {
        guard let high = escapedUnit(at: place), (0xD800..<0xDC00).contains(high),
            let low = escapedUnit(at: place + 6), (0xDC00..<0xE000).contains(low)
        else { return nil }
        return Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + low & 0x3FF)
    }

    /// The code unit of an escape such as `\ud83d`.
    private func escapedUnit(at place: Int) -> UInt32? {
        guard place + 6 <= scalars.count, scalars[place] == "\\", scalars[place + 1] == "u" else { return nil }
        let digits = scalars[place + 2..<place + 6]
        guard digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else { return nil }
        return UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    }
}

extension String {
    fileprivate var paddedToSix: String { String(repeating: "0", count: max(0, 6 - utf8.count)) + self }
}
