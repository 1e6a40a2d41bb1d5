internal import GodwitJSON

/// Edits a JSON object by bytes: replaces one value, or adds one entry after the last, with the last one's spacing.
enum JSONEdit {
    static func setting(_ key: String, to flag: Bool, in bytes: [UInt8], _ layout: TextLayout) -> [UInt8] {
        if let entry = layout.entries.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
            return bytes.replacing(entry.valueRange, with: String(flag))
        }
        guard let last = layout.entries.last else {
            let inside = layout.root.lowerBound + 1
            return bytes.replacing(inside..<inside, with: "\(quoted(key)): \(flag)")
        }
        var start = last.keyRange.lowerBound
        while UTF8Text.isWhitespace(bytes[start - 1]) { start -= 1 }
        let space = String(decoding: bytes[start..<last.keyRange.lowerBound], as: UTF8.self)
        let colon = String(decoding: bytes[last.keyRange.upperBound..<last.valueRange.lowerBound], as: UTF8.self)
        let end = last.valueRange.upperBound
        return bytes.replacing(end..<end, with: ",\(space)\(quoted(key))\(colon)\(flag)")
    }

    /// Source: RFC 8259, section 7: quotes, backslashes and control characters must be escaped.
    private static func quoted(_ key: String) -> String {
        var text = "\""
        for scalar in key.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\0"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
