import GodwitModel
import GodwitRender
import Testing

/// How stale exports are, in each form.
struct FreshnessReportTests {
    static let report = FreshnessReport(
        godwitVersion: "0.1.0", asOf: Sample.now,
        exports: [fresh, doubtful, stale, missing, unjudged])

    private static let criteria = Freshness.Criteria(warnAfter: "12h", errorAfter: "48h")

    private static func entry(
        _ path: String, _ status: Freshness.Status, hours: Int64, _ findings: [FreshnessFinding] = [],
        recorded: [Freshness.Reason] = []
    ) -> ExportFreshness {
        var entry = ExportFreshness(path: path, status: status, criteria: criteria)
        entry.file = path
        entry.app = "TrainLog"
        entry.exportId = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
        entry.exportedAt = Sample.now.advanced(bySeconds: -hours * 3600)
        entry.exportAgeSeconds = hours * 3600
        entry.newestRecordAt = Sample.now.advanced(bySeconds: -hours * 3600 - 600)
        entry.dataAgeSeconds = hours * 3600 + 600
        entry.lastSuccessAt = entry.exportedAt
        (entry.findings, entry.recorded) = (findings, recorded)
        return entry
    }

    private static let fresh = entry("exports/fresh.json", .pass, hours: 1)

    private static let doubtful: ExportFreshness = {
        var entry = Self.entry(
            "exports/some.json", .warn, hours: 13,
            [FreshnessFinding(.olderThanWarnAfter, "The newest record is 13h 10m old; warnAfter is 12h.")],
            recorded: [Freshness.Reason(.pendingChanges, "4 local changes had not reached the cloud store.")])
        entry.selection = ["Workout", "ExerciseSet"]
        return entry
    }()

    private static let stale: ExportFreshness = {
        var entry = Self.entry(
            "exports/cut.json", .error, hours: 50,
            [
                FreshnessFinding(.notWhole, "cut.json is not whole: it was cut, edited, or never finished."),
                FreshnessFinding(.olderThanErrorAfter, "The newest record is 2d 2h old; errorAfter is 48h."),
            ])
        entry.lastSuccessAt = Sample.now.advanced(bySeconds: -60 * 3600)
        entry.lastAttemptAt = Sample.now.advanced(bySeconds: -40 * 3600)
        return entry
    }()

    private static let missing: ExportFreshness = {
        var entry = ExportFreshness(path: "backup", status: .error, criteria: criteria)
        entry.findings = [FreshnessFinding(.missing, "There is nothing here.")]
        return entry
    }()

    private static let unjudged: ExportFreshness = {
        var entry = Self.entry("exports/old.json", .notJudged, hours: 900)
        entry.criteria = Freshness.Criteria(warnAfter: nil, errorAfter: nil)
        return entry
    }()

    @Test("each form is the same as its reviewed file")
    func golden() throws {
        for (format, form) in [(ReportFormat.text, "txt"), (.json, "json"), (.junit, "xml"), (.github, "github.txt")] {
            try GoldenReport.expect(
                format.bytes(of: Self.report, setting: Sample.setting), equals: "freshness.\(form)")
        }
    }

    @Test("it has no page")
    func formats() {
        #expect(FreshnessReport.formats == [.text, .json, .junit, .github])
    }

    @Test("something fails exactly where the command does", arguments: Freshness.Status.allCases, [false, true])
    func verdicts(_ status: Freshness.Status, _ demandsFresh: Bool) throws {
        let codes: [Freshness.Status: FreshnessFindingCode] = [
            .warn: .olderThanWarnAfter, .error: .notWhole, .noData: .noData,
        ]
        let entry = Self.entry("e.json", status, hours: 1, codes[status].map { [FreshnessFinding($0, "x")] } ?? [])
        let report = FreshnessReport(godwitVersion: "0.1.0", asOf: Sample.now, exports: [entry])
        var setting = Sample.setting
        setting.demands = demandsFresh ? .freshData : []
        let text = String(decoding: try ReportFormat.junit.bytes(of: report, setting: setting), as: UTF8.self)
        #expect(
            text.contains("<failure ") == (status == .error || (demandsFresh && [.warn, .noData].contains(status))))
        #expect(
            text.contains("<skipped ")
                == (status == .notJudged || (!demandsFresh && [.warn, .noData].contains(status))))
        #expect(report.counts[status.rawValue] == 1)
    }

    @Test("no text in a name can do anything to a terminal")
    func hostile() {
        var entry = Self.entry("\u{1B}[2J", .warn, hours: 1)
        entry.app = "\u{9B}31m"
        entry.recorded = [Freshness.Reason(.syncing, "\u{1B}]0;x\u{7}")]
        let text = FreshnessReport(godwitVersion: "0.1.0", asOf: Sample.now, exports: [entry]).text(TextStyle())
        #expect(!text.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\n") || (0x7F..<0xA0).contains($0.value) })
    }
}
