import GodwitModel
import GodwitRender
import Testing

/// What a retention policy did, in each form.
struct ForgetReportTests {
    static let report = ForgetReport(
        godwitVersion: "0.1.0", folder: "exports", dryRun: false, policy: ["--keep-daily 2", "--keep-within 3d"],
        kept: [
            entry("new.json", days: 0, ["daily export", "within 3d", "latest"]),
            entry("base.json", days: 9, ["base of an increment"]),
            entry("more.json", days: 8, ["daily export"], isIncrement: true),
            entry("some.json", days: 7, ["daily export"], selection: ["Workout", "ExerciseSet"]),
        ],
        removed: [entry("old.json", days: 5)], leftAlone: ["cut.json"])

    private static func entry(
        _ file: String, days: Int64, _ reasons: [String] = [], isIncrement: Bool = false, selection: [String]? = nil
    ) -> RetainedExport {
        RetainedExport(
            file: file, app: "TrainLog", selection: selection, isIncrement: isIncrement,
            exportedAt: Sample.now.advanced(bySeconds: -days * 86_400), bytes: 1204, reasons: reasons)
    }

    @Test("each form is the same as its reviewed file")
    func golden() throws {
        try GoldenReport.expect(
            ReportFormat.text.bytes(of: Self.report, setting: Sample.setting), equals: "forget.txt")
        try GoldenReport.expect(
            ReportFormat.json.bytes(of: Self.report, setting: Sample.setting), equals: "forget.json")
        #expect(ForgetReport.formats == [.text, .json])
    }

    @Test("a dry run and an empty policy say what they are")
    func words() {
        var plan = Self.report
        plan.dryRun = true
        #expect(plan.text(TextStyle()).contains("old.json would be removed\n"))
        #expect(plan.text(TextStyle()).hasSuffix("→ 1 export would be removed (1,204 bytes), 4 kept.\n"))
        plan.removed = []
        #expect(plan.text(TextStyle()).hasSuffix("→ Nothing would be removed, 4 kept.\n"))
        plan.policy = []
        #expect(plan.text(TextStyle()).contains("\nno policy, so everything stays\n"))
    }

    @Test("of many exports the newest 20 are listed and the others counted; all of them when verbose")
    func manyExports() {
        var report = Self.report
        report.kept = (0..<30).map { Self.entry("kept\($0).json", days: $0, ["daily export"]) }
        report.removed = (30..<1_060).map { Self.entry("old\($0).json", days: $0) }
        let text = report.text(TextStyle())
        #expect(
            text.contains("kept19.json kept: daily export\n  • 1,040 older exports: 10 kept, 1,030 removed (--verbose"))
        #expect(!text.contains("kept20.json"))
        let verbose = report.text(TextStyle(verbose: true))
        #expect(verbose.contains("old1059.json") && !verbose.contains("older exports"))
    }

    @Test("no text in a name can do anything to a terminal")
    func hostile() {
        var report = Self.report
        report.folder = "\u{1B}[2J"
        report.leftAlone = ["\u{9B}31m"]
        report.kept[0].file = "\u{1B}]0;x\u{7}"
        report.kept[0].app = "\u{202E}x"
        let text = report.text(TextStyle())
        #expect(!text.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\n") || (0x7F..<0xA0).contains($0.value) })
    }
}
