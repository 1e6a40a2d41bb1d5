package import GodwitModel

/// Reads JSON into values, strictly and within limits.
///
/// Source: RFC 8259, in UTF-8 with or without a byte order mark; duplicate names are rejected, which section 4 leaves
/// to the reader. Iterative like the other readers, so that depth cannot overflow the thread's stack.
package struct JSONReader {
    /// An object or array that is not closed yet.
    private struct Frame {
        let isObject: Bool
        let start: Int
        var values: [LegacyValue] = []
        var pairs: [LegacyPair] = []
        var keys = ByteKeys()
        var pendingKey: String?
        var pendingRange: Range<Int> = 0..<0
    }

    let bytes: [UInt8]
    let limits: LegacyLimits
    var position = 0
    private var nodes = 0
    private var frames: [Frame] = []
    private var layout = TextLayout()
    /// Half of a surrogate pair in the last string.
    var loneSurrogate: LegacyDamage?
    private var hasUnheld = false

    /// The top-level value, of any type; throws `data` with line and column.
    package static func read(
        _ bytes: [UInt8], limits: LegacyLimits = .standard
    ) throws(GodwitError) -> LegacyValue {
        do throws(LegacyDamage) {
            return try LegacyDocument.parse(bytes, as: .json, limits: limits).requireRepresentable()
        } catch {
            throw error.error(in: bytes, as: .json)
        }
    }

    /// The top-level value, and the layout of its parts in the file.
    static func parse(
        _ bytes: [UInt8], limits: LegacyLimits
    ) throws(LegacyDamage) -> (value: LegacyValue, layout: TextLayout) {
        if let fault = UTF8Text.firstFault(in: bytes) { throw LegacyDamage("not valid UTF-8", at: fault) }
        var reader = Self(bytes: bytes, limits: limits)
        let value = try reader.readDocument()
        return (value, reader.layout)
    }

    private init(bytes: [UInt8], limits: LegacyLimits) {
        self.bytes = bytes
        self.limits = limits
        if bytes.starts(with: UTF8Text.byteOrderMark) { position = 3 }
    }

    /// The keys of the path to the value being read.
    var openKeys: [String] { frames.compactMap(\.pendingKey) }

    /// A value that Godwit cannot hold, from `start` to the present position.
    mutating func unheld(_ reason: String, from start: Int) -> LegacyValue {
        defer { hasUnheld = true }
        return .unheld(
            UnheldValue(
                reason: reason, offset: start, keys: hasUnheld ? [] : openKeys, bytes: Array(bytes[start..<position])))
    }

    private mutating func readDocument() throws(LegacyDamage) -> LegacyValue {
        while true {
            skipWhitespace()
            guard var value = try readValueOrOpen() else { continue }
            // A finished value may also finish the enclosing containers.
            while let isObject = frames.last?.isObject {
                skipWhitespace()
                guard let byte = peek else { throw LegacyDamage("truncated", at: position) }
                if byte == UInt8(ascii: ",") {
                    position += 1
                    if isObject { try readKey() }
                    break
                }
                guard byte == UInt8(ascii: isObject ? "}" : "]") else {
                    throw LegacyDamage("',' or the end of the \(isObject ? "object" : "array") expected", at: position)
                }
                value = try close()
            }
            if frames.isEmpty {
                skipWhitespace()
                guard position == bytes.count else { throw LegacyDamage("text after the end", at: position) }
                return value
            }
        }
    }

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipWhitespace() {
        while position < bytes.count, UTF8Text.isWhitespace(bytes[position]) { position += 1 }
    }

    /// A finished value; nil after opening a container that is not empty.
    private mutating func readValueOrOpen() throws(LegacyDamage) -> LegacyValue? {
        let start = position
        guard let byte = peek else { throw LegacyDamage("truncated", at: position) }
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
            let value = try readScalar(byte)
            try add(value, from: start)
            return value
        }
        guard frames.count < limits.depth else {
            throw LegacyDamage("nested deeper than \(limits.depth)", at: position, kind: .limit)
        }
        let isObject = byte == UInt8(ascii: "{")
        frames.append(Frame(isObject: isObject, start: start))
        position += 1
        skipWhitespace()
        if peek == UInt8(ascii: isObject ? "}" : "]") { return try close() }
        if isObject { try readKey() }
        return nil
    }

    /// Closes the innermost container at its closing brace or bracket.
    private mutating func close() throws(LegacyDamage) -> LegacyValue {
        guard let frame = frames.popLast() else { throw LegacyDamage("text after the end", at: position) }
        if frames.isEmpty { layout.close = position }
        position += 1
        let value: LegacyValue = frame.isObject ? .dictionary(frame.pairs) : .array(frame.values)
        try add(value, from: frame.start)
        return value
    }

    private mutating func countNode(at start: Int) throws(LegacyDamage) {
        nodes += 1
        guard nodes <= limits.nodes else {
            throw LegacyDamage("more than \(limits.nodes) values", at: start, kind: .limit)
        }
    }

    /// Reads a name with its colon.
    private mutating func readKey() throws(LegacyDamage) {
        skipWhitespace()
        let start = position
        guard let byte = peek else { throw LegacyDamage("truncated", at: position) }
        guard byte == UInt8(ascii: "\"") else { throw LegacyDamage("a key in quotes expected", at: position) }
        let key = try readString()
        if let loneSurrogate { throw loneSurrogate }
        let end = position
        try countNode(at: start)
        let level = frames.count - 1
        guard frames[level].keys.insert(key) else {
            throw LegacyDamage("duplicate key '\(key.escapedForMessage)'", at: start)
        }
        skipWhitespace()
        guard let colon = peek else { throw LegacyDamage("truncated", at: position) }
        guard colon == UInt8(ascii: ":") else { throw LegacyDamage("':' expected", at: position) }
        position += 1
        frames[level].pendingKey = key
        frames[level].pendingRange = start..<end
    }

    /// Adds a finished value to its container; it extends from `start` to the present position.
    private mutating func add(_ value: LegacyValue, from start: Int) throws(LegacyDamage) {
        try countNode(at: start)
        let level = frames.count - 1
        guard level >= 0 else {
            layout.root = start..<position
            return
        }
        guard let key = frames[level].pendingKey else {
            frames[level].values.append(value)
            return
        }
        frames[level].pairs.append(LegacyPair(key: key, value: value))
        frames[level].pendingKey = nil
        if level == 0 {
            layout.entries.append(
                .init(key: key, keyRange: frames[level].pendingRange, valueRange: start..<position))
        }
    }
}
