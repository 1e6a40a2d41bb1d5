internal import GodwitJSON
internal import GodwitModel

/// The tokens of JSON (RFC 8259) and no extensions: no comments, no trailing commas, no other spaces.
extension ReadingWindow {
    /// An error at the next byte, or at another offset in the unit; reports the unpacked byte, from 0.
    func damage(_ what: String, at place: Int? = nil) -> GodwitError {
        let byte = offset - Int64(self.place) + Int64(place ?? self.place)
        return GodwitError(
            stage, .data, "`\(name)` is not a readable export: \(what) at byte \(byte.grouped)",
            hint:
                "Copy it again, or take an older export: it was damaged, cut off, edited or formatted by "
                + "another program.")
    }

    /// Throws if the document begins with a byte order mark, which some editors and shells add.
    mutating func requireNoMark() throws(GodwitError) {
        for mark in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]] {
            guard try isNext(bytes: mark) else { continue }
            throw GodwitError(
                stage, .data, "`\(name)` is not a readable export: it begins with a byte-order mark",
                hint: "Take the file that \(name: .export) wrote: an editor or a shell has changed it.")
        }
    }

    @inline(__always)
    mutating func skipBlanks() throws(GodwitError) {
        guard let byte = try peek(), byte <= 0x20 else { return }
        try skipManyBlanks()
    }

    private mutating func skipManyBlanks() throws(GodwitError) {
        let start = offset
        while let byte = try peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            advance()
            guard offset - start <= Int64(limits.blanks) else { throw damage("there are too many blanks") }
        }
    }

    /// Skips what may follow a JSON text in its line: spaces, then a line feed or the end of the document.
    mutating func endLine() throws(GodwitError) {
        let start = offset
        while let byte = try peek(), byte == 0x20 || byte == 0x0D || byte == 0x09 {
            advance()
            guard offset - start <= Int64(limits.blanks) else { throw damage("there are too many blanks") }
        }
        guard try peek() != nil else { return }
        guard try takes("\n") else { throw damage("more than one JSON text is in a line") }
    }

    /// Skips one required character.
    @inline(__always)
    mutating func take(_ character: Unicode.Scalar) throws(GodwitError) {
        guard try peek() == UInt8(ascii: character) else { throw unexpected("'\(character)'") }
        advance()
    }

    /// Skips a character if it is next.
    mutating func takes(_ character: Unicode.Scalar) throws(GodwitError) -> Bool {
        guard try peek() == UInt8(ascii: character) else { return false }
        advance()
        return true
    }

    /// The error for another token than the required one, or for the end of the document.
    mutating func unexpected(_ wanted: String) -> GodwitError {
        let isAtEnd = (try? peek()) ?? nil == nil
        return damage(isAtEnd ? "it ends where \(wanted) must follow" : "there is something other than \(wanted)")
    }

    /// Skips a text; checks that its bytes are UTF-8, but not its escapes, which are checked when it is decoded.
    mutating func text() throws(GodwitError) -> TextSpan {
        try read { cursor throws(JSONFault) in try cursor.text() }
    }

    /// Reads a text as a Swift string.
    mutating func string() throws(GodwitError) -> String {
        try read { cursor throws(JSONFault) in try cursor.string() }
    }

    /// Goes past a number.
    mutating func number() throws(GodwitError) -> JSONNumber {
        // No double needs more digits to differ from its neighbors.
        try read { cursor throws(JSONFault) in try cursor.number(maxDigits: 1100) }
    }

    /// Reads a value with all its parts.
    mutating func value() throws(GodwitError) -> LegacyValue {
        let limits = JSONParser.Limits(depth: limits.depth, blanks: limits.blanks)
        return try read { cursor throws(JSONFault) in
            var parser = JSONParser(cursor, limits: limits)
            defer { cursor = parser.cursor }
            return try parser.value()
        }
    }

    mutating func take(word: StaticString) throws(GodwitError) {
        try read { cursor throws(JSONFault) in try cursor.take(word: word) }
    }

    /// The error for a fault in the current unit.
    func damage(_ fault: JSONFault) -> GodwitError {
        let missing: String? =
            switch fault.kind {
            case .value: "a value"
            case .name: "'\"'"
            case .colon: "':'"
            case .digit: "a digit"
            case .textEnd: "the end of a text"
            case .elementEnd: "']'"
            case .memberEnd: "'}'"
            default: nil
            }
        if let missing {
            return damage(
                fault.needsMore ? "it ends where \(missing) must follow" : "there is something other than \(missing)",
                at: fault.offset)
        }
        let what =
            switch fault.kind {
            case .control: "there is a control character in a text"
            case .encoding: "a text is not valid UTF-8"
            case .leadingZero: "a number begins with 0"
            case .duplicateName: "a member occurs twice"
            case .tooDeep: "it is nested more than \(limits.depth) deep"
            case .tooManyBlanks: "there are too many blanks"
            case .tooManyDigits: "a number is too long"
            default: "a text has an escape that JSON does not have"
            }
        return damage(what, at: fault.offset)
    }
}
