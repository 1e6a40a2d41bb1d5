/// Reading and writing ISO 8601 / RFC 3339 without a formatter: any offset, any fraction, only real calendar days.
extension Instant {
    /// Reads `2026-03-01T07:15:00.123+09:00` and similar forms; nil for any other text and for days such as 30
    /// February.
    ///
    /// `T`, `t` or a space joins date and time. Seconds are optional. A fraction follows `.` or `,` and has any number
    /// of digits; those after the 18th are dropped. The offset is `Z`, `±hh`, `±hhmm` or `±hh:mm`; the default is UTC.
    /// A date without a time is midnight UTC.
    public init?(iso8601 text: some StringProtocol) {
        var bytes = Array(text.utf8)[...]
        self.init(iso8601Bytes: &bytes)
    }

    /// Reads the same forms from bytes.
    package init?(iso8601Bytes bytes: inout ArraySlice<UInt8>) {
        guard let year = bytes.takeNumber(digits: 4), bytes.take("-"),
            let month = bytes.takeNumber(digits: 2), bytes.take("-"),
            let day = bytes.takeNumber(digits: 2),
            let days = Self.days(year: Int64(year), month: month, day: day)
        else { return nil }
        guard !bytes.isEmpty else {
            self.init(seconds: days * 86_400)
            return
        }
        guard bytes.take("T") || bytes.take("t") || bytes.take(" "),
            let hour = bytes.takeNumber(digits: 2), hour < 24, bytes.take(":"),
            let minute = bytes.takeNumber(digits: 2), minute < 60
        else { return nil }
        var second = 0
        var fraction: Int64 = 0
        if bytes.take(":") {
            guard let number = bytes.takeNumber(digits: 2), number < 60 else { return nil }
            second = number
            if bytes.take(".") || bytes.take(",") {
                guard let digits = bytes.takeFraction() else { return nil }
                fraction = digits
            }
        }
        guard let offset = bytes.takeOffset(), bytes.isEmpty else { return nil }
        let ofDay = Int64(hour * 3600 + minute * 60 + second)
        self.init(seconds: days * 86_400 + ofDay - Int64(offset), attoseconds: fraction)
    }

    /// Days from 1970-01-01 to a date of the proleptic Gregorian calendar; nil for a day that does not exist.
    ///
    /// Source: Howard Hinnant, <https://howardhinnant.github.io/date_algorithms.html#days_from_civil>.
    package static func days(year: Int64, month: Int, day: Int) -> Int64? {
        guard (1...12).contains(month), day >= 1, day <= daysInMonth(year: year, month: month) else { return nil }
        let y = month <= 2 ? year - 1 : year
        let era = y.flooredDivision(by: 400)
        let yearOfEra = y - era * 400
        let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1)
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func daysInMonth(year: Int64, month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// `2026-03-01T07:15:00.123Z`: UTC, rounded to the nearest millisecond, with years clamped to 0 to 9999.
    public var iso8601: String {
        let lowest: Int64 = -62_167_219_200
        let highest: Int64 = 253_402_300_799
        let rounded = roundedToMillisecond
        let moment = min(max(rounded.seconds, lowest), highest)
        // Rounding up would give a year of five digits.
        let isLast = seconds == highest && rounded.seconds > highest
        let thousandths = isLast ? 999 : rounded.attoseconds / 1_000_000_000_000_000
        let days = moment.flooredDivision(by: 86_400)
        let ofDay = moment - days * 86_400
        let (year, month, day) = Self.civil(days: days)
        let parts = [
            pad(year, 4), "-", pad(month, 2), "-", pad(day, 2), "T", pad(ofDay / 3600, 2), ":",
            pad(ofDay / 60 % 60, 2), ":", pad(ofDay % 60, 2), ".", pad(thousandths, 3), "Z",
        ]
        return parts.joined()
    }

    private func pad(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// The date a number of days after 1970-01-01.
    ///
    /// Source: Howard Hinnant, `civil_from_days`.
    package static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let z = days + 719_468
        let era = z.flooredDivision(by: 146_097)
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Instant: CustomStringConvertible {
    /// The ISO 8601 text.
    public var description: String { iso8601 }
}

extension Instant: Codable {
    /// Reads the ISO 8601 text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let instant = Instant(iso8601: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an ISO 8601 instant")
        }
        self = instant
    }

    /// Writes the ISO 8601 text, to the millisecond.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601)
    }
}

extension ArraySlice where Element == UInt8 {
    fileprivate mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let next = first, UInt32(next) == character.value else { return false }
        removeFirst()
        return true
    }

    fileprivate mutating func takeNumber(digits: Int) -> Int? {
        guard count >= digits else { return nil }
        var number = 0
        for byte in prefix(digits) {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        removeFirst(digits)
        return number
    }

    fileprivate mutating func takeFraction() -> Int64? {
        var fraction: Int64 = 0
        var scale: Int64 = Instant.attosecondsPerSecond
        var digits = 0
        while let byte = first, byte >= 0x30, byte <= 0x39 {
            digits += 1
            scale /= 10
            fraction += scale * Int64(byte - 0x30)
            removeFirst()
        }
        return digits > 0 ? fraction : nil
    }

    /// Seconds east of UTC; nil if the rest is not an offset.
    fileprivate mutating func takeOffset() -> Int? {
        if isEmpty || take("Z") || take("z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = takeNumber(digits: 2), hours < 24 else { return nil }
        if isEmpty { return sign * hours * 3600 }
        _ = take(":")
        guard let minutes = takeNumber(digits: 2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
