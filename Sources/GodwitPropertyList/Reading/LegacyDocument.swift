package import GodwitModel

/// A property list or JSON text as values, with a dictionary at the top level.
package struct LegacyDocument: Sendable {
    package let format: LegacyFormat
    /// The entries of the top level, in the file's order.
    package let root: [LegacyPair]

    /// Recognizes the format by content, not by name, and reads it.
    ///
    /// A value that Godwit cannot hold is kept as such, because its key decides whether that matters. Throws `data` for
    /// damaged files, unknown formats, files beyond the limits, and a top level that is not a dictionary.
    package init(_ bytes: [UInt8], limits: LegacyLimits = .standard) throws(GodwitError) {
        try self.init(bytes, limits: limits, isOrdered: true)
    }

    /// Reads values whose order has no meaning: entries are sorted by the bytes of their keys, in a binary property list on
    /// all levels.
    package init(unordered bytes: [UInt8], limits: LegacyLimits = .standard) throws(GodwitError) {
        try self.init(bytes, limits: limits, isOrdered: false)
    }

    private init(_ bytes: [UInt8], limits: LegacyLimits, isOrdered: Bool) throws(GodwitError) {
        format = try Self.format(of: bytes)
        let value: LegacyValue
        do throws(LegacyDamage) {
            value = try Self.parse(bytes, as: format, limits: limits, isOrdered: isOrdered)
        } catch {
            throw error.error(in: bytes, as: format)
        }
        guard case .dictionary(let pairs) = value else {
            throw GodwitError(
                .legacy, .data, "top level is \(value.typeNameWithArticle), not a dictionary",
                hint: "Name the file in which the app stores its settings by key.")
        }
        root = isOrdered ? pairs : pairs.sortedByKey
    }

    /// The value of a key, compared by bytes.
    package func value(for key: String) -> LegacyValue? {
        root.first { $0.hasKey(key) }?.value
    }

    package static func parse(
        _ bytes: [UInt8], as format: LegacyFormat, limits: LegacyLimits, isOrdered: Bool = true
    ) throws(LegacyDamage) -> LegacyValue {
        guard bytes.count <= limits.bytes else {
            throw LegacyDamage(
                "\(bytes.count.grouped) bytes are over the limit of \(limits.bytes.grouped)", at: nil, kind: .limit)
        }
        return switch format {
        case .binary: try BinaryPropertyListReader.parse(bytes, limits: limits, isOrdered: isOrdered)
        case .xml: try XMLPropertyListReader.parse(bytes, limits: limits).value
        case .json: try JSONReader.parse(bytes, limits: limits).value
        }
    }

    static func format(of bytes: [UInt8]) throws(GodwitError) -> LegacyFormat {
        if bytes.isEmpty {
            throw refusal(
                "empty file",
                hint: "Restore the file from a backup. If the app never wrote it, write `{ path: …, optional: true }` "
                    + "in `preferences:`.")
        }
        if bytes.starts(with: Array("bplist".utf8)) { return .binary }
        let start = bytes.starts(with: UTF8Text.byteOrderMark) ? 3 : 0
        let text = bytes[start...].drop(while: UTF8Text.isWhitespace)
        switch text.first {
        case UInt8(ascii: "<"), 0xFE, 0xFF: return .xml
        case 0 where text.dropFirst().first == UInt8(ascii: "<"): return .xml
        case UInt8(ascii: "["): return .json
        case UInt8(ascii: "{"):
            let inside = text.dropFirst().drop(while: UTF8Text.isWhitespace).first
            if inside == nil || inside == UInt8(ascii: "\"") || inside == UInt8(ascii: "}") { return .json }
            throw refusal("neither JSON nor XML; old-style property lists are not supported")
        default: throw refusal("unknown format")
        }
    }

    private static func refusal(
        _ reason: String, hint: String = "Convert the file to a binary or XML property list, or to JSON."
    ) -> GodwitError {
        GodwitError(.legacy, .data, "not a readable property list (\(reason))", hint: hint)
    }
}

extension [LegacyPair] {
    /// The entries by the bytes of their keys.
    var sortedByKey: [LegacyPair] { sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }
}

extension LegacyValue {
    /// The value; throws if Godwit cannot hold it or a part of it.
    func requireRepresentable() throws(LegacyDamage) -> LegacyValue {
        if let value = firstUnheld { throw LegacyDamage(value.reason, at: value.offset, keys: value.keys) }
        return self
    }

    /// The type's name with its article: `an array`, `a string`.
    package var typeNameWithArticle: String {
        let takesAn: Bool = typeName.first.map { "aeio".contains($0) } ?? false
        return "\(takesAn ? "an" : "a") \(typeName)"
    }
}
