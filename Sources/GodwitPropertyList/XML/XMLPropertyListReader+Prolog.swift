/// Reads everything before the first value: byte order mark, XML declaration, DOCTYPE, `<plist>`.
extension XMLPropertyListReader {
    mutating func readProlog() throws(LegacyDamage) {
        try refuseWideEncodings()
        if bytes.starts(with: UTF8Text.byteOrderMark) { position = 3 }
        skipWhitespace()
        if startsHere("<?xml"), position + 5 < bytes.count, UTF8Text.isWhitespace(bytes[position + 5]) {
            try readDeclaration()
        }
        try checkCharacters()
        try skipMiscellaneous()
        if startsHere("<!DOCTYPE") {
            try skipDocumentType()
            try skipMiscellaneous()
        }
        let start = position
        guard start < bytes.count else { throw LegacyDamage("truncated", at: start) }
        guard bytes[start] == UInt8(ascii: "<") else { throw LegacyDamage("text between elements", at: start) }
        let tag = try readOpeningTag(mayHaveAttributes: true)
        guard tag.name == "plist" else { throw LegacyDamage("<\(tag.name)> where <plist> was expected", at: start) }
        guard !tag.isEmpty else { throw LegacyDamage("no value inside <plist>", at: start) }
    }

    /// UTF-16 and UTF-32 are recognized by their byte order mark, or by zero bytes around the first `<`.
    private func refuseWideEncodings() throws(LegacyDamage) {
        let first = Array(bytes.prefix(2))
        let less = UInt8(ascii: "<")
        if [[0xFE, 0xFF], [0xFF, 0xFE], [less, 0], [0, less], [0, 0]].contains(first) {
            throw LegacyDamage("encoding UTF-16 is not supported", at: 0)
        }
    }

    /// Reads `<?xml version="1.0" encoding="UTF-8"?>`; rejects any other encoding.
    private mutating func readDeclaration() throws(LegacyDamage) {
        let start = position
        position += 5
        while true {
            skipWhitespace()
            if startsHere("?>") { break }
            let (name, value) = try readAttribute()
            switch name {
            case "encoding" where value.lowercased() != "utf-8":
                throw LegacyDamage("encoding \(value.escapedForMessage) is not supported", at: start)
            case "version" where value != "1.0":
                throw LegacyDamage("XML version \(value.escapedForMessage) is not supported", at: start)
            case "encoding", "version", "standalone": continue
            default: throw LegacyDamage("malformed XML declaration", at: start)
            }
        }
        position += 2
    }

    /// Checks that the whole file is UTF-8 without control characters, before anything is read from it.
    private func checkCharacters() throws(LegacyDamage) {
        if let fault = UTF8Text.firstFault(in: bytes) { throw LegacyDamage("not valid UTF-8", at: fault) }
        if let control = bytes.firstIndex(where: { $0 < 0x20 && !UTF8Text.isWhitespace($0) }) {
            throw LegacyDamage("control character", at: control)
        }
    }

    /// Skips `<!DOCTYPE plist PUBLIC "…" "…">` without fetching it; rejects an internal subset, which could declare
    /// entities.
    private mutating func skipDocumentType() throws(LegacyDamage) {
        let start = position
        position += 9
        guard position < bytes.count, UTF8Text.isWhitespace(bytes[position]) else {
            throw LegacyDamage("malformed DOCTYPE", at: start)
        }
        skipWhitespace()
        guard startsHere("plist") else { throw LegacyDamage("a DOCTYPE other than plist", at: start) }
        position += 5
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: ">"):
                position += 1
                return
            case UInt8(ascii: "["): throw LegacyDamage("entity declarations are not allowed", at: position)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = bytes[(position + 1)...].firstIndex(of: byte) else {
                    throw LegacyDamage("truncated", at: bytes.count)
                }
                position = end + 1
            case UInt8(ascii: "<"): throw LegacyDamage("malformed DOCTYPE", at: position)
            default: position += 1
            }
        }
        throw LegacyDamage("truncated", at: position)
    }
}
