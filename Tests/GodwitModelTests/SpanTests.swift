import GodwitModel
import Testing

struct SpanTests {
    @Test(
        "a whole number with a unit is a duration",
        arguments: [
            ("0s", 0), ("500ms", 500), ("30s", 30_000), ("5m", 300_000), ("12h", 43_200_000), ("7d", 604_800_000),
            ("007s", 7000), ("36525d", 3_155_760_000_000), ("3155760000000ms", 3_155_760_000_000),
        ])
    func good(text: String, milliseconds: Int64) throws {
        let span = try #require(Span(text))
        #expect(span.milliseconds == milliseconds)
        #expect(span.seconds == milliseconds / 1000)
        #expect(span.description == text)
    }

    @Test(
        "a text that is not a duration is rejected",
        arguments: [
            "", "s", "12", "12 h", " 12h", "12h ", "-1h", "+1h", "1.5h", "1h30m", "12H", "1w", "1y", "1us", "٣h", "１h",
            "1e3s",
            "0x10s", "1\u{301}s", "1s\u{301}", "36526d", "9223372036854775807ms", "9223372036854775808s",
            "99999999999999999999999d", "1\0s", "1s\n",
        ])
    func bad(text: String) { #expect(Span(text) == nil) }

    @Test("seconds of a duration are rounded down")
    func seconds() {
        #expect(Span("1999ms")?.seconds == 1)
        #expect(Span("999ms")?.seconds == 0)
    }
}
