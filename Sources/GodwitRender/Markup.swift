/// HTML or XML under construction.
///
/// Invariant: what a report holds enters only as an interpolated string, which is escaped; the literal parts are ours.
/// So `"<td>\(key)</td>"` is safe with any key, in content and between double quotes alike.
struct Markup: Sendable, ExpressibleByStringInterpolation {
    /// The markup.
    private(set) var text: String

    init(stringLiteral literal: String) { text = literal }

    init(stringInterpolation parts: Parts) { text = parts.text }

    /// Nothing.
    init() { text = "" }

    static func + (one: Markup, other: Markup) -> Markup {
        var sum = one
        sum.text += other.text
        return sum
    }

    static func += (one: inout Markup, other: Markup) { one.text += other.text }

    var isEmpty: Bool { text.isEmpty }

    /// Literal parts as they are, strings escaped, numbers and markup as they are.
    struct Parts: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ foreign: String) { text += foreign.escapedForMarkup }

        mutating func appendInterpolation(_ number: some BinaryInteger) { text += "\(number)" }

        mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
    }
}

extension Sequence<Markup> {
    /// All of them in order.
    func joined(_ separator: Markup = "") -> Markup {
        var whole = Markup()
        for (index, part) in enumerated() {
            if index > 0 { whole += separator }
            whole += part
        }
        return whole
    }
}

extension String {
    /// The text as content or attribute value: what has a meaning in markup as references, what could steer or hide as
    /// `\u{…}`, and so what XML 1.0 has no way to write at all: <https://www.w3.org/TR/xml/#charsets>.
    var escapedForMarkup: String {
        var escaped = ""
        escaped.reserveCapacity(utf8.count)
        for scalar in escapingControls.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default:
                if scalar.isNoncharacter {
                    escaped += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    escaped.unicodeScalars.append(scalar)
                }
            }
        }
        return escaped
    }
}

extension Unicode.Scalar {
    /// One of the 66 code points that are no characters: U+FFFE and U+FFFF are forbidden in XML, the others discouraged.
    private static let lastOfPlanes: UInt32 = 0xFFFE

    fileprivate var isNoncharacter: Bool {
        value & Self.lastOfPlanes == Self.lastOfPlanes || (0xFDD0...0xFDEF).contains(value)
    }
}

extension Markup {
    /// Markup that is all our own: a style sheet, which would be spoilt by escaping.
    init(ours text: String) { self.init(stringLiteral: text) }
}
