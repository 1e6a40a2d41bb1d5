internal import GodwitModel
internal import GodwitPropertyList

/// Recognizes a list that alternates between keys and values: `[k, v, k, v]`.
///
/// Swift's `Codable` writes a dictionary in this form if its keys are neither `String` nor `Int`: `[UUID: Bool]` is an
/// example. Read as a plain list, its values would become favorites, and so would keys with the value `false`.
/// Source: `Dictionary.encode(to:)` in the standard library.
enum AlternatingPairs {
    struct Pair {
        let key: LegacyValue
        let value: LegacyValue
    }

    /// The pairs; nil for a plain list.
    ///
    /// Throws if the list alternates but its last key has no value.
    static func pairs(in items: [LegacyValue]) throws(LegacyContentError) -> [Pair]? {
        guard items.count >= 2 else { return nil }
        let keys = stride(from: 0, to: items.count, by: 2).map { items[$0] }
        let values = stride(from: 1, to: items.count, by: 2).map { items[$0] }
        guard keys.allSatisfy({ $0.favoriteKey != nil }) else { return nil }
        guard items.count.isMultiple(of: 2) else {
            guard values.allSatisfy(\.isMark) else { return nil }
            throw .init(reason: "a list of keys and values with a key that has no value")
        }
        guard differ(keys, values) else { return nil }
        return zip(keys, values).map { Pair(key: $0, value: $1) }
    }

    /// Whether the items at odd indexes are of another kind than the keys.
    private static func differ(_ keys: [LegacyValue], _ values: [LegacyValue]) -> Bool {
        // A list with null items is a plain list.
        if values.allSatisfy({ $0 == .null }) { return false }
        if values.contains(where: \.isMark) { return true }
        if keys.allSatisfy(\.isText) {
            // A list may have identifiers of both types, but only if the texts are numbers too.
            if values.allSatisfy({ $0.favoriteKey?.isInteger == true }) { return !keys.contains(where: \.isNumberText) }
            if !values.contains(where: \.isText) { return true }
            return keys.allSatisfy(\.isUUID) && !values.contains(where: \.isUUID) || textsDiffer(keys, values)
        }
        if !values.contains(where: { $0.favoriteKey != nil }) { return true }
        if !keys.contains(where: \.isText), !values.contains(where: \.isNumberText) { return true }
        return numbersDiffer(keys, values)
    }

    /// Whether the values are texts with dates or booleans, and the keys are not.
    private static func textsDiffer(_ keys: [LegacyValue], _ values: [LegacyValue]) -> Bool {
        if values.allSatisfy(\.isDateText) { return !keys.contains(where: \.isDateText) }
        if values.allSatisfy(\.isDigit) { return values.count > 1 && keys.allSatisfy { !$0.isNumberText } }
        // `no` is also the code of a language and of a country, but it occurs only once in a list of favorites.
        let isAnswer =
            values.contains { $0.truth == true } || values.contains { $0.isWord("false") } || values.count > 1
        return values.allSatisfy { $0.truth != nil && !$0.isDigit } && isAnswer && keys.allSatisfy { $0.truth == nil }
    }

    /// Whether the values are dates or booleans as numbers, and the keys are not.
    ///
    /// Needs at least two pairs, because a list of identifiers may have a small number next to a large one.
    private static func numbersDiffer(_ keys: [LegacyValue], _ values: [LegacyValue]) -> Bool {
        guard values.count > 1 else { return false }
        if values.allSatisfy(\.isTimestamp) { return !keys.contains(where: \.isTimestamp) }
        // A list of favorites has 0 and 1 once at most.
        return values.count > 2 && values.allSatisfy { $0.truth != nil } && keys.allSatisfy { $0.truth == nil }
    }
}

extension LegacyValue {
    /// Whether a number counts seconds since 2001 and is unlikely to count anything else: it is after 2004, and as Unix
    /// seconds before 2001.
    var isReferenceDate: Bool { number.map { (1e8..<978_307_200).contains($0) } ?? false }

    /// Whether the value marks a favorite: a boolean, or the date of marking.
    fileprivate var isMark: Bool {
        switch self {
        case .bool, .date: true
        default: false
        }
    }

    fileprivate var isText: Bool {
        if case .string = self { true } else { false }
    }

    var isUUID: Bool {
        guard case .string(let text) = self, text.utf8.count == 36 else { return false }
        return text.utf8.enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.isHexDigit
        }
    }

    fileprivate var isDateText: Bool {
        if case .string(let text) = self { Instant(iso8601: text) != nil } else { false }
    }

    fileprivate var isDigit: Bool { isWord("0") || isWord("1") }

    fileprivate var isNumberText: Bool {
        if case .string(let text) = self { DecimalText(text) != nil } else { true }
    }

    fileprivate func isWord(_ word: String) -> Bool {
        if case .string(let text) = self { text.lowercased() == word } else { false }
    }

    /// Whether it is a time in this century, in seconds since 2001 or 1970, or in milliseconds since 1970.
    var isTimestamp: Bool {
        isReferenceDate
            || number.map { (978_307_200..<4.2e9).contains($0) || (978_307_200_000..<4.2e12).contains($0) } ?? false
    }

    private var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }
}
