internal import GodwitJSON
package import GodwitModel

/// Reads Apple's property list DTD in UTF-8, strictly and within limits: a scanner for this one grammar, without an XML
/// library.
///
/// Invariants: nothing is fetched or expanded (no internal subset, only predefined entities and character references);
/// containers are on a stack of the reader's own, so that depth cannot overflow the thread's stack; every byte is read
/// a constant number of times. Cases that the DTD leaves open are read as CoreFoundation does (`CFPropertyList.c`).
package struct XMLPropertyListReader {
    /// A container without its closing tag so far.
    struct Frame {
        let isDictionary: Bool
        /// The offset of its tag.
        let start: Int
        var values: [LegacyValue] = []
        var pairs: [LegacyPair] = []
        var keys = ByteKeys()
        /// A key without its value so far, with its range.
        var pendingKey: String?
        var pendingRange: Range<Int> = 0..<0
    }

    let bytes: [UInt8]
    let limits: LegacyLimits
    var position = 0
    private var nodes = 0
    private var frames: [Frame] = []
    private var root: LegacyValue?
    /// Whether the file has a value that Godwit cannot hold.
    private var hasUnheld = false
    private var layout = TextLayout()

    /// The top-level value.
    ///
    /// Throws `data` with line and column, or with the key of a value that cannot be represented.
    package static func read(
        _ bytes: [UInt8], limits: LegacyLimits = .standard
    ) throws(GodwitError) -> LegacyValue {
        do throws(LegacyDamage) {
            return try LegacyDocument.parse(bytes, as: .xml, limits: limits).requireRepresentable()
        } catch {
            throw error.error(in: bytes, as: .xml)
        }
    }

    /// The top-level value, and the layout of its parts in the file.
    static func parse(
        _ bytes: [UInt8], limits: LegacyLimits
    ) throws(LegacyDamage) -> (value: LegacyValue, layout: TextLayout) {
        var reader = Self(bytes: bytes, limits: limits)
        let value = try reader.readDocument()
        return (value, reader.layout)
    }

    private init(bytes: [UInt8], limits: LegacyLimits) {
        (self.bytes, self.limits) = (bytes, limits)
    }

    private mutating func readDocument() throws(LegacyDamage) -> LegacyValue {
        try readProlog()
        while try readNextTag() {}
        guard let root else { throw LegacyDamage("no value inside <plist>", at: position) }
        try skipMiscellaneous()
        guard position == bytes.count else { throw LegacyDamage("text after the end", at: position) }
        return root
    }

    /// Reads one tag with its content; false after `</plist>`.
    private mutating func readNextTag() throws(LegacyDamage) -> Bool {
        try skipMiscellaneous()
        let start = position
        guard start < bytes.count else { throw LegacyDamage("truncated", at: start) }
        guard bytes[start] == UInt8(ascii: "<") else { throw LegacyDamage("text between elements", at: start) }
        if startsHere("</") {
            let name = try readClosingTag()
            guard !frames.isEmpty else {
                guard name == "plist" else { throw LegacyDamage("mismatched tag </\(name)>", at: start) }
                return false
            }
            try closeContainer(name, at: start)
            return true
        }
        let tag = try readOpeningTag()
        switch tag.name {
        case "dict", "array": try openContainer(tag, at: start)
        case "key": try readKey(tag, at: start)
        case "string", "integer", "real", "date", "data": try readScalar(tag, at: start)
        case "true", "false":
            if !tag.isEmpty { try readEmptyContent(of: tag.name) }
            try requireValueAllowed(at: start)
            try add(.bool(tag.name == "true"), from: start)
        default: throw LegacyDamage("unknown tag <\(tag.name)>", at: start)
        }
        return true
    }

    /// Checks that a value is allowed here: once at the top level, in an array, and in a dictionary after its key.
    private func requireValueAllowed(at start: Int) throws(LegacyDamage) {
        guard let frame = frames.last else {
            guard root == nil else { throw LegacyDamage("more than one value inside <plist>", at: start) }
            return
        }
        if frame.isDictionary, frame.pendingKey == nil { throw LegacyDamage("value without a key", at: start) }
    }

    private mutating func countNode(at start: Int) throws(LegacyDamage) {
        nodes += 1
        guard nodes <= limits.nodes else {
            throw LegacyDamage("more than \(limits.nodes) values", at: start, kind: .limit)
        }
    }

    private mutating func openContainer(_ tag: XMLTag, at start: Int) throws(LegacyDamage) {
        try requireValueAllowed(at: start)
        guard frames.count < limits.depth else {
            throw LegacyDamage("nested deeper than \(limits.depth)", at: start, kind: .limit)
        }
        let isDictionary = tag.name == "dict"
        guard tag.isEmpty else {
            frames.append(Frame(isDictionary: isDictionary, start: start))
            return
        }
        if frames.isEmpty {
            layout.isEmptyTag = true
            layout.close = position
        }
        try add(isDictionary ? .dictionary([]) : .array([]), from: start)
    }

    private mutating func closeContainer(_ name: String, at start: Int) throws(LegacyDamage) {
        guard let frame = frames.popLast(), name == (frame.isDictionary ? "dict" : "array") else {
            throw LegacyDamage("mismatched tag </\(name)>", at: start)
        }
        guard frame.pendingKey == nil else { throw LegacyDamage("key without a value", at: start) }
        if frames.isEmpty { layout.close = start }
        try add(frame.isDictionary ? Self.dictionary(frame.pairs) : .array(frame.values), from: frame.start)
    }

    /// In XML, a dictionary with only the key `CF$UID` is a reference inside a keyed archive.
    private static func dictionary(_ pairs: [LegacyPair]) -> LegacyValue {
        if pairs.count == 1, pairs[0].hasKey("CF$UID"), case .integer(let number) = pairs[0].value,
            let uid = UInt64(exactly: number)
        {
            return .uid(uid)
        }
        return .dictionary(pairs)
    }

    private mutating func readKey(_ tag: XMLTag, at start: Int) throws(LegacyDamage) {
        let level = frames.count - 1
        guard level >= 0, frames[level].isDictionary else {
            throw LegacyDamage("key outside a dictionary", at: start)
        }
        guard frames[level].pendingKey == nil else { throw LegacyDamage("key without a value", at: start) }
        let key = String(decoding: tag.isEmpty ? [] : try readText(of: tag.name), as: UTF8.self)
        try countNode(at: start)
        guard frames[level].keys.insert(key) else {
            throw LegacyDamage("duplicate key '\(key.escapedForMessage)'", at: start)
        }
        frames[level].pendingKey = key
        frames[level].pendingRange = start..<position
    }

    private mutating func readScalar(_ tag: XMLTag, at start: Int) throws(LegacyDamage) {
        try requireValueAllowed(at: start)
        let text = tag.isEmpty ? [] : try readText(of: tag.name)
        let value: LegacyValue
        do throws(XMLScalar.Fault) {
            value = try XMLScalar.value(of: tag.name, text)
        } catch {
            let keys = frames.compactMap(\.pendingKey)
            guard error.isOutOfRange else { throw LegacyDamage(error.reason, at: start, keys: keys) }
            value = .unheld(
                UnheldValue(reason: error.reason, offset: start, keys: hasUnheld ? [] : keys, bytes: text))
            hasUnheld = true
        }
        try add(value, from: start)
    }

    /// Adds a finished value to its container; it extends from `start` to the present position.
    private mutating func add(_ value: LegacyValue, from start: Int) throws(LegacyDamage) {
        try countNode(at: start)
        let level = frames.count - 1
        guard level >= 0 else {
            root = value
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
