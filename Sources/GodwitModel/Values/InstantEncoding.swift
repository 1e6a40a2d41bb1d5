/// How a column writes points in time.
public enum InstantEncoding: String, Sendable, Codable, CaseIterable {
    /// Text, any offset and fraction.
    case iso8601
    /// A number of seconds since 1970.
    case unixSeconds
    /// A number of milliseconds since 1970.
    case unixMilliseconds
    /// A number of seconds since 2001-01-01.
    case coreData
}

extension Instant {
    /// The instant a column's value stands for; nil where the value is NULL or unreadable, which counts as oldest.
    ///
    /// Without an encoding, text is ISO 8601 and a number is Unix seconds.
    package init?(_ value: Value, as encoding: InstantEncoding?) {
        switch (value, encoding) {
        case (.text(let bytes), nil), (.text(let bytes), .iso8601?):
            var rest = bytes[...]
            self.init(iso8601Bytes: &rest)
        case (.integer(let number), nil), (.integer(let number), .unixSeconds?):
            guard abs(Double(number)) <= 1e12 else { return nil }
            self.init(seconds: number)
        case (.real(let number), nil), (.real(let number), .unixSeconds?):
            self.init(unixSeconds: number)
        case (.integer(let number), .unixMilliseconds?):
            guard abs(Double(number)) <= 1e15 else { return nil }
            self.init(milliseconds: number)
        case (.real(let number), .unixMilliseconds?):
            self.init(unixSeconds: number / 1000)
        case (.integer(let number), .coreData?):
            guard abs(Double(number)) <= 1e12 else { return nil }
            self.init(seconds: number + Self.coreDataEpoch)
        case (.real(let number), .coreData?):
            self.init(coreDataSeconds: number)
        case (.text(let bytes), .some(let encoding)):
            // A column for text turns the numbers that it is given into such.
            guard let number = Self.number(bytes) else { return nil }
            self.init(number, as: encoding)
        default:
            return nil
        }
    }

    /// A number that text spells in digits, with a point or an exponent at the most; nil for any other text.
    private static func number(_ bytes: [UInt8]) -> Value? {
        guard bytes.count <= 40, bytes.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) })
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return Int64(text).map(Value.integer) ?? Double(text).map(Value.real)
    }

    /// The value a column with this encoding stores for the instant; ISO 8601 text where none is named.
    ///
    /// - Parameter wholly: whether seconds are rounded down, from the nearest millisecond, for a column that is for whole
    ///   numbers.
    package func value(as encoding: InstantEncoding?, wholly: Bool = false) -> Value {
        switch encoding {
        case nil, .iso8601?: .string(iso8601)
        case .unixSeconds? where wholly: .integer(roundedToMillisecond.seconds)
        case .coreData? where wholly: .integer(roundedToMillisecond.seconds - Self.coreDataEpoch)
        case .unixSeconds?: attoseconds == 0 ? .integer(seconds) : .real(unixSeconds)
        case .unixMilliseconds?: .integer(milliseconds)
        case .coreData?: .real(Double(seconds - Self.coreDataEpoch) + Double(attoseconds) * 1e-18)
        }
    }
}
