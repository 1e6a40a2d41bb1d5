import Godwit
import ArgumentParser

struct RollbackCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Put back the backup that a run made with --backup.",
        discussion: """
            Close the app first. Godwit puts each file back, byte for byte, and renames the present file to \
            NAME.before-rollback-TIME. It removes nothing. If records were written after the backup, it exits with 65 and \
            reports the number. With --discard-newer and that number it continues; then only the renamed files have these \
            records. It also exits with 65 for the backup of another container that still exists, except with \
            --other-container. If it is interrupted, run it again.

            \(HelpTexts.codes("0   the files equal those of the backup"))
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The folder of the backup.", valueName: "backup"), completion: .directory)
    var backup: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Roll back even though this number of records was written after the backup.", valueName: "n"))
    var discardNewer: Int64?

    @Flag(name: .long, help: "Accept the backup of another container that still exists.")
    var otherContainer = false

    @Flag(name: [.customShort("n"), .long], help: "Report what would change; run on a private copy only.")
    var dryRun = false

    func validate() throws {
        if backup.isEmpty { throw ValidationError("missing folder of a backup") }
        if let discardNewer, discardNewer < 1 { throw ValidationError("--discard-newer takes a number of records") }
    }

    func run() throws {
        try report("rollback", RunChoices(dryRun: dryRun)) { migration, progress in
            try migration.rollback(
                to: backup, discardingNewer: discardNewer, acceptingOtherContainer: otherContainer, dryRun: dryRun,
                cancellation: ProcessSetup.cancellation, progress: progress)
        }
    }
}
