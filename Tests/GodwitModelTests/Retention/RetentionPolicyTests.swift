import GodwitModel
import Testing

struct RetentionPolicyTests {
    private func dates(_ texts: String...) throws -> [Instant] {
        try texts.map { try #require(Instant(iso8601: $0)) }
    }

    /// The indexes of the kept dates, counted from the newest.
    private func kept(_ policy: RetentionPolicy, _ dates: [Instant]) -> [Int] {
        policy.reasons(for: dates).enumerated().filter { !$0.element.isEmpty }.map(\.offset)
    }

    @Test("a policy without rules keeps every export and says why")
    func empty() throws {
        let dates = try dates("2026-03-01", "2020-01-01")
        #expect(RetentionPolicy().isEmpty && RetentionPolicy(counts: [.daily: 0]).isEmpty)
        #expect(RetentionPolicy().reasons(for: dates) == [["there is no policy"], ["there is no policy"]])
        #expect(RetentionPolicy(counts: [.last: 1]).reasons(for: []).isEmpty)
    }

    @Test("keep-last keeps the newest N exports, at any distance", arguments: 1...4)
    func last(_ count: Int) throws {
        let dates = try dates(
            "2026-03-01T00:00:02Z", "2026-03-01T00:00:01Z", "2026-03-01T00:00:00Z", "2026-02-28T23:59:59Z")
        #expect(kept(RetentionPolicy(counts: [.last: count]), dates) == Array(0..<count))
    }

    @Test("the newest export of each period is kept, and periods without an export do not count")
    func daily() throws {
        let dates = try dates(
            "2026-03-05T23:59:59Z", "2026-03-05T00:00:00Z", "2026-03-02T12:00:00Z", "2026-03-02T11:00:00Z",
            "2026-02-27T01:00:00Z", "2026-02-26T01:00:00Z")
        #expect(kept(RetentionPolicy(counts: [.daily: 3]), dates) == [0, 2, 4])
        #expect(kept(RetentionPolicy(counts: [.hourly: 2]), dates) == [0, 1])
    }

    @Test(
        "two dates are in the same period, or in different ones",
        arguments: [
            (RetentionRule.hourly, "2026-03-05T10:59:59.999Z", "2026-03-05T10:00:00Z", true),
            (.hourly, "2026-03-05T11:00:00Z", "2026-03-05T10:59:59Z", false),
            (.daily, "2026-03-05T23:30:00+09:00", "2026-03-05T00:00:00Z", true),
            (.daily, "2026-03-05T08:59:59+09:00", "2026-03-05T00:00:00Z", false),
            (.weekly, "2021-01-03", "2020-12-28", true), (.weekly, "2021-01-04", "2021-01-03", false),
            (.weekly, "1970-01-01", "1969-12-29", true), (.weekly, "1969-12-29", "1969-12-28", false),
            (.monthly, "2024-02-29", "2024-02-01", true), (.monthly, "2025-02-28", "2024-02-28", false),
            (.monthly, "1969-12-31", "1969-12-01", true), (.yearly, "2024-12-31", "2024-01-01", true),
            (.yearly, "2024-01-01", "2023-12-31", false),
        ])
    func periods(_ rule: RetentionRule, _ newer: String, _ older: String, _ isSame: Bool) throws {
        // Two older dates, so that neither of the two is kept for being the oldest.
        let dates = try dates(newer, older, "1900-01-01", "1800-01-01")
        let reasons = RetentionPolicy(counts: [rule: 2]).reasons(for: dates)
        #expect(reasons[0] == ["\(rule) export"])
        #expect(reasons[1].isEmpty == isSame)
    }

    @Test("a rule that finds fewer periods than it may keep also keeps the oldest export")
    func oldest() throws {
        let dates = try dates("2026-03-05T12:00:00Z", "2026-03-05T11:00:00Z", "2026-03-05T10:00:00Z")
        #expect(
            RetentionPolicy(counts: [.yearly: 5]).reasons(for: dates) == [
                ["yearly export"], [], ["oldest yearly export"],
            ])
        #expect(kept(RetentionPolicy(counts: [.yearly: 1]), dates) == [0])
        #expect(kept(RetentionPolicy(counts: [.monthly: .max]), dates) == [0, 2])
    }

    @Test("keep-within keeps exports by their distance from the newest export, not from now")
    func within() throws {
        let dates = try dates(
            "2026-03-31T12:00:00Z", "2026-03-03T12:00:01Z", "2026-03-03T12:00:00Z", "2025-01-01T00:00:00Z")
        let month = try #require(CalendarSpan("1m"))
        #expect(
            RetentionPolicy(within: month).reasons(for: dates) == [["within 1m"], ["within 1m"], [], []])
    }

    @Test("an export names each rule that keeps it")
    func reasons() throws {
        let dates = try dates("2026-03-05", "2026-03-04", "2025-06-01")
        let policy = RetentionPolicy(counts: [.last: 1, .daily: 2, .yearly: 2], within: CalendarSpan("1d12h"))
        #expect(
            policy.reasons(for: dates) == [
                ["last", "daily export", "yearly export", "within 1d12h"], ["daily export", "within 1d12h"],
                ["yearly export"],
            ])
    }

    @Test("a text that is not a calendar span is rejected")
    func spans() throws {
        for (text, parts) in [
            ("2y5m7d3h", [2, 5, 7, 3]), ("1h", [0, 0, 0, 1]), ("30d", [0, 0, 30, 0]), ("0y1m", [0, 1, 0, 0]),
        ] as [(String, [Int64])] {
            let span = try #require(CalendarSpan(text))
            #expect([span.years, span.months, span.days, span.hours] == parts && span.description == text)
        }
        for text in [
            "", "0d", "5", "d", "1d1y", "1d1d", "-1d", "1.5d", "1w", "100001h", "9999999999999999999999d", "1d ",
        ] {
            #expect(CalendarSpan(text) == nil, "\(text)")
        }
    }

    @Test(
        "subtracting a calendar span follows the calendar",
        arguments: [
            ("1m", "2026-03-31T10:00:00Z", "2026-03-03T10:00:00.000Z"),
            ("1m", "2024-03-31T10:00:00Z", "2024-03-02T10:00:00.000Z"),
            ("1y", "2024-02-29T00:00:00Z", "2023-03-01T00:00:00.000Z"),
            ("14m", "2026-01-15T00:00:00Z", "2024-11-15T00:00:00.000Z"),
            ("25h", "2026-01-01T00:30:00Z", "2025-12-30T23:30:00.000Z"),
        ])
    func back(_ span: String, _ from: String, _ to: String) throws {
        #expect(try #require(CalendarSpan(span)).before(try #require(Instant(iso8601: from))).iso8601 == to)
    }

    @Test("subtracting any calendar span from any date does not overflow")
    func farAway() throws {
        let span = try #require(CalendarSpan("100000y100000m100000d100000h"))
        for date in [Instant(seconds: .min), Instant(seconds: .max), .epoch] {
            #expect(span.before(date) < date || date.seconds < 0)
        }
    }
}
