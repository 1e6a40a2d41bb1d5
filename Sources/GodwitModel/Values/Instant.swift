/// A point in time, exact to 18 decimal places of a second: seconds and attoseconds since 1970-01-01T00:00:00Z.
///
/// Instants are compared, not texts: `12:00+05:00` is earlier than `10:00Z`. There are no leap seconds, as in POSIX
/// time. The calendar is the proleptic Gregorian one.
public struct Instant: Sendable, Hashable, Comparable {
    /// Whole seconds since 1970, rounded down.
    public let seconds: Int64
    /// The fraction, 0 ..< 1e18.
    public let attoseconds: Int64

    package static let attosecondsPerSecond: Int64 = 1_000_000_000_000_000_000

    /// The start of Unix time; also the date of a record that has only defaults.
    public static let epoch = Instant(seconds: 0, attoseconds: 0)

    /// The largest number of whole seconds, 292 million years: as milliseconds it still fits 64 bits.
    private static let farthest: Int64 = 9_223_372_036_854_774

    /// An instant from its parts; attoseconds outside 0 ..< 1e18 and seconds beyond 292 million years are clamped.
    public init(seconds: Int64, attoseconds: Int64 = 0) {
        self.seconds = min(max(seconds, -Self.farthest), Self.farthest)
        self.attoseconds = min(max(attoseconds, 0), Self.attosecondsPerSecond - 1)
    }

    /// An instant from milliseconds since 1970.
    public init(milliseconds: Int64) {
        let part = milliseconds % 1000
        self.init(
            seconds: milliseconds.flooredDivision(by: 1000),
            attoseconds: (part < 0 ? part + 1000 : part) * 1_000_000_000_000_000)
    }

    /// An instant from a real number of seconds since 1970; nil for NaN, infinities and numbers beyond ±1e12.
    ///
    /// The number means its shortest decimal text: 1700000000.123 is 123 milliseconds after the second, though the
    /// nearest double is a little less. The order of numbers is kept.
    public init?(unixSeconds: Double) {
        guard unixSeconds.isFinite, abs(unixSeconds) <= 1e12 else { return nil }
        let whole = unixSeconds.rounded(.down)
        let fraction =
            Self.attosecondsShown(in: unixSeconds).map { shown in
                unixSeconds < 0 && shown > 0 ? Self.attosecondsPerSecond - shown : shown
            } ?? Int64((unixSeconds - whole) * 1e18)
        self.init(seconds: Int64(whole), attoseconds: fraction)
    }

    /// The decimals of a number's shortest text as attoseconds, without the sign; nil if the text has an exponent.
    private static func attosecondsShown(in number: Double) -> Int64? {
        let digits = number.description.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        var attoseconds: Int64 = 0
        var scale = attosecondsPerSecond
        for digit in digits {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            scale /= 10
            attoseconds += scale * Int64(digit - 0x30)
        }
        return digits.isEmpty ? nil : attoseconds
    }

    /// Seconds from 1970-01-01 to 2001-01-01, from which Core Data and property lists count.
    package static let coreDataEpoch: Int64 = 978_307_200

    /// An instant from seconds since 2001-01-01, as Core Data and property lists store it; nil if out of range.
    public init?(coreDataSeconds: Double) {
        guard let instant = Instant(unixSeconds: coreDataSeconds) else { return nil }
        self = instant.advanced(bySeconds: Self.coreDataEpoch)
    }

    /// Seconds since 1970 as a real number; rounded.
    public var unixSeconds: Double { Double(seconds) + Double(attoseconds) * 1e-18 }

    /// Milliseconds since 1970, rounded to the nearest.
    public var milliseconds: Int64 {
        let rounded = roundedToMillisecond
        return rounded.seconds * 1000 + rounded.attoseconds / Self.attosecondsPerMillisecond
    }

    private static let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000

    /// The nearest instant with whole milliseconds; the later one of two equally near.
    ///
    /// A date that an app computed from 1970 and stored from 2001 often differs by a ten-millionth of a second.
    /// Truncation would lose a whole millisecond.
    package var roundedToMillisecond: Instant {
        let unit = Self.attosecondsPerMillisecond
        let count = (attoseconds + unit / 2) / unit
        if count < 1000 { return Instant(seconds: seconds, attoseconds: count * unit) }
        return Instant(seconds: seconds + 1)
    }

    /// Whether ISO 8601 writes the year with four digits: 0000-01-01 to the end of 9999.
    ///
    /// The year 0 is included because Foundation's `distantPast` is 0000-12-30 in the proleptic Gregorian calendar.
    package var hasFourDigitYear: Bool { seconds >= -62_167_219_200 && seconds <= 253_402_300_799 }

    /// Earlier first.
    public static func < (a: Instant, b: Instant) -> Bool {
        (a.seconds, a.attoseconds) < (b.seconds, b.attoseconds)
    }

    /// The instant a number of whole seconds later; clamped as in `init`.
    public func advanced(bySeconds more: Int64) -> Instant {
        let (sum, overflow) = seconds.addingReportingOverflow(more)
        return Instant(seconds: overflow ? (more < 0 ? .min : .max) : sum, attoseconds: attoseconds)
    }
}

extension Int64 {
    /// Division rounded towards minus infinity, by a positive divisor.
    package func flooredDivision(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
