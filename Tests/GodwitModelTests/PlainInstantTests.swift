import GodwitModel
import Testing

/// The fast way to read a date agrees with the slow one, or returns nil.
struct PlainInstantTests {
    private func plain(_ text: String) -> Instant? {
        Array(text.utf8).withUnsafeBytes { Instant(plain: $0) }
    }

    @Test("the fast reader gives the same instants as the general reader for every day from 1895 to 2105")
    func everyDay() {
        for days in stride(from: Int64(-27_393), through: 49_308, by: 1) {
            let date = Instant(milliseconds: days * 86_400_000 + (days & 0xFFFF) * 1319 % 86_400_000)
            let text = date.iso8601
            if plain(text) != date || Instant(iso8601: text) != date { Issue.record("\(text)") }
        }
    }

    @Test(
        "the fast reader reads the first and last date, leap days and the last moment of a day",
        arguments: [
            "0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2000-02-29T12:00:00.001Z",
            "2024-02-29T00:00:00.010Z", "1900-02-28T23:59:59.100Z",
        ])
    func edges(text: String) {
        #expect(plain(text) != nil)
        #expect(plain(text) == Instant(iso8601: text))
        #expect(plain(text)?.iso8601 == text)
    }

    @Test(
        "the fast reader rejects a text that is not a date",
        arguments: [
            "2026-02-30T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-00-01T00:00:00.000Z",
            "2026-01-00T00:00:00.000Z", "1900-02-29T00:00:00.000Z", "2026-01-01T24:00:00.000Z",
            "2026-01-01T00:60:00.000Z", "2026-01-01T00:00:60.000Z", "2026-0a-01T00:00:00.000Z",
            "2026-01-01T00:00:00.0x0Z", "2026-01-01T00:00:00.00/Z", "2026-01-01T00:00:00.00:Z", "",
            "2026-01-01T00:00:00.000ZZ",
        ])
    func nothing(text: String) {
        #expect(plain(text) == nil)
        #expect(Instant(iso8601: text) == nil)
    }

    @Test(
        "the fast reader leaves every other form to the general reader",
        arguments: [
            "2026-01-01 00:00:00.000Z", "2026-01-01t00:00:00.000z", "2026-01-01T00:00:00,000Z", "2026-01-01",
            "2026-01-01T00:00:00+09:00", "2026-01-01T00:00:00.00000Z", "2026-01-01T00:00Z",
        ])
    func otherForms(text: String) {
        #expect(plain(text) == nil)
        #expect(Instant(iso8601: text) != nil)
    }

    @Test("the fast reader agrees with the general reader, or gives nothing, if one byte changes")
    func oneByte() {
        let text = Array("2026-10-31T19:45:58.907Z".utf8)
        for place in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[place] = byte
                var rest = changed[...]
                let found = changed.withUnsafeBytes { Instant(plain: $0) }
                let expected = Instant(iso8601Bytes: &rest)
                if found != nil, found != expected { Issue.record("byte \(byte) at \(place)") }
                if found == nil, expected != nil, ![10, 19, 23].contains(place) {
                    Issue.record("byte \(byte) at \(place) is left out")
                }
            }
        }
    }
}
