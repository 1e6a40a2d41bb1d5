import GodwitModel
import Testing

struct InstantTests {
    @Test(
        "ISO 8601 text is read with any offset and fraction",
        arguments: [
            ("1970-01-01T00:00:00Z", 0, 0), ("1970-01-01", 0, 0), ("1970-01-01T00:00", 0, 0),
            ("1970-01-01 00:00:01", 1, 0),
            ("1970-01-01t00:00:00z", 0, 0), ("1970-01-01T00:00:00.5Z", 0, 500_000_000_000_000_000),
            ("1970-01-01T00:00:00,25Z", 0, 250_000_000_000_000_000),
            ("1969-12-31T23:59:59.999Z", -1, 999_000_000_000_000_000),
            ("1970-01-01T00:00:00.000000000000000001Z", 0, 1), ("1970-01-01T00:00:00.0000000000000000019Z", 0, 1),
            ("1970-01-01T09:00:00+09:00", 0, 0), ("1970-01-01T09:00:00+0900", 0, 0), ("1970-01-01T09:00:00+09", 0, 0),
            ("1969-12-31T16:00:00-08:00", 0, 0), ("1970-01-01T05:30+05:30", 0, 0), ("1970-01-01T00:00:00-00:00", 0, 0),
            ("1970-01-01T23:59:00+23:59", 0, 0), ("2000-02-29T00:00:00Z", 951_782_400, 0),
            ("2001-01-01T00:00:00Z", 978_307_200, 0),
            ("2024-02-29", 1_709_164_800, 0), ("2026-03-01T07:15:00.123Z", 1_772_349_300, 123_000_000_000_000_000),
            ("2038-01-19T03:14:08Z", 2_147_483_648, 0), ("0000-01-01T00:00:00Z", -62_167_219_200, 0),
            ("0000-02-29", -62_162_121_600, 0), ("9999-12-31T23:59:59Z", 253_402_300_799, 0),
            ("1900-02-28", -2_203_977_600, 0),
        ])
    func reads(text: String, seconds: Int64, attoseconds: Int64) throws {
        #expect(try #require(Instant(iso8601: text)) == Instant(seconds: seconds, attoseconds: attoseconds))
    }

    @Test(
        "a text that is not a date gives no instant",
        arguments: [
            "", "2026", "2026-03", "2026-3-1", "20260301", "2026-02-30", "2026-02-29", "1900-02-29", "2100-02-29",
            "2026-04-31",
            "2026-00-10", "2026-13-01", "2026-01-00", "2026-01-32", "2026-01-01T", "2026-01-01T7:00",
            "2026-01-01T24:00:00",
            "2026-01-01T12:60:00", "2026-01-01T12:00:60", "2026-01-01T12", "2026-01-01T12:00:", "2026-01-01T12:00:00.",
            "2026-01-01T12:00:00.Z", "2026-01-01T12:00.5Z", "2026-01-01T12:00:00+", "2026-01-01T12:00:00+9",
            "2026-01-01T12:00:00+24:00", "2026-01-01T12:00:00+09:60", "2026-01-01T12:00:00+09:0",
            "2026-01-01T12:00:00+09:",
            "2026-01-01T12:00:00ZZ", "2026-01-01T12:00:00Z ", " 2026-01-01", "2026-01-01Z", "2026-01-01  12:00",
            "2026/01/01",
            "-2026-01-01", "+2026-01-01", "12026-01-01", "２026-01-01", "2026-01-01T12:00:00\u{2212}01:00", "now",
            "1772349300",
            "2026-01-01T12:00:00 Z", "2026-01-01T12:00:00Z\0", "2026-W01-1", "2026-001",
        ])
    func refuses(text: String) { #expect(Instant(iso8601: text) == nil) }

    @Test("dates are compared as instants, not as texts")
    func offsets() throws {
        let earlierToLater = [
            "2026-01-01T12:00:00+05:00", "2026-01-01T10:00:00Z", "2026-01-01T10:00:00.000000000000000001Z",
            "2026-01-01T19:00:00.1+09:00", "2026-01-01T02:00:00.2-08:00", "2026-01-01T10:00:01", "2026-01-01T11:00",
        ]
        let instants = try earlierToLater.map { try #require(Instant(iso8601: $0)) }
        for (i, a) in instants.enumerated() {
            for (j, b) in instants.enumerated() {
                #expect((a < b) == (i < j), "\(earlierToLater[i]) \(earlierToLater[j])")
                #expect((a == b) == (i == j))
            }
        }
        #expect(Instant(iso8601: "2026-01-01T12:00:00+05:00") == Instant(iso8601: "2026-01-01T07:00:00Z"))
    }

    @Test(
        "an instant is written in UTC, rounded to the nearest millisecond",
        arguments: [
            (0, 0, "1970-01-01T00:00:00.000Z"), (-1, 999_999_999_999_999_999, "1970-01-01T00:00:00.000Z"),
            (-1, 999_499_999_999_999_999, "1969-12-31T23:59:59.999Z"),
            (0, 499_999_999_999_999, "1970-01-01T00:00:00.000Z"), (0, 500_000_000_000_000, "1970-01-01T00:00:00.001Z"),
            (253_402_300_799, 999_999_999_999_999_999, "9999-12-31T23:59:59.999Z"),
            (0, 1_000_000_000_000_000, "1970-01-01T00:00:00.001Z"),
            (951_782_400, 0, "2000-02-29T00:00:00.000Z"),
            (1_772_349_300, 123_999_000_000_000_000, "2026-03-01T07:15:00.124Z"),
            (-62_167_219_200, 0, "0000-01-01T00:00:00.000Z"), (253_402_300_799, 0, "9999-12-31T23:59:59.000Z"),
            (Int64.max, 0, "9999-12-31T23:59:59.000Z"), (Int64.min, 0, "0000-01-01T00:00:00.000Z"),
        ])
    func writes(seconds: Int64, attoseconds: Int64, text: String) {
        let instant = Instant(seconds: seconds, attoseconds: attoseconds)
        #expect(instant.iso8601 == text)
        #expect(instant.description == text)
    }

    @Test("every day of 800 years survives writing and reading")
    func everyDay() throws {
        let first = try #require(Instant.days(year: 1600, month: 1, day: 1))
        var before = ""
        for day in first..<first + 292_194 {
            let instant = Instant(seconds: day * 86_400 + 86_399, attoseconds: 7_000_000_000_000_000)
            let text = instant.iso8601
            guard Instant(iso8601: text) == instant, text > before, text.hasSuffix("T23:59:59.007Z") else {
                Issue.record("\(day): \(text)")
                return
            }
            before = text
        }
        #expect(before.hasPrefix("2399-12-31"))
    }

    @Test("days are counted in the proleptic Gregorian calendar")
    func days() {
        #expect(Instant.days(year: 1970, month: 1, day: 1) == 0)
        #expect(Instant.days(year: 2000, month: 3, day: 1) == 11_017)
        #expect(
            Instant.days(year: -400, month: 3, day: 1) == Instant.days(year: 0, month: 3, day: 1).map { $0 - 146_097 })
        #expect(Instant.days(year: 2026, month: 2, day: 29) == nil)
        #expect(Instant.days(year: 2026, month: 13, day: 1) == nil)
    }

    @Test(
        "milliseconds are whole numbers before and after 1970",
        arguments: [
            (0, 0, 0), (1, 0, 1), (-1, -1, 999), (-1000, -1, 0), (-1001, -2, 999), (1999, 1, 999),
            (9_223_372_036_854_774_807, 9_223_372_036_854_774, 807),
        ])
    func milliseconds(number: Int64, seconds: Int64, part: Int64) {
        let instant = Instant(milliseconds: number)
        #expect(instant == Instant(seconds: seconds, attoseconds: part * 1_000_000_000_000_000))
        #expect(instant.milliseconds == number)
        #expect(instant.advanced(bySeconds: 0) == instant)
    }

    @Test(
        "instants at the limits of Int64 are clamped and do not overflow",
        arguments: [Int64.min, .min + 1, .max - 1, .max])
    func ends(number: Int64) {
        for instant in [Instant(milliseconds: number), Instant(seconds: number, attoseconds: .max)] {
            #expect((instant.milliseconds < 0) == (number < 0))
            #expect(
                instant.advanced(bySeconds: number).advanced(bySeconds: number).seconds.magnitude
                    == 9_223_372_036_854_774)
            #expect(instant.unixSeconds.isFinite && !instant.iso8601.isEmpty)
            for encoding in InstantEncoding.allCases { #expect(instant.value(as: encoding) != .null) }
        }
    }

    @Test(
        "a real number of seconds means its shortest decimal",
        arguments: [
            (1_700_000_000.123, "2023-11-14T22:13:20.123Z"), (1_700_000_000.001, "2023-11-14T22:13:20.001Z"),
            (0.1, "1970-01-01T00:00:00.100Z"),
            (-0.1, "1969-12-31T23:59:59.900Z"), (-1.0, "1969-12-31T23:59:59.000Z"), (-1.25, "1969-12-31T23:59:58.750Z"),
            (-0.0, "1970-01-01T00:00:00.000Z"),
            (1e-5, "1970-01-01T00:00:00.000Z"), (-1e-20, "1970-01-01T00:00:00.000Z"),
            (1e11, "5138-11-16T09:46:40.000Z"), (253_402_300_799.999, "9999-12-31T23:59:59.999Z"),
        ])
    func reals(number: Double, text: String) throws {
        #expect(try #require(Instant(unixSeconds: number)).iso8601 == text)
    }

    @Test(
        "a real number that is not a time gives no instant",
        arguments: [Double.nan, .infinity, -.infinity, 1.1e12, -1.1e12, .greatestFiniteMagnitude])
    func noTime(number: Double) {
        #expect(Instant(unixSeconds: number) == nil)
        #expect(Instant(coreDataSeconds: number) == nil)
    }

    @Test(
        "adjacent real numbers give different instants in the same order",
        arguments: [1_700_000_000.123, -1_700_000_000.877, 0.1, -0.1, 1e-4, -1e-4, 1e-7, 3.0])
    func neighbours(number: Double) throws {
        let below = try #require(Instant(unixSeconds: number.nextDown))
        let here = try #require(Instant(unixSeconds: number))
        let above = try #require(Instant(unixSeconds: number.nextUp))
        if abs(number) >= 0.01 {  // below, doubles are finer than attoseconds
            #expect(below < here && here < above)
        } else {
            #expect(below <= here && here <= above)
        }
    }

    @Test("Core Data dates count from 2001")
    func coreData() throws {
        #expect(Instant(coreDataSeconds: 0)?.iso8601 == "2001-01-01T00:00:00.000Z")
        #expect(Instant(coreDataSeconds: 794_041_506.789)?.iso8601 == "2026-03-01T07:05:06.789Z")
        #expect(Instant(coreDataSeconds: -978_307_200)?.seconds == 0)
        #expect(Instant(coreDataSeconds: -0.5)?.iso8601 == "2000-12-31T23:59:59.500Z")
    }

    @Test("a millisecond that was stored as seconds since 2001 is the same millisecond as text and as a number")
    func millisecondsFrom2001() throws {
        var cut = 0
        for part in 0..<1000 as Range<Int64> {
            let number = 1_700_000_001_000 + part
            let stored = Double(number) / 1000 - 978_307_200
            let instant = try #require(Instant(coreDataSeconds: stored))
            if instant != Instant(milliseconds: number) { cut += 1 }
            guard instant.iso8601 == Instant(milliseconds: number).iso8601, instant.milliseconds == number,
                instant.value(as: .unixMilliseconds) == .integer(number), instant.value(as: .coreData) == .real(stored),
                instant.value(as: .unixSeconds, wholly: true) == .integer(1_700_000_001)
            else {
                Issue.record("\(stored) is \(instant)")
                return
            }
        }
        #expect(cut > 100)
    }

    @Test("an instant clamps attoseconds that are out of range and adds whole seconds")
    func arithmetic() {
        #expect(Instant(seconds: 1, attoseconds: -5) == Instant(seconds: 1))
        #expect(Instant(seconds: 1, attoseconds: .max).attoseconds == 999_999_999_999_999_999)
        #expect(Instant(seconds: 1, attoseconds: 7).advanced(bySeconds: -3) == Instant(seconds: -2, attoseconds: 7))
        #expect(Instant(seconds: 1, attoseconds: 500_000_000_000_000_000).unixSeconds == 1.5)
        #expect(Instant.epoch.iso8601 == "1970-01-01T00:00:00.000Z")
        #expect((-7 as Int64).flooredDivision(by: 2) == -4 && (7 as Int64).flooredDivision(by: 2) == 3)
        #expect((-8 as Int64).flooredDivision(by: 2) == -4 && (0 as Int64).flooredDivision(by: 5) == 0)
    }
}
