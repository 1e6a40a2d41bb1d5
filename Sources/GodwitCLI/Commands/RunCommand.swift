import Godwit
import ArgumentParser
import GodwitFleet

struct RunCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run all stages in order: schema, legacy, dedupe, copy, verify.",
        discussion: """
            Applies the schema files, copies legacy settings and favorites into the store, sets duplicates aside, copies \
            the local store to the cloud store once, and verifies the result. You can run it again at any time: it repeats \
            nothing, and finishes an interrupted run. With --plan it does exactly what a saved plan says; if an input of \
            the plan has changed, it exits with 65. With --all it runs every container of a fleet by itself; see \
            docs/fleets.md.

            \(HelpTexts.codes("0   done, or nothing to do\n1   verify found a difference, or the result differs from the plan;\n    with --all also if a container failed\n3   warnings, under --strict"))
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var writing: WritingOptions

    @Flag(name: .long, help: "Copy orphans unchanged.")
    var allowOrphans = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Do exactly what this saved plan says; exit 65 if an input has changed since.", valueName: "file"))
    var plan: String?

    @OptionGroup var fleet: FleetOptions

    func validate() throws {
        if fleet.all != nil, plan != nil {
            throw ValidationError("`--plan` and `--all` can't both be given: a plan is of one container")
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
        abstract: "Show what `run` would do; run on a private copy only.",
        discussion: """
            Runs the same code as `godwit run` on a private copy, and removes the copy afterwards. The container does not \
            change. `godwit run --dry-run` does the same. With -o it also saves the plan as JSON, with a hash of each input. \
            `godwit run --plan FILE` then does exactly that, and exits with 65 if an input has changed.

            \(HelpTexts.codes("0   planned\n1   verify would find a difference\n2   changes are pending, under --exit-code\n3   warnings, under --strict"))
            """)

    @OptionGroup var common: CommonOptions

    @Flag(
        name: .long, help: "Exit 3 on any warning, and if the outcome of a value would be conflict or unsupported.")
    var strict = false

    @Flag(
        name: .long,
        help: "Exit 65 if a store in WAL mode has no -wal file. An app that closed it cleanly leaves none either.")
    var requireWal = false

    @Flag(
        name: .long,
        help: "Accept a missing local store, and preferences without a mapped key: the stage counts as completed.")
    var allowEmpty = false

    @Flag(name: .long, help: "Copy orphans unchanged.")
    var allowOrphans = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The schema version of an app's store, if Godwit cannot find it from the tables of the store.",
            valueName: "version"))
    var baseline: Int?

    @Flag(name: .long, help: "Exit 2 if changes are pending.")
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
