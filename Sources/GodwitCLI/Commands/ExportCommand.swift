import ArgumentParser
import Godwit
import GodwitReport

/// `godwit export`.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Versioned JSON from the active store, with how stale it may be.",
        discussion: """
            The document appears whole or not at all, and is read back and checked before. With `-o -` it goes to \
            standard output and the report to standard error.

            \(HelpTexts.codes("0   exported, or unchanged under --if-changed", data: badData))
            """)

    @OptionGroup var common: CommonOptions

    private static let badData = """
        damaged store; too few records (--min-records), too many
            gone (--max-shrink), no export to tell differences from (--since)
        """

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write into this folder of exports: a file named by app and time, the link `latest`, a line in exports.jsonl.",
            valueName: "dir"), completion: .directory)
    var into: String?

    @Flag(name: .long, help: "Replace an older export of the same app and name; keeps its permissions.")
    var replace = false

    @Flag(name: [.customShort("n"), .long], help: "Make and check the document, then discard it.")
    var dryRun = false

    @Flag(name: .long, help: "JSON lines: a header line, a line for each record, an integrity line.")
    var lines = false

    @Flag(name: .long, help: "Pack the document with gzip.")
    var gzip = false

    @Option(
        name: .long,
        help: ArgumentHelp("How hard to pack, from 1 (quickest) to 9 (smallest); with --gzip.", valueName: "1-9"))
    var level: Int?

    @Option(
        name: .long,
        help: ArgumentHelp("Export this entity only; may be given several times.", valueName: "name"))
    var entity: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Export only what changed since this export of everything, with the keys that are gone.",
            valueName: "export"
        ), completion: .file())
    var since: String?

    @Flag(name: .long, help: "Write nothing if an earlier export in the folder has the same content.")
    var ifChanged = false

    @Option(
        name: .long, help: ArgumentHelp("Refuse a store of fewer records, also with --since (exit 65).", valueName: "n")
    )
    var minRecords: Int64?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Refuse an export that has more than this share fewer records, all together or of one entity, than the "
                + "newest in the folder (exit 65).", valueName: "50%"))
    var maxShrink: Percentage?

    func validate() throws {
        try common.requireFormat(of: ExportReport.self, named: "export")
        if let minRecords, minRecords < 0 { throw ValidationError("--min-records takes a number from 0 on.") }
        if into != nil, common.output != nil || replace {
            throw ValidationError("--into names the file itself; it goes with neither -o nor --replace.")
        }
        if into == "" { throw ValidationError("--into is given an empty name.") }
        if common.outputPath == nil, into == nil, ifChanged || maxShrink != nil {
            throw ValidationError(
                "--if-changed and --max-shrink compare with the exports in the folder of -o; name a file with it.")
        }
        if let level, !(1...9).contains(level) { throw ValidationError("--level takes 1 to 9.") }
        if since == "-" || since == "" { throw ValidationError("--since needs the name of a file.") }
        if level != nil, !gzip { throw ValidationError("--level goes with --gzip.") }
    }

    func run() throws {
        let path = common.outputPath
        try common.perform(writesOutputItself: true) { progress in
            let pipeline = try common.makePipeline()
            let report = try export(pipeline, to: path, progress)
            let setting = common.setting(pipeline)
            common.summarize(report, setting)
            guard !common.quiet else { return }
            let bytes = try common.reportFormat.bytes(of: report, setting: setting)
            if path == nil, into == nil, !dryRun {
                ProcessSetup.writeError(bytes)
            } else {
                try ReportOutput.write(bytes, to: nil)
            }
        }
    }

    private func export(
        _ pipeline: Pipeline, to path: String?, _ progress: @escaping @Sendable (Progress) -> Void
    ) throws -> ExportReport {
        guard let into else {
            return try pipeline.export(
                to: path, options: options, cancellation: ProcessSetup.cancellation, progress: progress)
        }
        return try pipeline.export(
            into: into, options: options, cancellation: ProcessSetup.cancellation, progress: progress)
    }

    private var options: ExportOptions {
        var options = ExportOptions(
            replacesExisting: replace, isDryRun: dryRun, lines: lines, gzip: gzip, level: level ?? 6)
        options.entities = entity
        options.since = since
        options.skipsUnchanged = ifChanged
        options.minRecords = minRecords
        options.maxShrinkPercent = maxShrink?.value
        return options
    }
}
