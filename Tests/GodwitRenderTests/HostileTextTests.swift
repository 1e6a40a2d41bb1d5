import GodwitModel
import GodwitRender
import Testing

/// Nothing that a file, a key or a name holds reaches a terminal as a control sequence, or hides from the reader.
struct HostileTextTests {
    static let hostile = "\u{1b}]0;gotcha\u{7}\u{1b}[2J\r\n\u{9b}31m\u{202e}txt\u{2066}\u{7f}\u{200b}\u{feff}\u{2028}"

    @Test(
        "what could steer a terminal or hide is written out",
        arguments: [
            ("plain text", "plain text"), ("日本語 🏋️ é", "日本語 🏋️ é"), ("\u{1b}[31m", "\\u{1b}[31m"),
            ("a\nb\tc", "a\\u{a}b\\u{9}c"), ("\r\n", "\\u{d}\\u{a}"), ("\u{9b}0m", "\\u{9b}0m"),
            ("\u{202e}exe", "\\u{202e}exe"), ("a\u{0}b", "a\\u{0}b"), ("\u{200b}", "\\u{200b}"),
            ("👩‍👩‍👧", "👩‍👩‍👧"), ("\u{e0041}", "\\u{e0041}"), ("", ""), ("C:\\x", "C:\\x"),
        ])
    func escaping(text: String, shown: String) {
        #expect(text.escapingControls == shown)
        #expect(shown.escapingControls == shown)
    }

    /// A run report with hostile text in every place that takes text.
    static var report: RunReport {
        var report = Sample.fullRun()
        report.run.app = hostile
        report.run.container = hostile
        report.run.command = hostile
        report.schema?.file = hostile
        report.schema?.applied = [RunReport.Schema.Version(version: 2, name: hostile, checksum: hostile)]
        report.legacy = RunReport.Legacy(
            outcome: .partial, sources: [RunReport.Legacy.Source(path: hostile, format: .json)],
            ledger: [
                RunReport.Legacy.Key(
                    key: hostile, bucket: .conflict, source: hostile, into: hostile, note: hostile, from: hostile,
                    to: hostile, items: [hostile: 1]),
                RunReport.Legacy.Key(key: hostile, bucket: .unmapped, source: "elsewhere"),
            ], inserted: [hostile: 1])
        report.dedupe?.groups[0].key = hostile
        report.dedupe?.groups[0].entity = hostile
        report.dedupe?.groups[0].winner.key = hostile
        report.dedupe?.groups[0].losers[0].key = hostile
        report.copy?.entities[0].name = hostile
        report.copy?.orphans = [hostile: 1]
        report.copy?.flag = RunReport.Flag(file: hostile, key: hostile, isSet: true)
        report.verify = RunReport.Verify(checks: [RunReport.Verify.Check(hostile, .failed, hostile)])
        report.warnings = [Warning(hostile, hostile, hint: hostile)]
        report.nextSteps = [hostile]
        return report
    }

    private func isHarmless(_ text: String) -> Bool {
        text.split(separator: "\n").allSatisfy { String($0).escapingControls == $0 }
    }

    @Test("a run report is harmless wherever hostile text is in it", arguments: [40, 80, 200], [false, true])
    func run(width: Int, verbose: Bool) {
        #expect(isHarmless(Self.report.text(TextStyle(width: width, verbose: verbose))))
    }

    @Test("in colour, the only escape sequences are those of the style")
    func colored() {
        let text = Self.report.text(TextStyle(color: true, verbose: true))
        let parts = text.split(separator: "\u{1b}", omittingEmptySubsequences: false).dropFirst()
        let known = ["[0m", "[1m", "[2m", "[31m", "[32m", "[33m", "[36m"]
        #expect(!parts.isEmpty)
        #expect(parts.allSatisfy { part in known.contains { part.hasPrefix($0) } })
    }

    @Test("status, history, export and error are harmless as well", arguments: [false, true])
    func others(verbose: Bool) {
        let style = TextStyle(verbose: verbose)
        var status = Sample.status
        (status.app, status.container, status.local.file) = (Self.hostile, Self.hostile, Self.hostile)
        status.local.counts = [Self.hostile: 1]
        status.pendingChanges = [Self.hostile: 1]
        status.flag = RunReport.Flag(file: Self.hostile, key: Self.hostile, isSet: true)
        status.sync.lastError = Self.hostile
        status.phases = [StatusReport.Phase(phase: Self.hostile, state: Self.hostile, error: Self.hostile)]
        status.userStatus.message = Self.hostile
        status.userStatus.nextStep = Self.hostile
        var run = Sample.entry(Self.hostile, .failed, secondsAgo: 5, error: Self.hostile)
        (run.id, run.summary, run.godwitVersion) = (Self.hostile, Self.hostile, Self.hostile)
        status.lastRuns = [run]
        var export = Sample.export(file: Self.hostile)
        (export.source, export.sha256, export.contentVersion) = (Self.hostile, Self.hostile, Self.hostile)
        export.freshness = Sample.freshness(.warn, reasons: [Freshness.Reason(.syncing, Self.hostile)])
        export.freshness.criteria = Freshness.Criteria(warnAfter: Self.hostile, errorAfter: nil)
        let history = HistoryReport(app: Self.hostile, container: Self.hostile, runs: [run])
        let error = GodwitError(.copy, .io, Self.hostile, hint: Self.hostile, underlying: Self.hostile)
        #expect(isHarmless(status.text(style)))
        #expect(isHarmless(history.text(style)))
        #expect(isHarmless(export.text(style)))
        #expect(isHarmless(error.text(style)))
        #expect(error.text(style).count { $0 == "\n" } == 2)
    }

    @Test("a hostile key is shown in full when verbose and shortened otherwise")
    func longKey() {
        let key = String(repeating: "k", count: 5_000) + "end"
        var report = Sample.report()
        report.legacy = RunReport.Legacy(outcome: .done, ledger: [Sample.line(key, .unmapped)])
        #expect(report.text(TextStyle()).utf8.count < 500)
        #expect(report.text(TextStyle()).contains("kkk…kkk"))
        #expect(report.text(TextStyle(verbose: true)).contains(key))
    }

    @Test("sums of numbers beyond all numbers do not trap")
    func overflow() {
        var legacy = RunReport.Legacy(outcome: .done)
        legacy.buckets = ["migrated": .max, "unmapped": .max]
        var report = Sample.report()
        report.legacy = legacy
        report.dedupe = RunReport.Dedupe(outcome: .done, groupCount: .max, removed: ["A": .max, "B": .max])
        #expect(report.text(TextStyle(width: 200)).contains("9,223,372,036,854,775,807 keys"))
        var status = Sample.status
        status.asOf = Instant(seconds: .min)
        status.local.modifiedAt = Instant(seconds: .max)
        status.cloud.modifiedAt = Instant(seconds: -1)
        #expect(status.text(TextStyle()).contains("changed 9999-12-31"))
    }
}
