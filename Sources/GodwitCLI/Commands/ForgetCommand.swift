import Godwit
import GodwitRender
import ArgumentParser

struct ForgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Apply a retention policy to a folder of exports.",
        discussion: """
            The rules are those of `restic forget`, in UTC. For each of the newest N hours, days, weeks, months or years that \
            have an export, Godwit keeps the last export. If there are fewer, it also keeps the oldest export. It keeps an \
            export if any rule keeps it. It counts each app, each selection of entities, and increments separately. It also \
            keeps the exports that an increment needs, and the target of the link \
            `latest`. Without a rule it removes nothing. It counts and removes only files that are complete exports of \
            Godwit, and keeps all other files in the folder. Try it first with --dry-run.

            \(HelpTexts.codesWithoutManifest("0   done, or nothing to do", data: nil))
            """)

    @Argument(help: ArgumentHelp("The folder of exports.", valueName: "dir"), completion: .directory)
    var folder: String

    @Option(name: .long, help: ArgumentHelp("Keep the newest N exports, or all of them (`unlimited`).", valueName: "n"))
    var keepLast: KeptCount?
    @Option(name: .long, help: ArgumentHelp("Keep the last export of each of N hours.", valueName: "n"))
    var keepHourly: KeptCount?
    @Option(name: .long, help: ArgumentHelp("Keep the last export of each of N days.", valueName: "n"))
    var keepDaily: KeptCount?
    @Option(
        name: .long,
        help: ArgumentHelp("Keep the last export of each of N weeks, which start on Monday.", valueName: "n"))
    var keepWeekly: KeptCount?
    @Option(name: .long, help: ArgumentHelp("Keep the last export of each of N months.", valueName: "n"))
    var keepMonthly: KeptCount?
    @Option(name: .long, help: ArgumentHelp("Keep the last export of each of N years.", valueName: "n"))
    var keepYearly: KeptCount?
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Keep the exports of this time before the newest export: years, months, days and hours.",
            valueName: "1y6m14d12h"))
    var keepWithin: CalendarSpan?

    @Flag(name: [.customShort("n"), .long], help: "Report what would be removed; remove nothing.")
    var dryRun = false

    @OptionGroup var printing: PrintingOptions<ResultFile>

    private var policy: RetentionPolicy {
        let counts: [(RetentionRule, KeptCount?)] = [
            (.last, keepLast), (.hourly, keepHourly), (.daily, keepDaily), (.weekly, keepWeekly),
            (.monthly, keepMonthly), (.yearly, keepYearly),
        ]
        return RetentionPolicy(
            counts: Dictionary(
                uniqueKeysWithValues: counts.compactMap { rule, count in count.map { (rule, $0.value) } }),
            within: keepWithin)
    }

    func validate() throws {
        try printing.requireFormat(of: ForgetReport.self, named: "forget")
        guard !folder.isEmpty else { throw ValidationError("missing folder of exports") }
    }

    func run() throws {
        try printing.perform { progress in
            DebugLog.start(isVerbose: printing.verbose)
            var options = RetentionOptions(policy: policy)
            (options.isDryRun, options.now) = (dryRun, printing.now)
            options.lockTimeoutMilliseconds = Int(clamping: printing.lockTimeout.milliseconds)
            let report = try ExportRetention(folder: folder, options: options).apply(
                cancellation: ProcessSetup.cancellation, progress: progress)
            do {
                try printing.show(report, ReportSetting(style: printing.style, asOf: printing.now ?? ReportOutput.now))
            } catch let error as GodwitError where !report.removed.isEmpty && !dryRun {
                var failure = error
                failure.hint = "Run the same command again for a report: the exports were removed."
                throw failure
            }
        }
    }
}

/// How many exports a rule keeps: a whole number, or all.
struct KeptCount: ExpressibleByArgument {
    let value: Int

    init?(argument: String) {
        if argument == "unlimited" || argument == "-1" {
            value = .max
        } else {
            guard !argument.isEmpty, argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(argument)
            else { return nil }
            value = number
        }
    }
}

extension CalendarSpan: ExpressibleByArgument {
    /// Reads the form of restic: `2y5m7d3h`.
    public init?(argument: String) { self.init(argument) }
}
