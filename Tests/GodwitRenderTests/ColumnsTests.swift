import GodwitModel
import GodwitRender
import Testing

/// How wide text is on a terminal, and how it is made to fit.
struct ColumnsTests {
    @Test(
        "display width",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("ｶﾅ", 2), ("ＡＢ", 4), ("한글", 4),
            ("🏋️", 2), ("👩‍👩‍👧", 2), ("🇯🇵", 2), ("1️⃣", 2), ("✓•!✗→", 5), ("…", 1), ("\u{301}", 0), ("𠮷", 2),
            ("❤", 1), ("❤️", 2), ("שלום", 4), ("ベンチプレス 80kg", 17), ("。", 2), ("⌚", 2),
        ])
    func displayWidth(text: String, columns: Int) {
        #expect(text.displayWidth == columns)
    }

    @Test(
        "shortening keeps beginning and end, and never splits a character",
        arguments: [
            ("short", 10, "short"), ("exactly-10", 10, "exactly-10"), ("abcdefghijk", 10, "abcde…hijk"),
            ("日本語日本語日本語", 10, "日本…本語"), ("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 5, "👩‍👩‍👧…👩‍👩‍👧"), ("abc", 1, "…"),
        ])
    func shortened(text: String, columns: Int, short: String) {
        #expect(text.shortened(to: columns).displayWidth <= columns)
        #expect(text.shortened(to: columns) == short)
    }

    @Test(
        "wrapping",
        arguments: [
            ("", 10, [""]), ("one two", 10, ["one two"]), ("one two three", 8, ["one two", "three"]),
            ("a-word-that-is-too-long for it", 8, ["a-word-that-is-too-long", "for it"]),
            ("日本 日本 日本", 9, ["日本 日本", "日本"]), ("we hold 12 sets", 10, ["we hold", "12 sets"]),
            ("1 2 3", 3, ["1 2", "3"]), ("ends in 12", 20, ["ends in 12"]),
        ])
    func wrapped(text: String, columns: Int, lines: [String]) {
        #expect(text.wrapped(to: columns) == lines)
    }

    @Test("columns line up when keys are wide")
    func wideKeys() {
        var report = Sample.report()
        report.legacy = RunReport.Legacy(
            outcome: .done,
            ledger: [
                Sample.line("重量の単位", .coerced, into: "UserSettings.unit"),
                Sample.line("🏋️", .coerced, into: "UserSettings.icon"),
                Sample.line("plain", .coerced, into: "UserSettings.plain"),
            ])
        let lines = report.text(TextStyle()).split(separator: "\n").filter { $0.contains("→") }
        let starts = lines.map { line in String(line.prefix { $0 != "→" }).displayWidth }
        #expect(lines.count == 3)
        #expect(Set(starts).count == 1, "\(lines)")
    }
}
