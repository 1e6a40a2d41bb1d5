internal import GodwitJSON
package import GodwitModel

/// Reads a JSON file into values.
///
/// Source: RFC 8259, in UTF-8 with or without a byte order mark.
package enum JSONReader {
    /// The top-level value, of any type.
    ///
    /// Throws `data` with line and column.
    package static func read(_ bytes: [UInt8], limits: LegacyLimits = .standard) throws(GodwitError) -> LegacyValue {
        do throws(LegacyDamage) {
            return try LegacyDocument.parse(bytes, as: .json, limits: limits).requireRepresentable()
        } catch {
            throw error.error(in: bytes, as: .json)
        }
    }

    /// The top-level value, and the ranges of its parts.
    static func parse(
        _ bytes: [UInt8], limits: LegacyLimits
    ) throws(LegacyDamage) -> (value: LegacyValue, layout: TextLayout) {
        if let fault = UTF8Text.firstFault(in: bytes) { throw LegacyDamage("not valid UTF-8", at: fault) }
        do throws(JSONFault) {
            return try bytes.withUnsafeBufferPointer { bytes throws(JSONFault) in
                let start = bytes.starts(with: UTF8Text.byteOrderMark) ? 3 : 0
                var parser = JSONParser(
                    JSONCursor(UnsafeRawBufferPointer(bytes), offset: start),
                    limits: .init(depth: limits.depth, values: limits.nodes, acceptsAnyEscape: true))
                let value = try parser.value()
                try parser.requireEnd()
                return (value, parser.layout)
            }
        } catch {
            throw damage(error, in: bytes, limits)
        }
    }

    private static func damage(_ fault: JSONFault, in bytes: [UInt8], _ limits: LegacyLimits) -> LegacyDamage {
        let reason =
            switch fault.kind {
            case .digit, .leadingZero: "malformed number"
            case _ where fault.offset == bytes.count: "truncated"
            case .value: "a value expected"
            case .name: "a key in quotes expected"
            case .colon: "':' expected"
            case .elementEnd: "',' or the end of the array expected"
            case .memberEnd: "',' or the end of the object expected"
            case .control: "control character"
            case .encoding: "not valid UTF-8"
            case .escape: "unknown escape"
            case .hexadecimal: "malformed escape"
            case .halfPair, .escapedNUL: "lone surrogate"
            case .duplicateName: "duplicate key '\(name(in: bytes, at: fault.offset).escapedForMessage)'"
            case .textAfterEnd: "text after the end"
            case .tooDeep: "nested deeper than \(limits.depth)"
            case .tooManyValues: "more than \(limits.nodes) values"
            case .textEnd, .tooManyDigits, .tooManyBlanks: "truncated"
            }
        let isLimit = fault.kind == .tooDeep || fault.kind == .tooManyValues
        return LegacyDamage(reason, at: fault.offset, kind: isLimit ? .limit : .damaged)
    }

    private static func name(in bytes: [UInt8], at offset: Int) -> String {
        bytes.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes, offset: offset)
            return (try? cursor.string()) ?? ""
        }
    }
}
