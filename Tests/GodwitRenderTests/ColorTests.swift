import GodwitModel
import GodwitRender
import Testing

/// Colour is added by ANSI sequences and changes nothing else.
struct ColorTests {
    /// The text without `ESC [ … m`.
    private func withoutSequences(_ text: String) -> String {
        var plain = ""
        var isInSequence = false
        for scalar in text.unicodeScalars {
            if scalar == "\u{1b}" { isInSequence = true }
            if !isInSequence { plain.unicodeScalars.append(scalar) }
            if isInSequence, scalar == "m" { isInSequence = false }
        }
        return plain
    }

    @Test("without color the text has no escape sequence")
    func plain() {
        #expect(!Sample.fullRun().text(TextStyle()).contains("\u{1b}"))
        #expect(!Sample.status.text(TextStyle()).contains("\u{1b}"))
    }

    @Test("colour changes no character and no line break", arguments: [40, 80, 132], [false, true])
    func same(width: Int, verbose: Bool) {
        let plain = TextStyle(width: width, verbose: verbose)
        let colored = TextStyle(color: true, width: width, verbose: verbose)
        #expect(withoutSequences(Sample.fullRun().text(colored)) == Sample.fullRun().text(plain))
        #expect(withoutSequences(Sample.status.text(colored)) == Sample.status.text(plain))
        #expect(withoutSequences(Sample.export().text(colored)) == Sample.export().text(plain))
    }

    @Test("every line closes the colours it opens")
    func closed() {
        for line in Sample.fullRun().text(TextStyle(color: true)).split(separator: "\n") {
            let sequences = line.split(separator: "\u{1b}").dropFirst(line.hasPrefix("\u{1b}") ? 0 : 1)
            #expect(sequences.count { $0.hasPrefix("[0m") } * 2 == sequences.count, "\(line)")
        }
    }

    @Test(
        "signs have their colours",
        arguments: [
            (.done, "\u{1b}[32m✓\u{1b}[0m"), (.partial, "\u{1b}[33m!\u{1b}[0m"), (.failed, "\u{1b}[31m✗\u{1b}[0m"),
            (.nothingToDo, "\u{1b}[2m•\u{1b}[0m"),
        ] as [(Outcome, String)])
    func signs(outcome: Outcome, sign: String) {
        var report = Sample.report()
        report.dedupe = RunReport.Dedupe(outcome: outcome)
        let line = report.text(TextStyle(color: true)).split(separator: "\n").dropFirst().first
        #expect(line?.hasPrefix(sign + " \u{1b}[1mdedupe  \u{1b}[0m ") == true)
    }

    @Test("a width below 40 counts as 40")
    func narrowest() {
        #expect(TextStyle(width: 3).width == 40)
    }
}
