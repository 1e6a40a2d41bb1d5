internal import GodwitPropertyList
internal import GodwitModel

/// Reads lines of CSV as favorites: rows of a key and a value, or a plain list, without the header.
struct CSVTable {
    let hasHeader: Bool
    /// The rows as pairs; nil for a plain list.
    let pairs: [AlternatingPairs.Pair]?
    let fields: [CSVText.Field]

    init(_ lines: [[CSVText.Field]]) throws(LegacyContentError) {
        let body = Array(lines.dropFirst())
        if lines.count > 1, lines.allSatisfy({ $0.count == 2 }) {
            if let pairs = Self.rows(lines) {
                self.init(hasHeader: false, pairs, lines)
                return
            }
            if let pairs = Self.rows(body) {
                self.init(hasHeader: true, pairs, body)
                return
            }
        }
        if lines.count > 1, lines.allSatisfy({ $0.count == 1 }), Self.isHeader(lines[0][0], of: body.map { $0[0] }) {
            self.init(hasHeader: true, nil, body)
            return
        }
        let all = lines.joined().map { LegacyValue.string($0.text) }
        self.init(hasHeader: false, try AlternatingPairs.pairs(in: Self.dated(all) ?? all), lines)
    }

    private init(hasHeader: Bool, _ pairs: [AlternatingPairs.Pair]?, _ lines: [[CSVText.Field]]) {
        (self.hasHeader, self.pairs, fields) = (hasHeader, pairs, Array(lines.joined()))
    }

    /// Lines of two fields as pairs, if the second fields are values, not keys.
    ///
    /// In CSV everything is text: fields that read as numbers or booleans in every line are numbers or booleans.
    private static func rows(_ lines: [[CSVText.Field]]) -> [AlternatingPairs.Pair]? {
        let (keys, values) = (lines.map { $0[0].text }, lines.map { $0[1].text })
        if values.allSatisfy({ ["true", "false"].contains($0.lowercased()) }) {
            return zip(keys, values).map { AlternatingPairs.Pair(key: .string($0), value: .string($1)) }
        }
        let numbers = values.compactMap(number)
        let written = numbers.count == values.count ? numbers : values.map(LegacyValue.string)
        let list = zip(keys, written).flatMap { [LegacyValue.string($0), $1] }
        return (try? AlternatingPairs.pairs(in: list)) ?? nil
    }

    /// A list in which every second text is a time since 1970 or 2001, with these texts as numbers; nil for other
    /// lists.
    private static func dated(_ list: [LegacyValue]) -> [LegacyValue]? {
        var dated = list
        for index in stride(from: 1, to: list.count, by: 2) {
            guard case .string(let text) = list[index], let number = number(text), number.isTimestamp else {
                return nil
            }
            dated[index] = number
        }
        return dated
    }

    /// Whether the first text is a header above identifiers that are all UUIDs or all numbers.
    private static func isHeader(_ first: CSVText.Field, of rest: [CSVText.Field]) -> Bool {
        let values = rest.map { LegacyValue.string($0.text) }
        if values.allSatisfy(\.isUUID) { return !LegacyValue.string(first.text).isUUID }
        return values.count > 1 && rest.allSatisfy { number($0.text) != nil } && number(first.text) == nil
    }

    private static func number(_ text: String) -> LegacyValue? {
        guard DecimalText(text) != nil else { return nil }
        return Int64(text).map(LegacyValue.integer) ?? Double(text).flatMap { $0.isFinite ? .real($0) : nil }
    }
}
