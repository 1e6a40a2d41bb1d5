package import GodwitModel

/// Reads values as `JSONBuffer` writes them: one flat object or array, with tagged objects for values that JSON can't hold.
///
/// Invariant: it accepts only bytes that `JSONBuffer` writes for the result. They are in files that anyone can change.
package enum TypedJSON {
    /// The members of an object in their order; nil for other bytes.
    package static func members(of bytes: [UInt8]) -> [(name: String, value: Value)]? {
        guard case .dictionary(let pairs)? = parse(bytes) else { return nil }
        var members: [(name: String, value: Value)] = []
        for pair in pairs {
            guard let value = value(of: pair.value) else { return nil }
            members.append((pair.key, value))
        }
        return object(of: members) == bytes ? members : nil
    }

    /// The elements of an array; nil for other bytes.
    package static func elements(of bytes: [UInt8]) -> [Value]? {
        guard case .array(let items)? = parse(bytes) else { return nil }
        let values = items.compactMap { value(of: $0) }
        return values.count == items.count && array(of: values) == bytes ? values : nil
    }

    /// An array as `JSONBuffer` writes it, which `elements(of:)` reads.
    package static func array(of values: [Value]) -> [UInt8] {
        list(values, "[", "]") { json, value in json.append(value) }
    }

    /// An object as `JSONBuffer` writes it, which `members(of:)` reads.
    package static func object(of members: [(name: String, value: Value)]) -> [UInt8] {
        list(members, "{", "}") { json, member in
            json.append(string: member.name)
            json.append(":")
            json.append(member.value)
        }
    }

    /// The value that a scalar or a tagged object means: `{"$blob":"…"}`, `{"$text":"…"}`, `{"$int":"…"}` or
    /// `{"$real":"…"}`.
    package static func value(of item: LegacyValue) -> Value? {
        switch item {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .string(let text): return .string(text)
        case .dictionary(let pairs):
            guard pairs.count == 1, case .string(let text) = pairs[0].value else { return nil }
            switch pairs[0].key {
            case "$blob": return base64(text).map { .blob($0) }
            case "$text": return base64(text).map { .text($0) }
            case "$int": return Int64(text).map { .integer($0) }
            case "$real":
                return ["Infinity": Double.infinity, "-Infinity": -.infinity, "NaN": .nan][text].map { .real($0) }
            default: return nil
            }
        default: return nil
        }
    }

    private static func parse(_ bytes: [UInt8]) -> LegacyValue? {
        JSONParser.parse(bytes, limits: .init(depth: 2, blanks: 0, acceptsAnyEscape: true))
    }

    private static func list<T>(
        _ items: [T], _ open: StaticString, _ close: StaticString, _ append: (inout JSONBuffer, T) -> Void
    ) -> [UInt8] {
        var json = JSONBuffer(capacity: 32)
        json.append(open)
        for (index, item) in items.enumerated() {
            if index > 0 { json.append(",") }
            append(&json, item)
        }
        json.append(close)
        return json.bytes
    }

    private static func base64(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { text in
            let count = text.count / 4 * 3
            var isBase64 = false
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { memory, written in
                let decoded = Base64.decode(UnsafeRawBufferPointer(text), to: UnsafeMutableRawBufferPointer(memory))
                (isBase64, written) = (decoded != nil, decoded ?? 0)
            }
            return isBase64 ? bytes : nil
        }
    }
}
