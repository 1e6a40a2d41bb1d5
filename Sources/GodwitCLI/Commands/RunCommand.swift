import Godwit
import ArgumentParser
import GodwitFleet

struct RunCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "All stages in order: schema, legacy, dedupe, copy, verify.",
        discussion: """
            Brings the app's store to the latest schema, imports legacy settings and favorites, leaves one record per \
            key, copies the local store to the cloud store once and proves it. Run it again at any time: what is done is \
            not done twice, and what was interrupted is finished. With --plan it does what a saved plan says, and \
            refuses (65) if anything that decided the plan has changed since. With --all every container of a fleet is \
            run, each by itself; see docs/fleets.md.

            \(HelpTexts.codes("0   done, or nothing to do\n1   verify found a difference, or the report is not that of the plan;\n    with --all also where a container failed\n3   warnings, under --strict"))
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var writing: WritingOptions

    @Flag(name: .long, help: "Copy records whose parent is missing as they are.")
    var allowOrphans = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Do what this saved plan says, or refuse if an input has changed since it was made.", valueName: "file"))
    var plan: String?

    @OptionGroup var fleet: FleetOptions

    func validate() throws {
        if fleet.all != nil, plan != nil {
            throw ValidationError("--plan is of one container, so it can't be given with --all")
        }
    }

    func run() throws {
        if let source = fleet.all { return try call.perform(in: source) }
        try report(.run, writing.choices, following: plan) { $0.allowsOrphans = allowOrphans }
    }

    private var call: FleetCall {
        let choices = writing.choices
        return FleetCall(
            common: common, fleet: fleet, kind: .run(dryRun: choices.dryRun), isStrict: choices.strict,
            settings: [
                "strict \(choices.strict)", "log \(choices.requireWal)", "empty \(choices.allowEmpty)",
                "orphans \(allowOrphans)",
                "baseline \(choices.baseline.map(String.init) ?? "")",
            ]
        ) { options in
            options.allowsEmpty = choices.allowEmpty
            options.baseline = choices.baseline
            options.isStrict = choices.strict
            options.requiresLog = choices.requireWal
            options.allowsOrphans = allowOrphans
            options.backupPath = choices.backup
        }
    }
}

struct PlanCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show what `run` would do, on a private copy.",
        discussion: """
            The very same code runs on a copy that is removed afterwards; the container is not changed. The same as \
            `godwit run --dry-run`. With -o the plan is also saved as JSON, with a hash of everything that decided it: \
            `godwit run --plan FILE` then does just that, or refuses if anything has changed.

            \(HelpTexts.codes("0   planned\n1   verify would find a difference\n2   changes are pending, under --exit-code\n3   warnings, under --strict"))
            """)

    @OptionGroup var common: CommonOptions

    @Flag(
        name: .long, help: "Exit 3 on any warning, and when some values would end in conflict or unsupported.")
    var strict = false

    @Flag(name: .long, help: "Exit 65 where a store in WAL mode has no -wal; it may have been closed cleanly.")
    var requireWal = false

    @Flag(name: .long, help: "Count a stage without any input as completed.")
    var allowEmpty = false

    @Flag(name: .long, help: "Copy records whose parent is missing as they are.")
    var allowOrphans = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Adopt a store without history at this version where its tables do not tell which it is.",
            valueName: "version"))
    var baseline: Int?

    @Flag(name: .long, help: "Exit 2 when changes are pending.")
    var exitCode = false

    func run() throws {
        let choices = RunChoices(
            dryRun: true, strict: strict, requireWal: requireWal, allowEmpty: allowEmpty, baseline: baseline)
        // A saved plan is for programs; the user wants to read it first.
        let isSaved = common.outputPath != nil && common.format == nil && !common.json
        try report(.run, choices, savingPlan: isSaved, exitCodeForChanges: exitCode) {
            $0.allowsOrphans = allowOrphans
        }
    }
}
