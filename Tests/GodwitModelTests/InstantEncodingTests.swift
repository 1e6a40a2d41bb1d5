import GodwitModel
import FoundationLite
import GodwitTestSupport
import Testing

struct InstantEncodingTests {
    private static let moment = "2026-03-01T07:15:00.123Z"

    @Test(
        "without an encoding, text is read as ISO 8601 and a number as Unix seconds",
        arguments: [
            (Value.string("2026-03-01T16:15:00.123+09:00"), moment), (.real(1_772_349_300.123), moment),
            (.integer(1_772_349_300), "2026-03-01T07:15:00.000Z"), (.integer(0), "1970-01-01T00:00:00.000Z"),
            (.integer(-1), "1969-12-31T23:59:59.000Z"), (.string("2026-03-01"), "2026-03-01T00:00:00.000Z"),
        ])
    func unencoded(value: Value, text: String) { #expect(Instant(value, as: nil)?.iso8601 == text) }

    @Test(
        "each encoding reads the values of its own form",
        arguments: [
            (Value.string(moment), InstantEncoding.iso8601, moment), (.real(1_772_349_300.123), .unixSeconds, moment),
            (.integer(1_772_349_300_123), .unixMilliseconds, moment),
            (.real(1_772_349_300_123), .unixMilliseconds, moment),
            (.real(794_042_100.123), .coreData, moment), (.integer(794_042_100), .coreData, "2026-03-01T07:15:00.000Z"),
            (.integer(0), .coreData, "2001-01-01T00:00:00.000Z"),
            (.integer(-1), .unixMilliseconds, "1969-12-31T23:59:59.999Z"),
            (.real(-0.5), .unixMilliseconds, "1970-01-01T00:00:00.000Z"),
            (.real(-0.6), .unixMilliseconds, "1969-12-31T23:59:59.999Z"),
            (.string("1772349300.123"), .unixSeconds, moment), (.string("1772349300123"), .unixMilliseconds, moment),
            (.string("794042100.123"), .coreData, moment), (.string("-1"), .unixSeconds, "1969-12-31T23:59:59.000Z"),
            (.string("1.7723493e9"), .unixSeconds, "2026-03-01T07:15:00.000Z"),
        ])
    func encoded(value: Value, encoding: InstantEncoding, text: String) {
        #expect(Instant(value, as: encoding)?.iso8601 == text)
    }

    @Test(
        "NULL, blobs, other types and numbers out of range give no instant",
        arguments: [
            (Value.null, nil), (.blob(Array(moment.utf8)), nil), (.string(""), nil), (.string("yesterday"), nil),
            (.text([0xFF]), nil),
            (.text(Array(moment.utf8) + [0]), nil), (.string("1772349300"), nil), (.integer(1), .iso8601),
            (.string("17723 49300"), .unixSeconds), (.string("0x10"), .unixSeconds), (.string("nan"), .coreData),
            (.string("1e300"), .unixMilliseconds), (.string(String(repeating: "1", count: 41)), .unixSeconds),
            (.string("1772349300"), .iso8601), (.string("-"), .unixSeconds),
            (.string("99999999999999999999"), .coreData),
            (.real(1), .iso8601),
            (.string(moment), .coreData), (.null, .coreData), (.integer(.max), nil), (.integer(.min), .unixSeconds),
            (.integer(.max), .unixMilliseconds), (.integer(.min), .coreData), (.real(.infinity), nil),
            (.real(1e13), .coreData),
            (.real(.nan), .unixMilliseconds), (.real(1e300), .unixMilliseconds),
        ] as [(Value, InstantEncoding?)])
    func unreadable(value: Value, encoding: InstantEncoding?) { #expect(Instant(value, as: encoding) == nil) }

    @Test(
        "a time in milliseconds survives every encoding unchanged",
        arguments: [nil] + InstantEncoding.allCases.map { Optional($0) })
    func roundTrip(encoding: InstantEncoding?) {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            let instant = Instant(
                milliseconds: Int64.random(in: -30_000_000_000_000...30_000_000_000_000, using: &random))
            let back = Instant(instant.value(as: encoding), as: encoding)
            guard back?.iso8601 == instant.iso8601 else {
                Issue.record("\(instant) came back as \(String(describing: back))")
                return
            }
        }
    }

    @Test("an instant is stored in the form of the column's encoding")
    func stored() throws {
        let instant = try #require(Instant(iso8601: Self.moment))
        #expect(instant.value(as: nil) == .string(Self.moment))
        #expect(instant.value(as: .iso8601) == .string(Self.moment))
        #expect(instant.value(as: .unixSeconds) == .real(1_772_349_300.123))
        #expect(Instant(seconds: 5).value(as: .unixSeconds) == .integer(5))
        #expect(instant.value(as: .unixMilliseconds) == .integer(1_772_349_300_123))
        #expect(instant.value(as: .coreData) == .real(794_042_100.123))
        #expect(instant.value(as: .unixSeconds, wholly: true) == .integer(1_772_349_300))
        #expect(instant.value(as: .coreData, wholly: true) == .integer(794_042_100))
        #expect(instant.value(as: .unixMilliseconds, wholly: true) == .integer(1_772_349_300_123))
        #expect(instant.value(as: nil, wholly: true) == .string(Self.moment))
        let before = try #require(Instant(iso8601: "1969-12-31T23:59:59.750Z"))
        #expect(before.value(as: .unixSeconds, wholly: true) == .integer(-1))
    }

    @Test("an instant is encoded as ISO 8601 text, and other text is not decoded")
    func coding() throws {
        let instant = try #require(Instant(iso8601: Self.moment))
        let json = try JSONEncoder().encode([instant])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(Self.moment)\"]")
        #expect(try JSONDecoder().decode([Instant].self, from: json) == [instant])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Instant].self, from: Data("[\"soon\"]".utf8)) }
    }
}
