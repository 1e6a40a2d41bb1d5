import Godwit
import ArgumentParser
import GodwitFleet

struct VerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Prove that the promises hold for a container; reads only.",
        discussion: """
            What users deleted or edited in the cloud store after the copy is counted, and is no difference. On a container \
            that no run has changed yet, verify says what a run would do.

            With --expect Godwit makes a dry run on a private copy, checks the result, and compares it with a file that is \
            committed next to the app: records by entity and store, outcomes of legacy keys, chosen winners, selected \
            records. That works before the run and after it. --update-expect writes the file; read the difference \
            before it is committed. With --all every container of a fleet is verified.

            \(HelpTexts.codes("0   every check passed, and all is as expected\n1   a check found a difference, something is not as expected, or no run\n    has changed the container yet;\n    with --all also where a container can't be verified"))
            """)

    @OptionGroup var common: CommonOptions

    @Flag(name: .long, help: "Accept references to records that do not exist.")
    var allowOrphans = false

    @Flag(
        name: .long, help: "Also compare each index with its table; takes about 10 s for a million records.")
    var deep = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Compare with this expectation; with --all, with those in this folder, DIR/CONTAINER.json each.",
            valueName: "file"))
    var expect: String?

    @Flag(name: .long, help: "Write the expectation that --expect names, instead of comparing.")
    var updateExpect = false

    @OptionGroup var fleet: FleetOptions

    func validate() throws {
        if updateExpect, expect == nil { throw ValidationError("--update-expect requires --expect FILE") }
        if expect == "" { throw ValidationError("--expect has an empty name") }
    }

    func run() throws {
        if let source = fleet.all { return try call.perform(in: source) }
        guard let expect else { return try report(.verify, RunChoices(), adjusting: adjust) }
        try report("verify", RunChoices(), adjusting: adjust) { migration, progress in
            try migration.verify(
                expecting: expect, updating: updateExpect, cancellation: ProcessSetup.cancellation, progress: progress)
        }
    }

    private var call: FleetCall {
        FleetCall(
            common: common, fleet: fleet, kind: .verify(expectations: expect, updating: updateExpect),
            settings: ["orphans \(allowOrphans)", "deep \(deep)", "update \(updateExpect)"],
            adjust: adjust)
    }

    private func adjust(_ options: inout MigrationOptions) {
        (options.allowsOrphans, options.verifiesDeeply) = (allowOrphans, deep)
    }
}
