import Godwit
import ArgumentParser

struct RollbackCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Put back the backup that a run made with --backup.",
        discussion: """
            Puts each file back, byte for byte, and gives the file that is there the name NAME.before-rollback-TIME. \
            Nothing is removed. Close the app first. If records were written after the backup was made, it refuses (65) \
            and says how many; with --discard-newer and that number it goes on, and only the renamed files have them. The \
            backup of another container that still exists is refused (65) without --other-container. If it is \
            interrupted, run it again.

            \(HelpTexts.codes("0   the files are those of the backup"))
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The folder of the backup.", valueName: "backup"), completion: .directory)
    var backup: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Roll back although this many records were written after the backup was made.", valueName: "n"))
    var discardNewer: Int64?

    @Flag(name: .long, help: "Put back the backup of another container, which still exists.")
    var otherContainer = false

    @Flag(name: [.customShort("n"), .long], help: "Report what would change, on a private copy; change nothing.")
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
