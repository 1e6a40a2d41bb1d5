import Foundation

/// Any JSON value, to read and compare.
enum JSONValue: Codable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(_ bytes: some Sequence<UInt8>) throws { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The most common kind comes first: a failed attempt costs more than the decoding.
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else {
            self = .array(try container.decode([JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// Indented, with sorted keys and a newline at the end.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }

    /// A field of an object; setting nil removes it.
    subscript(_ name: String) -> JSONValue? {
        get {
            guard case .object(let fields) = self else { return nil }
            return fields[name]
        }
        set {
            guard case .object(var fields) = self else { return }
            fields[name] = newValue
            self = .object(fields)
        }
    }

    /// A nested field: `value["copy", "schema", "outcome"]`.
    subscript(_ first: String, _ rest: String...) -> JSONValue? {
        rest.reduce(self[first]) { $0?[$1] }
    }

    var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    var integer: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The items of a list; empty for other values.
    var items: [JSONValue] {
        guard case .array(let value) = self else { return [] }
        return value
    }

    /// The same value with every text changed.
    func mapStrings(_ change: (String) -> String) -> JSONValue {
        switch self {
        case .string(let value): .string(change(value))
        case .array(let value): .array(value.map { $0.mapStrings(change) })
        case .object(let value): .object(value.mapValues { $0.mapStrings(change) })
        default: self
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
}
