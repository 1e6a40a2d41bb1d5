import GodwitCoreData
import GodwitModel
import GodwitTestSupport
import Testing

struct CoreDataValueTests {
    private static let uuid = Value.blob([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xFF])

    @Test(
        "a value is converted as the manifest requires",
        arguments: [
            (uuid, .uuid, .string("00010203-0405-0607-0809-0A0B0C0D0EFF")),
            (.string("00010203-0405-0607-0809-0A0B0C0D0EFF"), .uuid, .string("00010203-0405-0607-0809-0A0B0C0D0EFF")),
            (.real(722_787_770.5), .iso8601, .string("2023-11-27T14:22:50.500Z")),
            (.integer(722_787_770), .iso8601, .string("2023-11-27T14:22:50.000Z")),
            (.integer(0), .iso8601, .string("2001-01-01T00:00:00.000Z")),
            (.real(-63_114_076_800), .iso8601, .string("0000-12-30T00:00:00.000Z")),
            (.integer(0), .unixSeconds, .integer(978_307_200)),
            (.real(0.25), .unixMilliseconds, .integer(978_307_200_250)),
            (.real(0.1), .coreData, .real(0.1)), (.integer(5), .bool, .integer(1)), (.integer(0), .bool, .integer(0)),
            (.real(0), .bool, .integer(0)), (.real(-0.5), .bool, .integer(1)), (.null, .bool, .null),
            (.null, .uuid, .null), (.real(12.5), .decimal, .string("12.5")), (.real(7), .decimal, .string("7")),
            (.integer(-7), .decimal, .string("-7")), (.real(1e21), .decimal, .string("1000000000000000000000")),
            (.real(1.5e-7), .decimal, .string("0.00000015")), (.real(-2.5e-3), .decimal, .string("-0.0025")),
            (.real(-0.0), .decimal, .string("0")),
            (.real(0.1), .decimal, .string("0.1")), (.real(123_456.789), .decimal, .string("123456.789")),
            (.string("0.10000000000000000000001"), .decimal, .string("0.10000000000000000000001")),
            (.real(.leastNonzeroMagnitude), .decimal, .string("0." + String(repeating: "0", count: 323) + "5")),
        ] as [(Value, SourceEncoding, Value)])
    func converted(_ value: Value, _ encoding: SourceEncoding, _ expected: Value) {
        let made = CoreDataValue.converted(value, to: encoding)
        #expect(made.value == expected)
        #expect(made.isConverted)
    }

    @Test(
        "a value that cannot be converted stays as stored, and is counted",
        arguments: [
            (.blob([1, 2]), .uuid), (.integer(5), .uuid), (.string("short"), .uuid), (.real(.infinity), .iso8601),
            (.real(1e300), .iso8601), (.integer(.max), .iso8601), (.integer(.min), .unixSeconds),
            (.string("2026"), .iso8601), (.blob([0]), .bool), (.string("YES"), .bool), (.blob([0]), .decimal),
            (.real(.infinity), .decimal),
        ] as [(Value, SourceEncoding)])
    func kept(_ value: Value, _ encoding: SourceEncoding) {
        let made = CoreDataValue.converted(value, to: encoding)
        #expect(made.value == value)
        #expect(!made.isConverted)
    }

    @Test(
        "a date finer than milliseconds is rounded and counted, except in Core Data's form",
        arguments: [
            (1_700_000_001.001 - 978_307_200, .iso8601, .string("2023-11-14T22:13:21.001Z"), true),
            (1_700_000_001.001 - 978_307_200, .unixMilliseconds, .integer(1_700_000_001_001), true),
            (1_700_000_001.001 - 978_307_200, .unixSeconds, .real(1_700_000_001.001), false),
            (1_700_000_001.001 - 978_307_200, .coreData, .real(1_700_000_001.001 - 978_307_200), false),
            (722_787_770.189348, .iso8601, .string("2023-11-27T14:22:50.189Z"), true),
            (722_787_770.9996, .iso8601, .string("2023-11-27T14:22:51.000Z"), true),
            (722_787_770.5, .iso8601, .string("2023-11-27T14:22:50.500Z"), false),
            (722_787_770.083, .iso8601, .string("2023-11-27T14:22:50.083Z"), false),
            (-0.0004, .iso8601, .string("2001-01-01T00:00:00.000Z"), true),
        ] as [(Double, SourceEncoding, Value, Bool)])
    func rounded(_ seconds: Double, _ encoding: SourceEncoding, _ expected: Value, _ isRounded: Bool) {
        let made = CoreDataValue.converted(.real(seconds), to: encoding)
        #expect(made.value == expected)
        #expect(made.isRounded == isRounded)
    }

    @Test("several values become one text, and NULL if one of them is NULL")
    func joined() {
        #expect(CoreDataValue.joined([.string("a"), .integer(3), .real(1.5), .blob([0xAB])]) == .string("a/3/1.5/ab"))
        #expect(CoreDataValue.joined([.string("a"), .null]) == .null)
        let pairs = [["http://e/a", "b"], ["http://e", "a/b"], ["http://e%2Fa", "b"], ["http:", "/e/a/b"]]
        #expect(Set(pairs.map { "\(CoreDataValue.joined($0.map(Value.string)))" }).count == pairs.count)
        #expect(CoreDataValue.joined([.string("a/b"), .string("5%")]) == .string("a%2Fb/5%25"))
    }
}
