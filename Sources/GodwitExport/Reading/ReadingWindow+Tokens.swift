internal import GodwitJSON
internal import GodwitModel

/// A text without its quotes: its location in the unit, and whether it has escapes.
struct TextSpan {
    let start: Int
    let count: Int
    let hasEscapes: Bool
}

/// The tokens of JSON (RFC 8259) and no extensions: no comments, no trailing commas, no other spaces.
extension ReadingWindow {
    /// An error at the next byte, or at another offset in the unit; reports the unpacked byte, from 0.
    func damage(_ what: String, at place: Int? = nil) -> GodwitError {
        let byte = offset - Int64(self.place) + Int64(place ?? self.place)
        return GodwitError(
            stage, .data, "\(name) is no readable export: \(what) at byte \(byte.grouped).",
            hint: "It is damaged, was cut off, was edited, or was formatted anew by another program; copy it again, or "
                + "take an older export.")
    }

    /// Throws if the document begins with a byte order mark, which some editors and shells add.
    mutating func requireNoMark() throws(GodwitError) {
        for mark in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]] {
            guard try isNext(bytes: mark) else { continue }
            throw GodwitError(
                stage, .data, "\(name) is no readable export: it begins with a byte-order mark.",
                hint: "An editor or a shell has written it anew; take the file that `godwit export` wrote.")
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
        return damage(isAtEnd ? "it ends where \(wanted) must follow" : "there is something else than \(wanted)")
    }

    /// Skips a text; checks that its bytes are UTF-8, but not its escapes, which are checked when it is decoded.
    mutating func text() throws(GodwitError) -> TextSpan {
        try take("\"")
        let start = place
        var hasEscapes = false
        var hasHighBytes = false
        while true {
            if try skipPlainText() { hasHighBytes = true }
            switch try peek() {
            case 0x22?:
                let count = place - start
                if hasHighBytes {
                    let bytes = UnsafeRawBufferPointer(start: unitBytes + start, count: count)
                    guard bytes.isValidUTF8WithoutNUL else { throw damage("a text is no valid UTF-8", at: start) }
                }
                advance()
                return TextSpan(start: start, count: count, hasEscapes: hasEscapes)
            case 0x5C?:
                hasEscapes = true
                advance()
                guard try peek() != nil else { throw unexpected("the end of a text") }
                advance()
            case nil: throw unexpected("the end of a text")
            default: throw damage("there is a control character in a text")
            }
        }
    }

    mutating func take(word: StaticString) throws(GodwitError) {
        let bytes = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard try isNext(bytes) else { throw unexpected("'\(word)'") }
        advance(bytes.count)
    }

    /// Skips a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`, RFC 8259, section 6.
    ///
    /// - Returns: its value, if the writer's format can have it.
    mutating func number() throws(GodwitError) -> JSONNumber {
        var number = JSONNumber(start: place)
        if try takes("-") { number.isNegative = true }
        let first = try peek()
        try digits(into: &number)
        guard first != 0x30 || number.digits == 1 else { throw damage("a number begins with 0", at: number.start) }
        if try takes(".") {
            number.isReal = true
            let before = number.digits
            try digits(into: &number)
            number.exponent = before - number.digits
        }
        if let byte = try peek(), byte == 0x65 || byte == 0x45 {
            advance()
            number.isReal = true
            let isNegative = try takes("-")
            if !isNegative { _ = try takes("+") }
            var power = JSONNumber(start: place)
            try digits(into: &power)
            let size = Int(min(power.magnitude, 100_000))
            number.exponent += isNegative ? -size : size
        }
        number.count = place - number.start
        return number
    }

    private mutating func digits(into number: inout JSONNumber) throws(GodwitError) {
        let before = number.digits
        while let byte = try peek(), byte >= 0x30, byte <= 0x39 {
            number.append(digit: byte &- 0x30)
            advance()
            guard number.digits <= JSONNumber.digitLimit else { throw damage("a number is too long", at: number.start) }
        }
        guard number.digits > before else { throw unexpected("a digit") }
    }
}
