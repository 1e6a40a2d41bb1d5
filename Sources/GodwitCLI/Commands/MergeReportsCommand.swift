import GodwitRender
import ArgumentParser
import Godwit
import GodwitFleet

struct MergeReportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge-reports",
        abstract: "Join the reports of a fleet's shards into one; needs no manifest, reads only.",
        discussion: """
            Takes the journal of each shard of `run --all`, `verify --all` or `export --all`, or its report in JSON, and \
            writes the report of the whole fleet. It is refused where a shard or a container is missing or counted twice, and \
            where the reports are not of one fleet, command, manifest and options: every reason is reported. Containers that \
            failed are rows of the report.

            \(HelpTexts.codesWithoutManifest("0   every container is as it should be\n1   a container failed, or could not be verified\n3   warnings, under --strict", data: "a shard or a container missing or twice, or not one fleet", isBusy: false))
            """)

    @Argument(
        help: ArgumentHelp(
            "Journals or JSON reports, one for each shard; a folder is every .jsonl in it.", valueName: "file"),
        completion: .file())
    var files: [String]

    @Flag(name: .long, help: "Exit 3 where values ended in conflict or unsupported.")
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
