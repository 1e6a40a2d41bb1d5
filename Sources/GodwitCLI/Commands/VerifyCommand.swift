import Godwit
import ArgumentParser
import GodwitFleet

struct VerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that both stores and the preferences agree; reads only.",
        discussion: """
            It counts records that users deleted or edited in the cloud store after the copy; they are not differences. \
            If no run has changed the container yet, verify reports what a run would do.

            With --expect it plans on a private copy, checks the result, and compares it with a committed file: records by \
            entity and store, outcomes of legacy keys, winners, selected records. This works before and after the run. \
            --update-expect writes the file; read the difference before you commit it. With --all it verifies every \
            container of a fleet.

            \(HelpTexts.codes("0   every check passed, and the result is as expected\n1   a check found a difference, the result is not as expected, or no run\n    has changed the container yet;\n    with --all also if a container cannot be verified", data: badData))
            """)

    /// A damaged store, a changed schema file and an orphan are differences.
    private static let badData = """
        damaged preferences; a copy from another store; an interrupted
            rollback; with --expect, a bad expectation, or a container that a run
            would refuse
        """

    @OptionGroup var common: CommonOptions

    @Flag(name: .long, help: "Accept references to records that do not exist.")
    var allowOrphans = false

    @Flag(
        name: .long, help: "Also compare each index with its table; about 10 s for 1,000,000 records.")
    var deep = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Compare with this expectation; with --all, with the files DIR/CONTAINER.json in this folder.",
            valueName: "file"))
    var expect: String?

    @Flag(name: .long, help: "Write the file that --expect names instead of comparing.")
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
