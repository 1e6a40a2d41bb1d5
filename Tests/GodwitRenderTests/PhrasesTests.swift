import GodwitModel
import GodwitRender
import Testing

/// Words for numbers, spans and instants.
struct PhrasesTests {
    @Test(
        "durations",
        arguments: [
            (-5, "0 ms"), (0, "0 ms"), (999, "999 ms"), (1_000, "1.0 s"), (59_999, "59.9 s"), (60_000, "1 min 0 s"),
            (125_000, "2 min 5 s"), (3_600_000, "1 h 0 min"), (3_780_000, "1 h 3 min"),
            (.max, "2,562,047,788,015 h 12 min"),
        ] as [(Int64, String)])
    func duration(milliseconds: Int64, text: String) {
        #expect(TimePhrase.duration(milliseconds: milliseconds) == text)
    }

    @Test(
        "ages",
        arguments: [
            (-3, "0 seconds"), (1, "1 second"), (59, "59 seconds"), (60, "1 minute"), (7_199, "1 hour"),
            (86_400, "1 day"), (864_000, "10 days"),
        ] as [(Int64, String)])
    func age(seconds: Int64, text: String) {
        #expect(TimePhrase.age(seconds: seconds) == text)
    }

    @Test(
        "relative times",
        arguments: [
            (0, "just now"), (59, "just now"), (-59, "just now"), (60, "1 minute ago"), (300, "5 minutes ago"),
            (3_600, "1 hour ago"), (86_400, "1 day ago"), (29 * 86_400, "29 days ago"), (30 * 86_400, "2026-10-22"),
            (-60, "in 1 minute"), (-7_200, "in 2 hours"), (-31 * 86_400, "2026-12-22"),
        ] as [(Int64, String)])
    func relative(secondsAgo: Int64, text: String) {
        #expect(TimePhrase.relative(Sample.now.advanced(bySeconds: -secondsAgo), asOf: Sample.now) == text)
    }
}
