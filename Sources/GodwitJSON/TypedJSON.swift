package import GodwitModel

/// Reads back what `JSONBuffer` wrote of values: one flat object or array, with tagged objects for what JSON can't hold.
///
/// It reads Godwit's own books only, and those strictly: no nesting, no white space, no member twice. Whatever
/// `JSONBuffer` would not have written is refused, since it lies in a file that anybody may have changed.
package struct TypedJSON {
    private let bytes: [UInt8]
    private var place = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The members of an object in their order; nil where it is not one that `JSONBuffer` wrote.
    package static func members(of bytes: [UInt8]) -> [(name: String, value: Value)]? {
        var reader = TypedJSON(bytes)
        var members: [(name: String, value: Value)] = []
        // By bytes: to Swift two spellings of one letter are one, to SQLite they are two columns.
        var names: Set<[UInt8]> = []
        let isWhole = reader.list(from: 0x7B, to: 0x7D) { reader in
            guard let text = reader.string(), let name = String(validating: text, as: UTF8.self),
                names.insert(text).inserted, reader.take(0x3A), let value = reader.value()
            else { return false }
            members.append((name, value))
            return true
        }
        return isWhole && reader.isAtEnd ? members : nil
    }

    /// The elements of an array; nil where it is not one that `JSONBuffer` wrote.
    package static func elements(of bytes: [UInt8]) -> [Value]? {
        var reader = TypedJSON(bytes)
        var elements: [Value] = []
        let isWhole = reader.list(from: 0x5B, to: 0x5D) { reader in
            guard let value = reader.value() else { return false }
            elements.append(value)
            return true
        }
        return isWhole && reader.isAtEnd ? elements : nil
    }

    /// An array as `JSONBuffer` writes it, which `elements(of:)` reads.
    package static func array(of values: [Value]) -> [UInt8] {
        var json = JSONBuffer(capacity: 32)
        json.append("[")
        for (index, value) in values.enumerated() {
            if index > 0 { json.append(",") }
            json.append(value)
        }
        json.append("]")
        return json.bytes
    }

    // MARK: Pieces

    private var isAtEnd: Bool { place == bytes.count }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let end = place + word.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        let isSame = word.withUTF8Buffer { bytes[place..<end].elementsEqual($0) }
        if isSame { place = end }
        return isSame
    }

    /// Items with commas between them, inside a pair of brackets.
    private mutating func list(from open: UInt8, to close: UInt8, _ item: (inout TypedJSON) -> Bool) -> Bool {
        guard take(open) else { return false }
        if take(close) { return true }
        repeat {
            guard item(&self) else { return false }
        } while take(0x2C)
        return take(close)
    }

    private mutating func value() -> Value? {
        switch next {
        case 0x22: string().map { .text($0) }
        case 0x7B: tagged()
        case 0x6E: take("null") ? .null : nil
        default: number()
        }
    }

    /// An integer, or with a point or an exponent a real.
    private mutating func number() -> Value? {
        let start = place
        while let byte = next, byte >= 0x30 && byte <= 0x39 || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte) {
            place += 1
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        guard text.utf8.contains(where: { [0x2E, 0x45, 0x65].contains($0) }) else {
            return Int64(text).map { .integer($0) }
        }
        return Double(text).flatMap { $0.isFinite ? .real($0) : nil }
    }

    /// `{"$blob":"…"}`, `{"$text":"…"}`, `{"$int":"…"}` or `{"$real":"…"}`.
    private mutating func tagged() -> Value? {
        guard take(0x7B), let tag = string(), take(0x3A), let text = string(), take(0x7D) else { return nil }
        let readable = String(decoding: text, as: UTF8.self)
        switch String(decoding: tag, as: UTF8.self) {
        case "$blob": return Self.base64(text).map { .blob($0) }
        case "$text": return Self.base64(text).map { .text($0) }
        case "$int": return Int64(readable).map { .integer($0) }
        case "$real":
            let reals = ["Infinity": Double.infinity, "-Infinity": -Double.infinity, "NaN": Double.nan]
            return reals[readable].map { .real($0) }
        default: return nil
        }
    }

    private mutating func string() -> [UInt8]? {
        guard take(0x22) else { return nil }
        var text: [UInt8] = []
        while let byte = next {
            place += 1
            if byte == 0x22 { return text }
            if byte < 0x20 { return nil }
            if byte != 0x5C {
                text.append(byte)
                continue
            }
            guard let escaped = escape() else { return nil }
            text.append(escaped)
        }
        return nil
    }

    /// What stands behind a backslash: controls, quotes and backslashes are all that is ever escaped.
    private mutating func escape() -> UInt8? {
        guard let byte = next else { return nil }
        place += 1
        switch byte {
        case 0x22, 0x5C: return byte
        case 0x62: return 0x08
        case 0x66: return 0x0C
        case 0x6E: return 0x0A
        case 0x72: return 0x0D
        case 0x74: return 0x09
        case 0x75:
            guard place + 4 <= bytes.count else { return nil }
            let code = UInt8(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
            place += 4
            return code.flatMap { $0 < 0x20 ? $0 : nil }
        default: return nil
        }
    }

    /// RFC 4648, section 4, padded.
    private static func base64(_ text: [UInt8]) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.reversed().prefix { $0 == 0x3D }.count
        guard padding <= 2 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in text.dropLast(padding) {
            guard let digit = digit(byte) else { return nil }
            bits = bits << 6 | digit
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        // What is left over are the padding's bits, which an encoder leaves clear.
        guard bits & (1 << UInt32(count) - 1) == 0, count / 2 == padding else { return nil }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x41...0x5A: UInt32(byte) - 0x41
        case 0x61...0x7A: UInt32(byte) - 0x47
        case 0x30...0x39: UInt32(byte) + 4
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
