package import GodwitModel

/// Reads one JSON value with all its parts, strictly and within limits.
///
/// Names must be unique in their object, which RFC 8259, section 4, leaves to the reader. It works without recursion: deep
/// nesting can't overflow the stack of a thread.
package struct JSONParser {
    package struct Limits {
        package let depth: Int
        /// Values and names.
        let values: Int
        /// Blanks between two tokens.
        let blanks: Int
        /// Whether NUL and half of a surrogate pair may be escaped; a text with a half is an unheld value.
        let acceptsAnyEscape: Bool

        package init(depth: Int, values: Int = .max, blanks: Int = .max, acceptsAnyEscape: Bool = false) {
            (self.depth, self.values, self.blanks) = (depth, values, blanks)
            self.acceptsAnyEscape = acceptsAnyEscape
        }
    }

    /// An object or array that is still open.
    private struct Frame {
        let isObject: Bool
        let start: Int
        var values: [LegacyValue] = []
        var pairs: [LegacyPair] = []
        // By bytes: to Swift two spellings of one letter are equal.
        var names: Set<[UInt8]> = []
        var name: String?
        var nameRange = 0..<0
    }

    package private(set) var cursor: JSONCursor
    private let limits: Limits
    private var count = 0
    private var frames: [Frame] = []
    package private(set) var layout = TextLayout()
    private var hasUnheld = false

    package init(_ cursor: JSONCursor, limits: Limits) { (self.cursor, self.limits) = (cursor, limits) }

    /// The value that the bytes hold; nil if they are not one value in JSON.
    package static func parse(_ bytes: [UInt8], limits: Limits) -> LegacyValue? {
        bytes.withUnsafeBytes { bytes in
            var parser = Self(JSONCursor(bytes), limits: limits)
            guard let value = try? parser.value(), (try? parser.requireEnd()) != nil else { return nil }
            return value
        }
    }

    /// Reads the value that comes next.
    package mutating func value() throws(JSONFault) -> LegacyValue {
        while true {
            try skipBlanks()
            guard var value = try readOrOpen() else { continue }
            // A complete value may complete those around it.
            while let isObject = frames.last?.isObject {
                try skipBlanks()
                if cursor.takes(0x2C) {
                    if isObject { try readName() }
                    break
                }
                guard cursor.peek == (isObject ? 0x7D : 0x5D) else {
                    throw cursor.fault(isObject ? .memberEnd : .elementEnd)
                }
                value = try close(frames.removeLast())
            }
            if frames.isEmpty { return value }
        }
    }

    /// Throws if anything except blanks follows.
    package mutating func requireEnd() throws(JSONFault) {
        try skipBlanks()
        guard cursor.peek == nil else { throw JSONFault(.textAfterEnd, at: cursor.offset) }
    }

    private mutating func skipBlanks() throws(JSONFault) { try cursor.skipBlanks(max: limits.blanks) }

    /// Reads a scalar or an empty container; nil after opening a container with content.
    private mutating func readOrOpen() throws(JSONFault) -> LegacyValue? {
        let start = cursor.offset
        guard let byte = cursor.peek, byte == 0x7B || byte == 0x5B else { return try add(try scalar(), from: start) }
        guard frames.count < limits.depth else { throw JSONFault(.tooDeep, at: start) }
        let frame = Frame(isObject: cursor.takes(0x7B), start: start)
        if !frame.isObject { _ = cursor.takes(0x5B) }
        try skipBlanks()
        if cursor.peek == (frame.isObject ? 0x7D : 0x5D) { return try close(frame) }
        frames.append(frame)
        if frame.isObject { try readName() }
        return nil
    }

    private mutating func scalar() throws(JSONFault) -> LegacyValue {
        switch cursor.peek {
        case 0x22:
            let start = cursor.offset
            let (text, halfPair) = try cursor.string(acceptsAnyEscape: limits.acceptsAnyEscape)
            return halfPair == nil ? .string(text) : unheld("lone surrogate", from: start)
        case 0x74:
            try cursor.take(word: "true")
            return .bool(true)
        case 0x66:
            try cursor.take(word: "false")
            return .bool(false)
        case 0x6E:
            try cursor.take(word: "null")
            return .null
        case 0x2D?, 0x30?, 0x31?, 0x32?, 0x33?, 0x34?, 0x35?, 0x36?, 0x37?, 0x38?, 0x39?: return try number()
        default: throw cursor.fault(.value)
        }
    }

    /// Reads an integer of any length; with a fraction or an exponent, a real.
    private mutating func number() throws(JSONFault) -> LegacyValue {
        let number = try cursor.number()
        if let integer = number.integer { return .integer(integer) }
        guard number.isReal else { return .integer(decimal: number.text(in: cursor.bytes)) }
        guard let real = number.real(in: cursor.bytes) else { return unheld("number out of range", from: number.start) }
        return .real(real)
    }

    /// Reads a name and its colon.
    private mutating func readName() throws(JSONFault) {
        try skipBlanks()
        let start = cursor.offset
        let (name, halfPair) = try cursor.string(acceptsAnyEscape: limits.acceptsAnyEscape)
        if let halfPair { throw JSONFault(.halfPair, at: halfPair) }
        try countValue(at: start)
        let level = frames.count - 1
        guard frames[level].names.insert(Array(name.utf8)).inserted else { throw JSONFault(.duplicateName, at: start) }
        (frames[level].name, frames[level].nameRange) = (name, start..<cursor.offset)
        try skipBlanks()
        guard cursor.takes(0x3A) else { throw cursor.fault(.colon) }
    }

    /// Ends a container at its closing brace or bracket.
    private mutating func close(_ frame: Frame) throws(JSONFault) -> LegacyValue {
        if frames.isEmpty { layout.close = cursor.offset }
        _ = cursor.takes(frame.isObject ? 0x7D : 0x5D)
        return try add(frame.isObject ? .dictionary(frame.pairs) : .array(frame.values), from: frame.start)
    }

    /// Adds a complete value, which ends at the cursor, to the container around it.
    private mutating func add(_ value: LegacyValue, from start: Int) throws(JSONFault) -> LegacyValue {
        try countValue(at: start)
        let level = frames.count - 1
        guard level >= 0 else {
            layout.root = start..<cursor.offset
            return value
        }
        guard let name = frames[level].name else {
            frames[level].values.append(value)
            return value
        }
        frames[level].pairs.append(LegacyPair(key: name, value: value))
        if level == 0 {
            layout.entries.append(
                .init(key: name, keyRange: frames[0].nameRange, valueRange: start..<cursor.offset))
        }
        frames[level].name = nil
        return value
    }

    private mutating func countValue(at start: Int) throws(JSONFault) {
        count += 1
        guard count <= limits.values else { throw JSONFault(.tooManyValues, at: start) }
    }

    /// A value that Swift can't hold, from `start` to the cursor.
    private mutating func unheld(_ reason: String, from start: Int) -> LegacyValue {
        defer { hasUnheld = true }
        return .unheld(
            UnheldValue(
                reason: reason, offset: start, keys: hasUnheld ? [] : frames.compactMap(\.name),
                bytes: Array(cursor.bytes[start..<cursor.offset])))
    }
}
