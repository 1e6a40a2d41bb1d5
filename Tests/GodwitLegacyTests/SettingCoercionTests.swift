import GodwitLegacy
import GodwitModel
import Testing

struct SettingCoercionTests {
    private func outcome(_ value: LegacyValue, _ type: DeclaredType) -> SettingOutcome {
        SettingCoercion.coerce(value, into: type)
    }

    @Test(
        "declared types are read as in SQLite",
        arguments: [
            ("TEXT", .text), ("varchar(20)", .text), ("CLOB", .text), ("NCHAR", .text), ("INTEGER", .integer),
            ("int", .integer),
            ("BIGINT UNSIGNED", .integer), ("CHARINT", .integer), ("FLOATING POINT", .integer), ("REAL", .real),
            ("double precision", .real),
            ("FLOAT", .real), ("BLOB", .blob), ("", .any), ("  ", .any), ("NUMERIC", .numeric),
            ("DECIMAL(10,2)", .numeric),
            ("STRING", .numeric), ("BOOLEAN", .boolean), ("bool", .boolean), ("DATE", .date), ("DATETIME", .date),
            ("TIMESTAMP", .date),
            ("DATETEXT", .text), ("BOOLINT", .integer),
        ] as [(String, DeclaredType)])
    func declaredTypes(name: String, type: DeclaredType) {
        #expect(DeclaredType(name) == type)
    }

    @Test("a value is converted by the name of a declared type")
    func byName() {
        #expect(SettingCoercion.coerce(.bool(true), intoColumnOfType: "INTEGER") == .exact(.integer(1)))
        #expect(SettingCoercion.coerce(.string("lb"), intoColumnOfType: "TEXT") == .exact(.string("lb")))
    }

    @Test(
        "a value that the column holds unchanged is exact",
        arguments: [
            (.string("lb"), .text, .string("lb")), (.string("a\0b"), .text, .string("a\0b")),
            (.string("90"), .any, .string("90")),
            (.integer(90), .integer, .integer(90)), (.integer(.min), .integer, .integer(.min)),
            (.integer(5), .numeric, .integer(5)),
            (.integer(5), .any, .integer(5)), (.integer(1), .boolean, .integer(1)), (.integer(5), .date, .integer(5)),
            (.real(0.5), .real, .real(0.5)), (.real(-0.0), .real, .real(-0.0)),
            (.real(.infinity), .real, .real(.infinity)),
            (.real(0.5), .numeric, .real(0.5)), (.real(90), .any, .real(90)), (.real(1e300), .numeric, .real(1e300)),
            (.bool(true), .integer, .integer(1)), (.bool(false), .boolean, .integer(0)),
            (.bool(true), .numeric, .integer(1)),
            (.bool(true), .any, .integer(1)), (.data([1, 2]), .blob, .blob([1, 2])), (.data([]), .any, .blob([])),
            (.date(Instant(milliseconds: 1_500)), .text, .string("1970-01-01T00:00:01.500Z")),
            // A millisecond in an app's seconds since 2001, off by a ten-millionth.
            (.date(Instant(seconds: 1, attoseconds: 999_900_000_000_000)), .text, .string("1970-01-01T00:00:01.001Z")),
            (.date(.epoch), .date, .string("1970-01-01T00:00:00.000Z")),
            (.date(.epoch), .any, .string("1970-01-01T00:00:00.000Z")),
            (.string("2026-03-01T07:15:00Z"), .date, .string("2026-03-01T07:15:00Z")),
            (.string("dark"), .numeric, .string("dark")),
            (.string("0x10"), .numeric, .string("0x10")), (.string(""), .numeric, .string("")),
        ] as [(LegacyValue, DeclaredType, Value)])
    func exact(value: LegacyValue, type: DeclaredType, expected: Value) {
        #expect(outcome(value, type) == .exact(expected))
    }

    @Test(
        "a value that is stored with another type is coerced, with both texts",
        arguments: [
            (.string("90"), .integer, .integer(90), "string 90", "integer 90"),
            (.string("-7"), .integer, .integer(-7), "string -7", "integer -7"),
            (.string("0.5"), .real, .real(0.5), "string 0.5", "real 0.5"),
            (.string("90"), .real, .real(90), "string 90", "real 90.0"),
            (.string("1e3"), .numeric, .integer(1000), "string 1e3", "integer 1000"),
            (.string(" 7 "), .numeric, .integer(7), "string  7 ", "integer 7"),
            (.string("2026"), .date, .integer(2026), "string 2026", "integer 2026"),
            (.string("YES"), .boolean, .integer(1), "string YES", "integer 1"),
            (.string("false"), .boolean, .integer(0), "string false", "integer 0"),
            (.string("ab"), .blob, .blob([0x61, 0x62]), "string ab", "blob of 2 bytes"),
            (.integer(90), .text, .string("90"), "integer 90", "text 90"),
            (.integer(90), .real, .real(90), "integer 90", "real 90.0"),
            (
                .bigInteger("18446744073709551615"), .text, .string("18446744073709551615"),
                "integer 18446744073709551615", "text 18446744073709551615"
            ),
            (.real(90), .integer, .integer(90), "real 90.0", "integer 90"),
            (.real(90), .numeric, .integer(90), "real 90.0", "integer 90"),
            (.real(-0.0), .numeric, .integer(0), "real -0.0", "integer 0"),
            (.real(1e18), .numeric, .integer(1_000_000_000_000_000_000), "real 1e+18", "integer 1000000000000000000"),
            (.real(0.1), .text, .string("0.1"), "real 0.1", "text 0.1"),
            (.real(1), .boolean, .integer(1), "real 1.0", "integer 1"),
            (.bool(true), .text, .string("true"), "boolean true", "text true"),
            (.bool(false), .real, .real(0), "boolean false", "real 0.0"),
            (.date(Instant(seconds: 60)), .integer, .integer(60), "date 1970-01-01T00:01:00.000Z", "integer 60"),
            (
                .date(Instant(seconds: 60, attoseconds: 999_999_900_000_000_000)), .integer, .integer(61),
                "date 1970-01-01T00:01:01.000Z", "integer 61"
            ),
            (.date(Instant(milliseconds: -500)), .integer, .integer(-1), "date 1969-12-31T23:59:59.500Z", "integer -1"),
            (.date(Instant(milliseconds: 1_500)), .real, .real(1.5), "date 1970-01-01T00:00:01.500Z", "real 1.5"),
            (.date(Instant(seconds: 60)), .numeric, .integer(60), "date 1970-01-01T00:01:00.000Z", "integer 60"),
        ] as [(LegacyValue, DeclaredType, Value, String, String)])
    func coerced(value: LegacyValue, type: DeclaredType, expected: Value, from: String, to: String) {
        #expect(outcome(value, type) == .coerced(expected, from: from, to: to))
    }

    @Test(
        "a value that would lose information is unsupported",
        arguments: [
            (.string("ninety"), .integer), (.string("90.0"), .integer), (.string(" 90"), .integer),
            (.string("9223372036854775808"), .integer),
            (.string(""), .integer), (.string("0x10"), .real), (.string("1e400"), .real), (.string("nan"), .real),
            (.string("inf"), .real),
            (.string("9007199254740993"), .real), (.string("9223372036854775808"), .numeric),
            (.string("1e400"), .numeric),
            (.string("maybe"), .boolean), (.integer(2), .boolean), (.integer(9_007_199_254_740_993), .real),
            (.integer(1), .blob),
            (.bigInteger("18446744073709551615"), .integer), (.bigInteger("18446744073709551615"), .real),
            (.bigInteger("1"), .any),
            (.real(0.5), .integer), (.real(1e19), .integer), (.real(.infinity), .integer), (.real(.nan), .real),
            (.real(.nan), .text),
            (.real(.infinity), .text), (.real(2), .boolean), (.real(0.5), .blob), (.bool(true), .blob),
            (.bool(true), .date),
            (.date(.epoch), .blob), (.date(.epoch), .boolean), (.data([1]), .text), (.data([1]), .integer),
            (.data([1]), .real),
            (.data([1]), .numeric),
        ] as [(LegacyValue, DeclaredType)])
    func unsupported(value: LegacyValue, type: DeclaredType) {
        guard case .unsupported(let reason) = outcome(value, type) else {
            Issue.record("\(outcome(value, type))")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test("containers, UIDs and null are unsupported in every column", arguments: DeclaredType.allCases)
    func neverTaken(type: DeclaredType) {
        for value in [.array([]), .dict([:]), .uid(1), .null] as [LegacyValue] {
            guard case .unsupported(let reason) = outcome(value, type) else {
                Issue.record("\(value.typeName) into \(type)")
                continue
            }
            #expect(reason.contains("\(value.typeName) can't be stored in a"))
        }
    }

    @Test(
        "a reason fits any kind of column",
        arguments: [
            (DeclaredType.any, "an array can't be stored in a column without a type"),
            (.integer, "an array can't be stored in an integer column"),
            (.date, "an array can't be stored in a date column"),
        ])
    func reasons(type: DeclaredType, reason: String) {
        #expect(outcome(.array([]), type) == .unsupported(reason))
    }

    @Test("the reason for an unsupported value never has the value")
    func noValues() {
        for type in DeclaredType.allCases {
            guard case .unsupported(let reason) = outcome(.string("secret-value"), type) else { continue }
            #expect(!reason.contains("secret"))
        }
    }

    @Test("a long text is truncated in the key list, and its control characters escaped")
    func longText() {
        let text = "a\n" + String(repeating: "x", count: 500)
        guard case .coerced(_, let from, _) = outcome(.string(text), .blob) else {
            Issue.record("not coerced")
            return
        }
        #expect(from.hasPrefix("string a\\u{a}xxx"))
        #expect(from.count < 100)
    }
}
