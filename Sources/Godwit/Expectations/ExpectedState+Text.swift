internal import GodwitJSON
package import GodwitModel

/// Expectations as text: JSON with one thing a line, in an order that depends on nothing but the content, so that a change
/// is a short difference.
extension ExpectedState {
    /// A line with its place.
    package struct Line: Sendable, Hashable {
        /// The part it belongs to, such as `counts.cloud`.
        package let part: String
        package let indent: Int
        /// Without its comma.
        package let text: String
        let endsWithComma: Bool
    }

    /// The document as UTF-8, with a newline at the end.
    package var bytes: [UInt8] {
        Array(
            lines.map { line in
                String(repeating: "  ", count: line.indent) + line.text + (line.endsWithComma ? "," : "") + "\n"
            }.joined().utf8)
    }

    /// The document line by line.
    package var lines: [Line] {
        let ordered = Self.parts.compactMap { part in members.first { $0.hasKey(part) } }
        var lines: [Line] = []
        Self.add(.dictionary(ordered), "", part: "", indent: 0, isLast: true, isOrdered: true, to: &lines)
        return lines
    }

    private static func add(
        _ value: LegacyValue, _ prefix: String, part: String, indent: Int, isLast: Bool, isOrdered: Bool = false,
        to lines: inout [Line]
    ) {
        func line(_ text: String, _ endsWithComma: Bool = false) -> Line {
            Line(part: part, indent: indent, text: text, endsWithComma: endsWithComma)
        }
        switch value {
        case .dictionary(let pairs) where !pairs.isEmpty:
            lines.append(line(prefix + "{"))
            let members = isOrdered ? pairs : pairs.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (index, pair) in members.enumerated() {
                let inner = pair.value.isBranch ? (part.isEmpty ? pair.key : "\(part).\(pair.key)") : part
                add(
                    pair.value, LegacyValue.string(pair.key).json() + ": ", part: inner, indent: indent + 1,
                    isLast: index == members.count - 1, to: &lines)
            }
            lines.append(line("}", !isLast))
        case .array(let items) where !items.isEmpty:
            lines.append(line(prefix + "["))
            let texts = items.map { $0.json() }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            for (index, text) in texts.enumerated() {
                lines.append(
                    Line(part: part, indent: indent + 1, text: text, endsWithComma: index < texts.count - 1))
            }
            lines.append(line("]", !isLast))
        default:
            lines.append(line(prefix + value.json(), !isLast))
        }
    }
}

extension LegacyValue {
    fileprivate var isBranch: Bool {
        switch self {
        case .dictionary(let pairs): !pairs.isEmpty
        case .array(let items): !items.isEmpty
        default: false
        }
    }

    /// The order of the members of a line; others follow by name.
    private static let ranks = ["store", "entity", "key", "winner", "reason", "losers", "isMissing", "columns"]

    /// The value as JSON on one line; members in an order of their own.
    ///
    /// - Parameter compact: without blanks.
    package func json(compact: Bool = false) -> String {
        let (comma, colon) = compact ? (",", ":") : (", ", ": ")
        switch self {
        case .dictionary(let pairs):
            let ordered = pairs.sorted { a, b in
                let (x, y) = (Self.rank(a), Self.rank(b))
                return x != y ? x < y : a.key.utf8.lexicographicallyPrecedes(b.key.utf8)
            }
            let members = ordered.map { LegacyValue.string($0.key).json() + colon + $0.value.json(compact: compact) }
            return "{" + members.joined(separator: comma) + "}"
        case .array(let items): return "[" + items.map { $0.json(compact: compact) }.joined(separator: comma) + "]"
        case .bool(let flag): return flag ? "true" : "false"
        case .bigInteger(let digits): return digits
        case .integer(let number): return "\(number)"
        case .real(let number): return Self.written { $0.append(real: number) }
        case .string(let text): return Self.written { $0.append(string: text) }
        // JSON has none of these: the reader of expectations never makes them.
        case .date, .data, .uid, .null, .unheld: return "null"
        }
    }

    private static func rank(_ pair: LegacyPair) -> Int { ranks.firstIndex(where: pair.hasKey) ?? ranks.count }

    private static func written(_ append: (inout JSONBuffer) -> Void) -> String {
        var buffer = JSONBuffer(capacity: 32)
        append(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}
