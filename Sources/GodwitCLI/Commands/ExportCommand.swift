import Godwit
import GodwitRender
import ArgumentParser

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the records of the active store as versioned JSON, with their age.",
        discussion: """
            -o is the file of the export; it may exist only with --replace. --format is the format of the report.

            Godwit reads the export back and checks it before the file gets its name, so the file is complete or does not \
            exist. With `-o -` the export goes to standard output, and the report to standard error. With --all it exports \
            every container of a fleet into its own folder in the folder of --into, and -o names the report.

            \(HelpTexts.codes("0   exported, or unchanged under --if-changed\n1   with --all: a container could not be exported", data: badData))
            """)

    @OptionGroup var common: CommonOptions

    private static let badData = """
        damaged store; too few records (--min-records), too many
            records gone (--max-shrink), no export to compare with (--since)
        """

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write into this folder: a file named by app and time, the link `latest`, and a line in exports.jsonl.",
            valueName: "dir"), completion: .directory)
    var into: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The store to export: local or cloud (default: the active store).", valueName: "role"))
    var store: StoreRole?

    @Flag(name: .long, help: "Replace an older export of the same app and name; keep its permissions.")
    var replace = false

    @Flag(name: [.customShort("n"), .long], help: "Make and check the export, then discard it.")
    var dryRun = false

    @OptionGroup var choices: ExportChoices

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Export only the changes since this complete export, with the keys of deleted records.",
            valueName: "export"
        ), completion: .file())
    var since: String?

    @Flag(name: .long, help: "Write nothing if an earlier export in the folder has the same content.")
    var ifChanged = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --into: run until stopped; export at this interval and on changes; reload on SIGHUP.",
            valueName: "5m"))
    var every: Span?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --every: time without writes before a change is exported (default: 5s).",
            valueName: "5s"))
    var debounce: Span?

    @OptionGroup var fleet: FleetOptions

    func validate() throws {
        if common.now == nil { try SourceDateEpoch.validate() }
        try validateService()
        if fleet.all != nil { return try validateFleet() }
        try common.requireFormat(of: ExportReport.self, named: "export")
        if into != nil, common.output != nil || replace {
            throw ValidationError("--into chooses the name of the file, so -o and --replace can't be given")
        }
        if into == "" { throw ValidationError("--into has an empty name") }
        if common.outputPath == nil, into == nil, ifChanged || choices.maxShrink != nil {
            throw ValidationError(
                "--if-changed and --max-shrink compare with the exports in the folder of -o; name a file "
                    + "with it")
        }
        if since == "-" || since == "" { throw ValidationError("--since requires the name of a file") }
    }

    func run() throws {
        if let source = fleet.all { return try call.perform(in: source) }
        if let every { return try serve(every) }
        let path = common.outputPath
        let isOutputTaken = path == nil && into == nil && !dryRun
        try common.perform(writesOutputItself: true, isOutputTaken: isOutputTaken) { progress in
            let migration = try common.makeMigration(adjusting: setClock)
            let report = try export(migration, to: path, progress)
            let setting = common.setting(migration)
            common.summarize(report, setting)
            guard !common.quiet else { return }
            let bytes = try common.reportFormat.bytes(of: report, setting: setting)
            if isOutputTaken {
                ProcessSetup.writeError(bytes)
            } else {
                try ReportOutput.write(bytes, to: nil)
            }
        }
    }

    private func export(
        _ migration: Migration, to path: String?, _ progress: @escaping @Sendable (RunProgress) -> Void
    ) throws -> ExportReport {
        guard let into else {
            return try migration.export(
                to: path, options: options, cancellation: ProcessSetup.cancellation, progress: progress)
        }
        return try migration.export(
            into: into, options: options, cancellation: ProcessSetup.cancellation, progress: progress)
    }

    /// Sets the clock to `SOURCE_DATE_EPOCH`, unless `--now` is given.
    func setClock(_ options: inout MigrationOptions) {
        guard options.now == nil, let time = SourceDateEpoch.time else { return }
        (options.now, options.clockSource) = (time, .sourceDateEpoch)
    }

    var options: ExportOptions {
        var options = choices.options
        (options.replacesExisting, options.isDryRun) = (replace, dryRun)
        (options.sincePath, options.skipsUnchanged) = (since, ifChanged)
        options.store = store
        return options
    }
}
