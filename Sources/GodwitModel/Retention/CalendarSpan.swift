/// A length of time in the calendar's units, such as `2y5m7d3h`: years, months, days and hours.
///
/// Source: restic's `--keep-within`, which takes the same texts.
package struct CalendarSpan: Sendable, Equatable, CustomStringConvertible {
    package let years: Int64
    package let months: Int64
    package let days: Int64
    package let hours: Int64
    /// The text from which it was read.
    package let description: String

    /// The largest accepted number of each unit.
    private static let limit: Int64 = 100_000

    /// Reads whole numbers, each followed by its unit, each unit once at most and larger units first; nil for other
    /// text, and for zero.
    package init?(_ text: String) {
        let units = Array("ymdh".utf8)
        var found: [Int64] = [0, 0, 0, 0]
        var next = 0
        var number: Int64?
        for byte in text.utf8 {
            if (0x30...0x39).contains(byte) {
                number = (number ?? 0) * 10 + Int64(byte - 0x30)
                guard let number, number <= Self.limit else { return nil }
            } else {
                guard let unit = units[next...].firstIndex(of: byte), let value = number else { return nil }
                found[unit] = value
                (next, number) = (unit + 1, nil)
            }
        }
        guard number == nil, found.contains(where: { $0 > 0 }) else { return nil }
        (years, months, days, hours) = (found[0], found[1], found[2], found[3])
        description = text
    }

    /// The instant before a date: years, months and days back at the same time of day, then hours; in UTC.
    ///
    /// A day that its month does not have counts on into the next month: a month before 31 March is 3 March, or 2 March
    /// in a leap year.
    package func before(_ date: Instant) -> Instant {
        let whole = date.seconds.flooredDivision(by: 86_400)
        let (year, month, day) = Instant.civil(days: whole)
        let ordinal = (year - years) * 12 + (month - 1) - months
        let first = Instant.days(
            year: ordinal.flooredDivision(by: 12), month: Int(ordinal - ordinal.flooredDivision(by: 12) * 12) + 1,
            day: 1)
        let start = (first ?? whole) + day - 1 - days
        let seconds = start * 86_400 + (date.seconds - whole * 86_400) - hours * 3600
        return Instant(seconds: seconds, attoseconds: date.attoseconds)
    }
}
