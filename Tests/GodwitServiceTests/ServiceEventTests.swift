import GodwitModel
import GodwitService
import Testing

struct ServiceEventTests {
    private let at: Instant

    init() throws { at = try #require(Instant(iso8601: "2026-11-22T06:00:00Z")) }

    private func run(_ change: (inout ServiceRun) -> Void) -> ServiceEvent {
        var run = ServiceRun(at: at, cause: .change, outcome: .exported, milliseconds: 87)
        change(&run)
        return .ran(run)
    }

    @Test("a successful export is one log line of words and name=value pairs")
    func exported() {
        let event = run {
            ($0.file, $0.records, $0.bytes, $0.freshness) = ("/exports/TrainLog.json", 640, 168_463, .pass)
        }
        #expect(
            event.line
                == "2026-11-22T06:00:00.000Z exported file=/exports/TrainLog.json records=640 bytes=168463 "
                + "freshness=pass cause=change ms=87")
        #expect(event.isFine)
    }

    @Test("a failed export logs its reason, code and next attempt")
    func failed() {
        let event = run {
            $0.outcome = .failed
            $0.take(GodwitError(.export, .busy, "Run \"a\" is at work.", hint: "Wait."), retryIn: 5_000)
        }
        #expect(
            event.line
                == "2026-11-22T06:00:00.000Z failed code=75 message=\"Run \\\"a\\\" is at work.\" hint=Wait. "
                + "cause=change ms=87 retryMs=5000")
        #expect(!event.isFine)
    }

    @Test(
        "a file name cannot begin a new log line",
        arguments: ["a\nb", "a\rb", "a\u{1B}[2Jb", "a\u{85}b", "a\u{2028}b", "a\u{0}b"])
    func oneLine(name: String) {
        for line in [run { $0.file = name }.line, ServiceEvent.note(ServiceNote(at: at, message: name)).line] {
            #expect(
                line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !$0.properties.isPatternWhitespace || $0 == " " })
            #expect(line.contains("a\\u{"))
        }
    }

    @Test("log values with spaces, quotes or equals signs are in quotes")
    func quotes() {
        #expect(run { $0.file = "/my exports/a=b.json" }.line.contains(#"file="/my exports/a=b.json" "#))
        #expect(run { $0.file = "" }.line.contains(#"file="" "#))
    }

    @Test(
        "a space, a quote and an equals sign are found next to any combining mark",
        arguments: [
            ("a\"\u{301}b", "\"a\\\"\u{301}b\""), ("a \u{301}b", "\"a \u{301}b\""),
            ("a=\u{301}b", "\"a=\u{301}b\""), ("\u{600}\"", "\"\u{600}\\\"\""), ("a\u{301}b", "a\u{301}b"),
        ])
    func marks(name: String, shown: String) {
        let line = "2026-11-22T06:00:00.000Z exported file=\(shown) cause=change ms=87"
        #expect(Array(run { $0.file = name }.line.utf8) == Array(line.utf8))
    }

    @Test("an event as JSON is one line without unknown values")
    func json() {
        let text = String(decoding: run { $0.file = "a\nb/c" }.json, as: UTF8.self)
        #expect(
            text
                == #"{"at":"2026-11-22T06:00:00.000Z","cause":"change","durationMilliseconds":87,"file":"a\nb/c","#
                + #""messageType":"exportRun","outcome":"exported"}"#)
    }

    @Test("notes have only words, and warnings say so")
    func notes() {
        #expect(ServiceEvent.note(ServiceNote(at: at, message: "stopped")).line == "2026-11-22T06:00:00.000Z stopped")
        let warning = ServiceEvent.note(ServiceNote(at: at, isWarning: true, message: "no"))
        #expect(warning.line == "2026-11-22T06:00:00.000Z warning: no")
        #expect(!warning.isFine)
        #expect(
            String(decoding: warning.json, as: UTF8.self)
                == #"{"at":"2026-11-22T06:00:00.000Z","isWarning":true,"message":"no","messageType":"serviceNote"}"#)
    }
}
