internal import GodwitModel
internal import GodwitPropertyList

/// Reads comma-separated values: RFC 4180, and also a single LF or CR as line end and spaces around a field.
///
/// Empty lines are skipped; an empty field between two commas is a field.
enum CSVText {
    struct Field: Equatable {
        var text: String
        /// Whether spaces or tabs around an unquoted field were removed.
        var wasTrimmed = false
    }

    /// The fields of each line, in order.
    ///
    /// Throws for quotes that RFC 4180 does not allow.
    static func lines(of text: [UInt8]) throws(LegacyContentError) -> [[Field]] {
        var lines: [[Field]] = []
        var position = 0
        while position < text.count {
            let lineStart = position
            var line: [Field] = []
            repeat {
                if !line.isEmpty { position += 1 }
                line.append(try field(of: text, at: &position))
            } while position < text.count && text[position] == UInt8(ascii: ",")
            let isBlank =
                line.count == 1 && line[0].text.isEmpty && !text[lineStart..<position].contains(UInt8(ascii: "\""))
            if !isBlank { lines.append(line) }
            // CR LF counts as two line ends with an empty line between them, which is skipped.
            position += 1
        }
        return lines
    }

    private static func field(of text: [UInt8], at position: inout Int) throws(LegacyContentError) -> Field {
        let start = position
        while position < text.count, isBlank(text[position]) { position += 1 }
        if position < text.count, text[position] == UInt8(ascii: "\"") {
            return Field(text: try quoted(text, at: &position))
        }
        position = start
        while position < text.count, !isFieldEnd(text[position]) {
            guard text[position] != UInt8(ascii: "\"") else {
                throw .init(reason: "CSV with a quote inside an unquoted field (byte \(position.grouped))")
            }
            position += 1
        }
        var content = text[start..<position].drop(while: isBlank)
        while let last = content.last, isBlank(last) { content.removeLast() }
        return Field(
            text: String(decoding: content, as: UTF8.self),
            wasTrimmed: content.count < position - start && !content.isEmpty)
    }

    /// A field in quotes, in which two quotes mean one; after it only spaces up to the comma or line end.
    private static func quoted(
        _ text: [UInt8], at position: inout Int
    ) throws(LegacyContentError) -> String {
        let start = position
        var content: [UInt8] = []
        position += 1
        while true {
            guard position < text.count else {
                throw .init(reason: "CSV with an unclosed quote (byte \(start.grouped))")
            }
            let byte = text[position]
            position += 1
            if byte != UInt8(ascii: "\"") {
                content.append(byte)
            } else if position < text.count, text[position] == byte {
                content.append(byte)
                position += 1
            } else {
                break
            }
        }
        while position < text.count, isBlank(text[position]) { position += 1 }
        guard position == text.count || isFieldEnd(text[position]) else {
            throw .init(reason: "CSV with text after a closing quote (byte \(position.grouped))")
        }
        return String(decoding: content, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isFieldEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D
    }
}
