internal import GodwitJSON

/// Edits an XML property list by bytes: replaces one value, or adds one entry before the end of the dictionary.
enum XMLEdit {
    static func setting(
        _ key: String, to flag: Bool, in bytes: [UInt8], _ layout: TextLayout
    ) throws(LegacyDamage) -> [UInt8] {
        let value = flag ? "<true/>" : "<false/>"
        if let entry = layout.entries.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
            return bytes.replacing(entry.valueRange, with: value)
        }
        let tag = "<key>\(try escaped(key))</key>"
        let newline = lineEnd(of: bytes)
        let ownIndent = indentation(before: layout.root.lowerBound, in: bytes) ?? ""
        if layout.isEmptyTag {
            guard let newline else { return bytes.replacing(layout.root, with: "<dict>\(tag)\(value)</dict>") }
            let lines = ["<dict>", "\(ownIndent)\t\(tag)", "\(ownIndent)\t\(value)", "\(ownIndent)</dict>"]
            return bytes.replacing(layout.root, with: lines.joined(separator: newline))
        }
        // If the closing tag shares its line with other text, the file is not laid out in lines.
        guard let newline, let closeIndent = indentation(before: layout.close, in: bytes) else {
            return bytes.replacing(layout.close..<layout.close, with: tag + value)
        }
        let sibling = layout.entries.last.flatMap { indentation(before: $0.keyRange.lowerBound, in: bytes) }
        let indent = sibling ?? closeIndent + "\t"
        let lineStart = layout.close - closeIndent.utf8.count
        return bytes.replacing(lineStart..<lineStart, with: "\(indent)\(tag)\(newline)\(indent)\(value)\(newline)")
    }

    /// The line end of the file; nil if it has only one line.
    private static func lineEnd(of bytes: [UInt8]) -> String? {
        guard let first = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        return first > 0 && bytes[first - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    /// The spaces and tabs between the start of the line and an offset; nil if there is other text.
    private static func indentation(before offset: Int, in bytes: [UInt8]) -> String? {
        let head = bytes[..<offset]
        guard let lineStart = head.lastIndex(of: UInt8(ascii: "\n")).map({ $0 + 1 }) else { return nil }
        let indent = head[lineStart...]
        guard indent.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
        return String(decoding: indent, as: UTF8.self)
    }

    /// The key as text of an element; throws for control characters, which XML cannot have.
    private static func escaped(_ key: String) throws(LegacyDamage) -> String {
        var text = ""
        for scalar in key.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\t", "\n", "\r": text += "&#\(scalar.value);"
            case "\0"..."\u{1F}": throw LegacyDamage("a key with control characters can't be written in XML", at: nil)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension [UInt8] {
    func replacing(_ range: Range<Int>, with text: String) -> [UInt8] {
        self[..<range.lowerBound] + Array(text.utf8) + self[range.upperBound...]
    }
}
