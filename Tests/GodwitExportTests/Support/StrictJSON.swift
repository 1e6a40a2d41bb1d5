/// An independent, strict JSON reader for tests: it keeps the order of members, the text of numbers, and the byte range
/// of each value.
indirect enum StrictJSON: Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([StrictJSON])
    case object([Member])

    struct Member: Equatable {
        let name: String
        let value: StrictJSON
        /// The range of the value's bytes.
        let range: Range<Int>
    }

    struct Damage: Error { let offset: Int }

    /// Reads a complete document: one value, and at most one line feed after it.
    init(document bytes: [UInt8]) throws {
        var reader = Reader(bytes: bytes)
        self = try reader.value()
        if reader.next == UInt8(ascii: "\n") { reader.offset += 1 }
        guard reader.offset == bytes.count else { throw Damage(offset: reader.offset) }
    }

    /// The names of an object's members, in order.
    var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.map(\.name)
    }

    subscript(_ name: String) -> StrictJSON? { member(name)?.value }

    func member(_ name: String) -> Member? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }
    }

    var elements: [StrictJSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    private struct Reader {
        let bytes: [UInt8]
        var offset = 0

        var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

        mutating func value() throws -> StrictJSON {
            skipBlanks()
            switch next {
            case UInt8(ascii: "{"): return .object(try members())
            case UInt8(ascii: "["): return .array(try elements())
            case UInt8(ascii: "\""): return .string(try string())
            case UInt8(ascii: "t"): return try word("true", .bool(true))
            case UInt8(ascii: "f"): return try word("false", .bool(false))
            case UInt8(ascii: "n"): return try word("null", .null)
            default: return .number(try number())
            }
        }

        private mutating func skipBlanks() {
            while let byte = next, byte == 0x20 || byte == 0x0A { offset += 1 }
        }

        private mutating func take(_ character: Unicode.Scalar) throws {
            guard next == UInt8(ascii: character) else { throw Damage(offset: offset) }
            offset += 1
        }

        private mutating func word(_ word: String, _ value: StrictJSON) throws -> StrictJSON {
            guard bytes[offset...].starts(with: word.utf8) else { throw Damage(offset: offset) }
            offset += word.utf8.count
            return value
        }

        private mutating func members() throws -> [Member] {
            try take("{")
            var members: [Member] = []
            while next != UInt8(ascii: "}") {
                if !members.isEmpty { try take(",") }
                skipBlanks()
                let name = try string()
                try take(":")
                skipBlanks()
                let start = offset
                let value = try value()
                guard !members.contains(where: { $0.name == name }) else { throw Damage(offset: start) }
                members.append(Member(name: name, value: value, range: start..<offset))
            }
            try take("}")
            return members
        }

        private mutating func elements() throws -> [StrictJSON] {
            try take("[")
            var elements: [StrictJSON] = []
            while next != UInt8(ascii: "]") {
                if !elements.isEmpty { try take(",") }
                elements.append(try value())
            }
            try take("]")
            return elements
        }

        /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`: RFC 8259, section 6.
        private mutating func number() throws -> String {
            let start = offset
            if next == UInt8(ascii: "-") { offset += 1 }
            let first = offset
            guard digits() > 0, bytes[first] != 0x30 || offset == first + 1 else { throw Damage(offset: start) }
            if next == UInt8(ascii: ".") {
                offset += 1
                guard digits() > 0 else { throw Damage(offset: start) }
            }
            if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
                offset += 1
                if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
                guard digits() > 0 else { throw Damage(offset: start) }
            }
            return String(decoding: bytes[start..<offset], as: UTF8.self)
        }

        private mutating func digits() -> Int {
            let start = offset
            while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
            return offset - start
        }

        private mutating func string() throws -> String {
            try take("\"")
            var text: [UInt8] = []
            while let byte = next, byte != UInt8(ascii: "\"") {
                guard byte >= 0x20 else { throw Damage(offset: offset) }
                offset += 1
                if byte == UInt8(ascii: "\\") { text += try escaped() } else { text.append(byte) }
            }
            try take("\"")
            guard let string = String(validating: text, as: UTF8.self) else { throw Damage(offset: offset) }
            return string
        }

        private mutating func escaped() throws -> [UInt8] {
            guard let byte = next else { throw Damage(offset: offset) }
            offset += 1
            switch byte {
            case UInt8(ascii: "n"): return [0x0A]
            case UInt8(ascii: "r"): return [0x0D]
            case UInt8(ascii: "t"): return [0x09]
            case UInt8(ascii: "b"): return [0x08]
            case UInt8(ascii: "f"): return [0x0C]
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): return [byte]
            case UInt8(ascii: "u"):
                let digits = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
                // Only control characters may be escaped like this.
                guard let code = UInt8(digits, radix: 16), code < 0x20 else { throw Damage(offset: offset) }
                offset += 4
                return [code]
            default: throw Damage(offset: offset)
            }
        }
    }
}
