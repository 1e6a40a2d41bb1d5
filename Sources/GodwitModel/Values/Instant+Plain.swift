/// Reads the most common form of dates in stores without copying the text.
extension Instant {
    /// Reads exactly `2026-03-01T07:15:00.123Z` with an existing day; nil for any other text, which `init(iso8601:)`
    /// may still read.
    package init?(plain bytes: UnsafeRawBufferPointer) {
        guard PlainDateText(bytes) != nil else { return nil }
        // A byte that is not a digit makes this greater than 9.
        var worst: UInt8 = 0
        func number(_ start: Int, _ count: Int) -> Int {
            var number = 0
            for offset in start..<start + count {
                let digit = bytes[offset] &- 0x30
                worst = max(worst, digit)
                number = number &* 10 &+ Int(digit)
            }
            return number
        }
        let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
        let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
        let millisecond = number(20, 3)
        guard worst <= 9, hour < 24, minute < 60, second < 60,
            let days = Self.days(year: Int64(year), month: month, day: day)
        else { return nil }
        self.init(
            seconds: days * 86_400 + Int64(hour * 3600 + minute * 60 + second),
            attoseconds: Int64(millisecond) * 1_000_000_000_000_000)
    }
}
