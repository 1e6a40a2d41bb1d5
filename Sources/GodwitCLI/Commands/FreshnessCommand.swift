import Godwit
import GodwitRender
import ArgumentParser

struct FreshnessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freshness",
        abstract: "Report if exports are stale, without a manifest; reads only.",
        discussion: """
            Reads each export to its end, computes the age of its newest record and of the export itself, and compares them \
            with the limits in the export, or with those given here. In a folder it uses the newest complete export, for \
            each app and each selection of entities. Doubts from the time of the export, such as changes that waited for \
            the cloud, still count.

            \(HelpTexts.codesWithoutManifest("0   no export is stale\n4   an export is stale: older than errorAfter, missing, or damaged;\n    with --warn-error also if it may be stale", data: nil))
            """)

    @Argument(help: ArgumentHelp("Exports, or folders of exports.", valueName: "path"), completion: .file())
    var paths: [String]

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Age from which data may be stale (default: the limit in the export).", valueName: "12h"))
    var warnAfter: Span?

    @Option(
        name: .long,
        help: ArgumentHelp("Age from which data is stale (default: the limit in the export).", valueName: "48h"))
    var errorAfter: Span?

    @Flag(name: .long, help: "Exit 4 also for exports that may be stale, or that have no records.")
    var warnError = false

    @OptionGroup var printing: PrintingOptions<ResultFile>

    func validate() throws {
        try printing.requireFormat(of: FreshnessReport.self, named: "freshness")
        guard !paths.isEmpty, !paths.contains("") else {
            throw ValidationError("missing exports or folders of exports")
        }
        if let warnAfter, let errorAfter, warnAfter.milliseconds > errorAfter.milliseconds {
            throw ValidationError("--warn-after is longer than --error-after")
        }
    }

    func run() throws {
        let report = try printing.perform { progress in
            DebugLog.start(isVerbose: printing.verbose)
            var options = FreshnessOptions()
            options.now = printing.now
            (options.warnAfter, options.errorAfter) = (warnAfter, errorAfter)
            let report = try FreshnessCheck(paths: paths, options: options).check(
                cancellation: ProcessSetup.cancellation, progress: progress)
            try printing.show(
                report,
                ReportSetting(
                    style: printing.style, demands: warnError ? .freshData : [], asOf: report.asOf))
            return report
        }
        let worst: [Freshness.Status] = warnError ? [.error, .warn, .noData] : [.error]
        if report.exports.contains(where: { worst.contains($0.status) }) { throw CommandExit.Verdict(code: .stale) }
    }
}
