import Godwit
import GodwitRender
import ArgumentParser

struct FreshnessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freshness",
        abstract: "How stale exports are, as of now; needs no manifest, reads only.",
        discussion: """
            Reads each export to its end, counts the ages of its newest record and of the export itself again, and judges \
            them by the export's own criteria or those given here. Of a folder the newest export that is whole counts, for \
            each app and each selection of entities. What was so when the export was made, such as changes that waited for \
            the cloud, stays a reason to doubt it.

            \(HelpTexts.codesWithoutManifest("0   nothing is stale\n4   something is stale: past errorAfter, missing, or not whole;\n    with --warn-error also what may be stale", data: nil))
            """)

    @Argument(help: ArgumentHelp("Exports, or folders of exports.", valueName: "path"), completion: .file())
    var paths: [String]

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The age from which data may be stale, instead of what the export says.", valueName: "12h"))
    var warnAfter: Span?

    @Option(
        name: .long,
        help: ArgumentHelp("The age from which data is stale, instead of what the export says.", valueName: "48h"))
    var errorAfter: Span?

    @Flag(name: .long, help: "Exit 4 also for what may be stale, and for exports without data.")
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
