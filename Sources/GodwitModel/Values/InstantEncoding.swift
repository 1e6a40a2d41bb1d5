/// The encoding of points in time in a column.
package enum InstantEncoding: String, Sendable, Codable, CaseIterable {
    /// Text with any offset and fraction.
    case iso8601
    /// A number of seconds since 1970.
    case unixSeconds
    /// A number of milliseconds since 1970.
    case unixMilliseconds
    /// A number of seconds since 2001-01-01.
    case coreData
}

extension Instant {
    /// The instant of a column's value; nil if the value is NULL or unreadable, which counts as the oldest.
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
            // A column with TEXT affinity stores numbers as text.
            guard let number = Self.number(bytes) else { return nil }
            self.init(number, as: encoding)
        default:
            return nil
        }
    }

    /// A number written with digits, a point and an exponent; nil for any other text.
    private static func number(_ bytes: [UInt8]) -> Value? {
        guard bytes.count <= 40, bytes.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) })
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return Int64(text).map(Value.integer) ?? Double(text).map(Value.real)
    }

    /// The value that a column with this encoding stores for the instant; ISO 8601 text without an encoding.
    ///
    /// - Parameter wholly: Whether to round to the nearest millisecond and then down to seconds, for a column of whole
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
