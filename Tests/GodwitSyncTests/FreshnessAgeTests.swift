import GodwitModel
import GodwitSync
import Testing

struct FreshnessAgeTests {
    @Test(
        "an export from the age errorAfter on is an error with both ages in the message",
        arguments: [
            (Int64(172_799), Freshness.Status.warn), (172_800, .error), (172_801, .error), (99_999_999, .error),
        ])
    func errors(age: Int64, status: Freshness.Status) {
        let verdict = FreshnessAssessor.assess(.sample { $0.newestRecordAt = at(-age) })
        #expect(verdict.status == status)
        #expect(verdict.reasons.map(\.code).contains(.olderThanErrorAfter) == (status == .error))
        #expect(verdict.reasons.map(\.code).contains(.olderThanWarnAfter))
        #expect(verdict.ageSeconds == age)
    }

    @Test("errorAfter applies without warnAfter, and also if it is smaller")
    func errorAfterAlone() {
        let onlyError = FreshnessAssessor.assess(
            .sample {
                $0.newestRecordAt = at(-172_800)
                $0.warnAfter = nil
            })
        #expect(onlyError.status == .error)
        #expect(onlyError.reasons.map(\.code) == [.olderThanErrorAfter])
        #expect(onlyError.reasons.first?.message == "The newest record was 2d old; errorAfter is 48h.")
        #expect(onlyError.criteria == Freshness.Criteria(warnAfter: nil, errorAfter: "48h"))
        let reversed = FreshnessAssessor.assess(.sample { $0.errorAfter = Span("30m") })
        #expect(reversed.status == .error)
        #expect(reversed.reasons.map(\.code) == [.olderThanErrorAfter])
    }

    /// Now, the newest record's date, and the age in seconds.
    static let ages: [(Instant, Instant, Int64)] = [
        (Instant(seconds: 100), Instant(seconds: 99, attoseconds: 1), 0),
        (Instant(seconds: 100, attoseconds: 5), Instant(seconds: 99, attoseconds: 5), 1),
        (Instant(seconds: 100, attoseconds: 4), Instant(seconds: 98, attoseconds: 5), 1),
        (Instant(seconds: 100), Instant(seconds: 100), 0),
        (Instant(seconds: 100), Instant(seconds: 1000), 0),
        (Instant(seconds: 100), Instant(seconds: -1), 101),
    ]

    @Test("the age is in whole seconds, rounded down, and never negative", arguments: ages)
    func age(now: Instant, newest: Instant, expected: Int64) {
        let verdict = FreshnessAssessor.assess(
            .sample {
                $0.now = now
                $0.newestRecordAt = newest
            })
        #expect(verdict.ageSeconds == expected)
    }

    @Test("a criterion in milliseconds is compared exactly")
    func milliseconds() {
        for (fraction, isOld) in [(Int64(499), false), (500, true)] {
            let verdict = FreshnessAssessor.assess(
                .sample {
                    $0.newestRecordAt = at(-1)
                    $0.now = Instant(seconds: at(-1).seconds, attoseconds: fraction * 1_000_000_000_000_000)
                    $0.warnAfter = Span("500ms")
                    $0.errorAfter = nil
                })
            #expect(verdict.reasons.map(\.code) == (isOld ? [.olderThanWarnAfter] : []))
        }
    }

    @Test("instants at the limits are judged without overflow")
    func extremes() {
        let ends = [Instant(seconds: .min), Instant(seconds: .max), .epoch]
        for now in ends {
            for newest in ends {
                let verdict = FreshnessAssessor.assess(
                    .sample {
                        $0.now = now
                        $0.newestRecordAt = newest
                    })
                #expect(verdict.status == (now > newest ? .error : now < newest ? .warn : .pass))
                #expect((verdict.ageSeconds ?? -1) >= 0)
            }
        }
    }

    @Test(
        "an age is shown in its two largest units",
        arguments: [
            (Int64(60), "1m"), (61, "1m 1s"), (3599, "59m 59s"), (3600, "1h"), (3601, "1h"), (7500, "2h 5m"),
            (86_400, "1d"), (90_061, "1d 1h"), (86_460, "1d"), (8_640_000, "100d"), (1, "1s"), (0, "0s"),
        ])
    func words(age: Int64, words: String) {
        let verdict = FreshnessAssessor.assess(
            .sample {
                $0.newestRecordAt = at(-age)
                $0.warnAfter = Span("0s")
                $0.errorAfter = nil
            })
        #expect(verdict.reasons.map(\.message) == ["The newest record was \(words) old; warnAfter is 0s."])
    }
}
