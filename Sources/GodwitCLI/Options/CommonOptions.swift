import Godwit
import GodwitRender
import ArgumentParser

/// The options of every command whose `-o` names a result.
typealias CommonOptions = SharedOptions<ResultFile>

/// The options of every command that uses a manifest.
struct SharedOptions<Output: OutputMeaning>: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The manifest. Also: GODWIT_MANIFEST.", discussion: "Default: ./godwit.yaml", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var manifest: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The app's container. Also: GODWIT_CONTAINER.", discussion: "Default: container/ next to the manifest",
            valueName: "dir"), completion: .directory)
    var container: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A group container: another folder with files of the manifest; may be repeated.", valueName: "dir"),
        completion: .directory)
    var groupContainer: [String] = []

    @OptionGroup var printing: PrintingOptions<Output>

    @Option(
        name: .long,
        help: ArgumentHelp(
            "State of the cloud account: available, noAccount, restricted or unknown; or @FILE with that word.",
            valueName: "state"))
    var account = StateSource(Freshness.Account.unknown)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "State of the network: online, offline or unknown; or @FILE with that word.", valueName: "state"))
    var network = StateSource(Freshness.Network.unknown)

    func validate() throws {
        for (name, value) in [("--manifest", manifest), ("--container", container)] where value == "" {
            throw ValidationError("\(name) has an empty name")
        }
    }
}

extension SharedOptions {
    var manifestPath: String { manifest ?? ProcessSetup.environment("GODWIT_MANIFEST") ?? "godwit.yaml" }

    var containerPath: String {
        if let path = container ?? ProcessSetup.environment("GODWIT_CONTAINER") { return path }
        guard let slash = manifestPath.lastIndex(of: "/") else { return "container" }
        return manifestPath[...slash] + "container"
    }

    /// The pipeline with these options.
    ///
    /// - Parameter writesReport: Whether the output is a report, which must not have the path of a file of the app; a
    ///   restored store may.
    func makeMigration(
        writesReport: Bool = true, adjusting adjust: (inout MigrationOptions) -> Void = { _ in }
    ) throws -> Migration {
        DebugLog.start(isVerbose: verbose)
        var options = MigrationOptions()
        options.groupContainers = groupContainer
        options.account = try account.known()
        options.network = try network.known()
        options.showsValues = verbose
        options.lockTimeoutMilliseconds = Int(clamping: lockTimeout.milliseconds)
        options.now = now
        adjust(&options)
        let migration = try Migration(
            manifest: .load(path: manifestPath), container: .path(containerPath), options: options)
        if writesReport, let outputPath { try migration.requireUnreserved(output: outputPath) }
        if let summaryPath { try migration.requireUnreserved(output: summaryPath) }
        return migration
    }
}

extension SharedOptions {
    var format: ReportFormat? { printing.format }
    var json: Bool { printing.json }
    var reportFormat: ReportFormat { printing.reportFormat }
    var style: TextStyle { printing.style }
    var now: Instant? { printing.now }
    var quiet: Bool { printing.quiet }
    var errorStyle: TextStyle { printing.errorStyle }
    var verbose: Bool { printing.verbose }
    var output: String? { printing.output }
    var outputPath: String? { printing.outputPath }
    var lockTimeout: Span { printing.lockTimeout }

    /// Prints a report, or writes it to its output file; `--quiet` prevents printing.
    func show(
        _ report: some ReadableReport & Encodable, as format: ReportFormat? = nil, _ setting: ReportSetting
    ) throws {
        try printing.show(report, as: format, setting)
    }

    /// Prints a saved plan as text, unless `--quiet` is given; a failed write is ignored, because the file is the
    /// result.
    func printPlan(_ report: RunReport, _ migration: Migration, _ setting: ReportSetting) {
        guard !quiet, let outputPath else { return }
        var report = report
        report.nextSteps.append("Saved. To run exactly this plan: \(migration.commandLine(following: outputPath))")
        try? ReportOutput.write(ReportFormat.text.bytes(of: report, setting: setting), to: nil)
    }

    /// Throws (64) if a report of this type does not have the requested format.
    func requireFormat(of report: any ReadableReport.Type, named name: String) throws {
        try printing.requireFormat(of: report, named: name)
    }

    /// Runs the command's work with a progress line, and prints its errors in the requested format.
    func perform<R>(
        writesOutputItself: Bool = false, isOutputTaken: Bool = false,
        _ work: (@escaping @Sendable (RunProgress) -> Void) throws -> R
    ) throws -> R {
        try printing.perform(writesOutputItself: writesOutputItself, isOutputTaken: isOutputTaken, work)
    }
}
