import GodwitModel

/// Points in time: texts are checked by an independent calendar, numbers by their order.
///
/// The first byte selects which; texts or two doubles follow.
enum InstantCheck {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let kind = bytes.first else { return }
        let rest = bytes.dropFirst()
        if kind == UInt8(ascii: "#") {
            guard rest.count >= 16 else { return }
            try checkOrder(number(rest.prefix(8)), number(rest.dropFirst(8).prefix(8)))
        } else {
            try checkText(bytes)
        }
    }

    // MARK: Texts

    private static func checkText(_ bytes: [UInt8]) throws(FuzzFinding) {
        var rest = bytes[...]
        guard let instant = Instant(iso8601Bytes: &rest) else { return }
        try require((0..<Instant.attosecondsPerSecond).contains(instant.attoseconds), "a fraction out of range")
        let text = String(decoding: bytes, as: UTF8.self)
        try require(Instant(iso8601: text) == instant, "bytes and text are two instants")
        try require(Instant(Value.text(bytes), as: nil) == instant, "a column's text is another instant")
        try require(bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "characters that no date has")
        guard let (seconds, offset) = calendarSeconds(bytes) else { throw FuzzFinding("accepted, and no date") }
        try require(instant.seconds == seconds - offset, "\(instant.seconds) s where the calendar has \(seconds)")
        // Years 0 to 9999 are written; an offset can move a date out of this range.
        guard (-62_167_219_200...253_402_300_799).contains(instant.seconds) else { return }
        // The last half millisecond of the year 9999 can't be rounded up.
        guard instant.seconds < 253_402_300_799 || instant.attoseconds < 999_500_000_000_000_000 else { return }
        let again = Instant(iso8601: instant.iso8601)
        try require(again?.milliseconds == instant.milliseconds, "written again it is another instant")
        try require(instant.iso8601.utf8.count == 24, "written in another length")
    }

    /// Seconds since 1970 before the offset, and the offset, computed by counting years and months.
    private static func calendarSeconds(_ bytes: [UInt8]) -> (Int64, Int64)? {
        func digits(_ range: Range<Int>) -> Int64? {
            guard range.upperBound <= bytes.count else { return nil }
            return Int64(String(decoding: bytes[range], as: UTF8.self))
        }
        guard let year = digits(0..<4), let month = digits(5..<7), let day = digits(8..<10) else { return nil }
        var lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), day >= 1, day <= lengths[Int(month) - 1] else { return nil }
        lengths.removeLast(13 - Int(month))
        let before = year > 0 ? daysBefore[Int(year)] : 0
        let days = before - daysBefore[1970] + Int64(lengths.reduce(0, +)) + day - 1
        guard bytes.count > 10 else { return (days * 86_400, 0) }
        guard let hour = digits(11..<13), hour < 24, let minute = digits(14..<16), minute < 60 else { return nil }
        var end = 16
        var second: Int64 = 0
        if bytes.count > 16, bytes[16] == UInt8(ascii: ":") {
            guard let number = digits(17..<19), number < 60 else { return nil }
            second = number
            end = 19
        }
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
        let tail = bytes[end...].drop { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") || isDigit($0) }
        guard let sign = tail.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return (seconds, 0) }
        let numbers = tail.dropFirst().filter(isDigit).map { Int64($0 - 0x30) }
        guard numbers.count == 2 || numbers.count == 4 else { return nil }
        let minutes = numbers.count == 4 ? numbers[2] * 10 + numbers[3] : 0
        let offset = (numbers[0] * 10 + numbers[1]) * 3600 + minutes * 60
        return (seconds, sign == UInt8(ascii: "-") ? -offset : offset)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// The days from January 1 of year 0 to January 1 of each year.
    private static let daysBefore: [Int64] = (0..<10_000).reduce(into: [0]) { days, year in
        days.append((days.last ?? 0) + (isLeap(Int64(year)) ? 366 : 365))
    }

    // MARK: Numbers

    private static func number(_ bytes: some Sequence<UInt8>) -> Double {
        Double(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// Checks that two reals and their instants have the same order, in each encoding.
    private static func checkOrder(_ a: Double, _ b: Double) throws(FuzzFinding) {
        for encoding in [InstantEncoding.unixSeconds, .unixMilliseconds, .coreData] {
            guard let one = Instant(Value.real(a), as: encoding), let other = Instant(Value.real(b), as: encoding)
            else { continue }
            let isKept = a < b ? one <= other : a > b ? one >= other : one == other
            try require(isKept, "\(a) and \(b) change their order as \(encoding.rawValue)")
            try require((0..<Instant.attosecondsPerSecond).contains(one.attoseconds), "a fraction out of range")
            try checkRewriting(one, as: encoding)
        }
    }

    /// Checks that the stored form of an instant reads back as the same instant, within the column's precision.
    private static func checkRewriting(_ instant: Instant, as encoding: InstantEncoding) throws(FuzzFinding) {
        guard let again = Instant(instant.value(as: encoding), as: encoding) else { return }
        try require(abs(again.milliseconds - instant.milliseconds) <= 1, "\(instant) comes back as \(again)")
    }
}
