import GodwitModel
import Testing

struct NearestNameTests {
    @Test(
        "a name with few typing errors is found",
        arguments: [
            ("updatedat", "updatedAt"), ("updtaedAt", "updatedAt"), ("updateAt", "updatedAt"), ("updated", "updatedAt"),
            ("ky", "key"), ("kye", "key"), ("KEY", "key"), ("keyy", "key"), ("confilct", "conflict"), ("ID", "id"),
        ])
    func near(name: String, expected: String) {
        #expect(NearestName.nearest(to: name, among: ["conflict", "id", "key", "updatedAt"]) == expected)
        #expect(NearestName.hint(for: name, among: [expected]) == "Did you mean `\(expected)`?")
    }

    @Test(
        "a name that differs too much is not suggested",
        arguments: ["", "x", "when", "modified", "modifiedAt", "kkeeyy"])
    func far(name: String) {
        #expect(NearestName.nearest(to: name, among: ["conflict", "key", "updatedAt", ""]) == nil)
        #expect(NearestName.hint(for: name, among: []) == nil)
    }

    @Test("the nearest name is suggested, and the first of several")
    func best() {
        #expect(NearestName.nearest(to: "columnA", among: ["columnXYA", "columnB", "columnC"]) == "columnB")
        #expect(NearestName.nearest(to: "columnC", among: ["columnB", "columnC"]) == "columnC")
    }

    @Test("very long names are not compared")
    func long() {
        let long = String(repeating: "a", count: 65)
        #expect(NearestName.nearest(to: long, among: [long]) == nil)
        #expect(NearestName.nearest(to: "a", among: [String(repeating: "a", count: 100_000)]) == nil)
    }

    @Test("names are equal if only their ASCII case differs, as in SQLite")
    func sameNames() {
        #expect("Workout".isSameName(as: "wORKOUT"))
        #expect(!"É".isSameName(as: "é"))
        #expect(!"é".isSameName(as: "e\u{301}"))
        #expect(!"K".isSameName(as: "\u{212A}"))
        #expect(!"a".isSameName(as: "ab") && !"".isSameName(as: "a") && "".isSameName(as: ""))
        #expect("A@Z[`z{".foldedName == Array("a@z[`z{".utf8))
    }

    @Test(
        "a name in a message stays on one line, with hidden characters escaped",
        arguments: [
            ("id", "`id`"), ("重さ", "`重さ`"), ("a\nb", "`a\\u{a}b`"), ("\u{1B}[2J", "`\\u{1b}[2J`"),
            ("\u{202E}di", "`\\u{202e}di`"), ("a\u{2028}b", "`a\\u{2028}b`"), ("", "``"),
        ])
    func shown(name: String, expected: String) { #expect(named(name) == expected) }

    @Test("a name in a message is truncated after 60 characters")
    func cut() {
        #expect(named(String(repeating: "x", count: 60)).count == 62)
        #expect(named(String(repeating: "x", count: 61)) == "`" + String(repeating: "x", count: 60) + "…`")
    }
}
