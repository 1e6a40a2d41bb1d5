/// A value from a property list or JSON file, in a closed set of types.
///
/// Godwit's own readers produce it, never `NSNumber`, which is both `Bool` and `Int`. Dictionaries keep the order of
/// the file. Keys are compared by bytes, so that keys equal only after Unicode normalization remain two keys.
package indirect enum LegacyValue: Sendable {
    case bool(Bool)
    case integer(Int64)
    /// An integer that does not fit 64 bits signed, as decimal digits.
    case bigInteger(String)
    case real(Double)
    case string(String)
    case date(Instant)
    case data([UInt8])
    case array([LegacyValue])
    case dictionary([LegacyPair])
    /// A reference inside a keyed archive (`CF$UID`); without meaning elsewhere.
    case uid(UInt64)
    /// JSON's null; property lists have none.
    case null
    /// A value in the file that no other case can hold, such as NaN.
    case unheld(UnheldValue)

    /// The name of the type in messages and reports.
    package var typeName: String {
        switch self {
        case .bool: "boolean"
        case .integer, .bigInteger: "integer"
        case .real: "real"
        case .string: "string"
        case .date: "date"
        case .data: "data"
        case .array: "array"
        case .dictionary: "dictionary"
        case .uid: "keyed-archive UID"
        case .null: "null"
        case .unheld: "value that can't be held"
        }
    }

    /// An integer from decimal digits with an optional minus; digits that do not fit 64 bits stay text.
    package static func integer(decimal text: String) -> LegacyValue {
        if let number = Int64(text) { return .integer(number) }
        let isNegative = text.hasPrefix("-")
        let digits = text.utf8.dropFirst(isNegative ? 1 : 0).drop { $0 == UInt8(ascii: "0") }
        return .bigInteger((isNegative ? "-" : "") + String(Substring(digits)))
    }

    /// Numbers by name, sorted by name.
    package static func numbers(_ numbers: [String: some BinaryInteger]) -> LegacyValue {
        .dictionary(
            numbers.sorted { $0.key < $1.key }.map { LegacyPair(key: $0.key, value: .integer(Int64($0.value))) })
    }

    package var text: String? { if case .string(let text) = self { text } else { nil } }
    package var wholeNumber: Int64? { if case .integer(let number) = self { number } else { nil } }
    package var elements: [LegacyValue]? { if case .array(let elements) = self { elements } else { nil } }
    package var pairs: [LegacyPair]? { if case .dictionary(let pairs) = self { pairs } else { nil } }

    /// The value under a key of a dictionary, compared by bytes.
    package subscript(key: String) -> LegacyValue? { pairs?.first { $0.hasKey(key) }?.value }

    /// The first contained value that Godwit cannot hold; nil for none; not recursive, so that any depth is safe.
    package var firstUnheld: UnheldValue? {
        var open = [self]
        while let value = open.popLast() {
            switch value {
            case .unheld(let value): return value
            case .array(let items): open += items.reversed()
            case .dictionary(let pairs): open += pairs.reversed().map(\.value)
            default: continue
            }
        }
        return nil
    }
}

/// A value of a legacy file that no other case of `LegacyValue` can hold: NaN, a date in the year 11476, half of an
/// emoji.
package struct UnheldValue: Sendable, Equatable {
    /// The reason in a few words; never the value.
    package let reason: String
    package let offset: Int
    /// The keys of the path to it; empty for all values in a file except the first.
    package let keys: [String]
    /// The value as in the file, for comparison.
    package let bytes: [UInt8]

    package init(reason: String, offset: Int, keys: [String], bytes: [UInt8]) {
        (self.reason, self.offset, self.keys, self.bytes) = (reason, offset, keys, bytes)
    }

    package static func == (a: Self, b: Self) -> Bool { a.reason == b.reason && a.bytes == b.bytes }
}

/// One entry of a legacy dictionary.
package struct LegacyPair: Sendable {
    /// The key as text; compare with `hasKey`, not with `==`.
    package let key: String
    package let value: LegacyValue

    package init(key: String, value: LegacyValue) {
        (self.key, self.value) = (key, value)
    }

    /// Whether the key has these bytes; Swift's `==` on strings would also accept another normalization.
    package func hasKey(_ other: String) -> Bool { key.utf8.elementsEqual(other.utf8) }
}

/// Same type and same bits: reals by bit pattern, strings and keys by bytes, dictionaries in the same order.
extension LegacyValue: Equatable {
    package static func == (a: LegacyValue, b: LegacyValue) -> Bool {
        switch (a, b) {
        case (.bool(let x), .bool(let y)): x == y
        case (.integer(let x), .integer(let y)): x == y
        case (.bigInteger(let x), .bigInteger(let y)): x == y
        case (.real(let x), .real(let y)): x.bitPattern == y.bitPattern
        case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
        case (.date(let x), .date(let y)): x == y
        case (.data(let x), .data(let y)): x == y
        case (.array(let x), .array(let y)): x == y
        case (.dictionary(let x), .dictionary(let y)):
            x.count == y.count && zip(x, y).allSatisfy { $0.hasKey($1.key) && $0.value == $1.value }
        case (.uid(let x), .uid(let y)): x == y
        case (.null, .null): true
        case (.unheld(let x), .unheld(let y)): x == y
        default: false
        }
    }
}

/// The format of a legacy file; Godwit keeps it when it writes its flag.
package enum LegacyFormat: String, Sendable, Codable {
    /// `bplist00`.
    case binary
    /// Apple's property list DTD.
    case xml
    /// RFC 8259.
    case json
}
