import GodwitRender
import ArgumentParser
import Godwit
import GodwitFleet

struct MergeReportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge-reports",
        abstract: "Join the reports of several jobs or machines (shards) into one, without a manifest; reads only.",
        discussion: """
            Reads the journal or the JSON report of each shard of `run --all`, `verify --all` or `export --all`, and writes \
            the report of the whole fleet. It exits with 65 if a shard or a container is missing or exists twice, or if the \
            reports differ in fleet, command, manifest or options, and reports each reason. The report also has the \
            containers that failed.

            \(HelpTexts.codesWithoutManifest("0   every container succeeded\n1   a container failed, or could not be verified\n3   warnings, under --strict", data: "a shard or a container is missing or exists twice, or the fleets differ", isBusy: false))
            """)

    @Argument(
        help: ArgumentHelp(
            "Journals or JSON reports, one for each shard; a folder means each .jsonl file in it.", valueName: "file"),
        completion: .file())
    var files: [String]

    @Flag(name: .long, help: "Exit 3 if the outcome of a value is conflict or unsupported.")
    var strict = false

    @OptionGroup var printing: PrintingOptions<ResultFile>

    func validate() throws {
        guard !files.isEmpty, !files.contains("") else { throw ValidationError("missing journals of the shards") }
    }

    func run() throws {
        let report = try printing.perform { _ in
            DebugLog.start(isVerbose: printing.verbose)
            let shards = try ShardReport.all(at: files, cancellation: ProcessSetup.cancellation)
            let report = try MergedFleet(shards).report
            try printing.show(
                report,
                ReportSetting(style: printing.style, demands: strict ? .everyValue : [], asOf: report.startedAt))
            return report
        }
        if let code = report.verdictCode(isStrict: strict) { throw CommandExit.Verdict(code: code) }
    }
}
