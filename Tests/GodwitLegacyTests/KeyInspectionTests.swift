import GodwitLegacy
import GodwitModel
import Testing

/// What is reported of a key: by its type, by what is encoded in it, and by its name.
struct KeyInspectionTests {
    private func inspect(_ key: String, _ value: LegacyValue, showsValues: Bool = false) -> InspectedKey {
        KeyInspection(showsValues: showsValues).inspect(LegacyPair(key: key, value: value))
    }

    private static func data(_ text: String) -> LegacyValue { .data(Array(text.utf8)) }

    static let cases: [(LegacyValue, type: String, encoding: String?, role: KeyRole, size: Int64?)] = [
        (.bool(true), "boolean", nil, .setting, nil), (.integer(3), "integer", nil, .setting, nil),
        (.real(0.5), "real", nil, .setting, nil), (.date(.epoch), "date", nil, .setting, nil),
        (.string("dark"), "string", nil, .setting, 4), (.string("a, sentence, of words"), "string", nil, .setting, 21),
        (.string("a,b,c"), "string", "csv", .list, 3), (.string(#"["a","b"]"#), "string", "json", .list, 2),
        (.string(#"[{"a":1}]"#), "string", "json", .other, 1),
        (.string("2026-11-21T06:00:00Z"), "string", "iso8601", .setting, 20),
        (data(#"["a"]"#), "data", "json", .list, 1), (.data([1, 2, 3]), "data", nil, .other, 3),
        (.array([.string("a"), .integer(2)]), "array", nil, .other, 2),
        (.array([.string("12"), .integer(2)]), "array", nil, .list, 2),
        (.array([.dictionary([])]), "array", nil, .other, 1),
        (.dictionary([LegacyPair(key: "a", value: .bool(true))]), "dictionary", nil, .list, 1),
        (.dictionary([LegacyPair(key: "a", value: .string("b"))]), "dictionary", nil, .other, 1),
        (data("bplist00 but damaged"), "data", nil, .other, 20), (data("["), "data", nil, .other, 1),
    ]

    @Test("a key's type, encoding and role in a manifest are recognized", arguments: cases.indices)
    func kinds(_ index: Int) {
        let (value, type, encoding, role, size) = Self.cases[index]
        let found = inspect("thing", value)
        #expect(
            found.type == type && found.encoding == encoding && found.role == role && found.size == size, "\(value)")
        #expect(found.value == nil)
    }

    @Test("a number with a date's name shows its date encoding")
    func dates() {
        #expect(inspect("lastSeenAt", .real(786_000_000)).encoding == "coreData")
        #expect(inspect("lastSeenAt", .integer(1_770_000_000)).encoding == "unixSeconds")
        #expect(inspect("lastSeenAt", .integer(1_770_000_000_000)).encoding == "unixMilliseconds")
        #expect(inspect("launchCount", .integer(1_770_000_000)).encoding == nil)
    }

    @Test(
        "keys of the system are distinguished from the app's",
        arguments: ["AppleLanguages", "NSInterfaceStyle", "com.apple.x"])
    func system(key: String) {
        #expect(inspect(key, .string("x")).role == .system)
        #expect(inspect("NSFWFilter", .bool(true)).role == .setting)
        #expect(inspect("AppleHealthOn", .bool(true)).role == .setting)
    }

    @Test("values are shown on request, truncated if long, and secrets never")
    func values() {
        #expect(inspect("theme", .string("dark"), showsValues: true).value == "dark")
        #expect(inspect("theme", .string(String(repeating: "x", count: 500)), showsValues: true).value?.count == 81)
        let secret = inspect("refreshToken", .string("hush"), showsValues: true)
        #expect(secret.isSecret && secret.value == nil && secret.role == .secret)
    }
}
