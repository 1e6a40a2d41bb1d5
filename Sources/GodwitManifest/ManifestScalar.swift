internal import GodwitModel

/// A scalar of a manifest with its type in the YAML 1.2 core schema.
///
/// Quoted text is always a string; `yes`, `no`, `on` and `off` are strings too. Source:
/// <https://yaml.org/spec/1.2.2/#103-core-schema>.
enum ManifestScalar: Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    /// A number that fits neither a signed 64-bit integer nor a double, or `.nan`.
    case unrepresentable

    /// Determines the type of a plain scalar from its text.
    init(plain text: String) {
        switch text {
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE": self = .boolean(true)
        case "false", "False", "FALSE": self = .boolean(false)
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": self = .real(.infinity)
        case "-.inf", "-.Inf", "-.INF": self = .real(-.infinity)
        case ".nan", ".NaN", ".NAN": self = .unrepresentable
        default: self = Self.number(Array(text.utf8), text) ?? .string(text)
        }
    }

    /// The value as a legacy file would have it; nil if it could not.
    var legacyValue: LegacyValue? {
        switch self {
        case .null, .unrepresentable: nil
        case .boolean(let truth): .bool(truth)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .string(let text): .string(text)
        }
    }

    /// The text that is compared with a legacy value: booleans as `true` and `false`, integers in decimal.
    var legacyText: String? {
        switch self {
        case .null, .unrepresentable: nil
        case .boolean(let truth): truth ? "true" : "false"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .string(let text): text
        }
    }

    /// The type's name for messages.
    var typeName: String {
        switch self {
        case .null: "nothing"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .real: "a real number"
        case .string: "text"
        case .unrepresentable: "a number out of range"
        }
    }

    /// nil if the text is not a number.
    private static func number(_ bytes: [UInt8], _ text: String) -> ManifestScalar? {
        if bytes.starts(with: Array("0x".utf8)) { return integer(bytes.dropFirst(2), radix: 16) }
        if bytes.starts(with: Array("0o".utf8)) { return integer(bytes.dropFirst(2), radix: 8) }
        var rest = bytes[...]
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let whole = rest.prefix(while: \.isDigit)
        rest = rest.dropFirst(whole.count)
        if rest.isEmpty, !whole.isEmpty { return Int64(text).map { .integer($0) } ?? .unrepresentable }
        var hasDigits = !whole.isEmpty
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: \.isDigit)
            hasDigits = hasDigits || !fraction.isEmpty
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard hasDigits else { return nil }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            guard !rest.isEmpty else { return nil }
            rest = rest.drop(while: \.isDigit)
        }
        guard rest.isEmpty else { return nil }
        guard let number = Double(text), number.isFinite else { return .unrepresentable }
        return .real(number)
    }

    /// nil if a byte is not a digit of this radix; signs are not digits.
    private static func integer(_ digits: ArraySlice<UInt8>, radix: Int) -> ManifestScalar? {
        guard !digits.isEmpty, digits.allSatisfy({ $0.isDigit(radix: radix) }) else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self), radix: radix).map { .integer($0) } ?? .unrepresentable
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    fileprivate func isDigit(radix: Int) -> Bool {
        if radix == 8 { return self >= 0x30 && self <= 0x37 }
        return isDigit || (self | 0x20 >= 0x61 && self | 0x20 <= 0x66)
    }
}
