import Godwit
import ArgumentParser

struct ReopenCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "reopen",
        abstract: "Make the copy pending again, so that the next run copies what is missing.",
        discussion: """
            Takes the completion flag and the receipt of the copy back. The next `godwit run` copies what that receipt does \
            not cover: all records of another local store; of the same one the records written since, and entities that \
            the manifest did not have. Records that were deleted in the cloud store stay deleted, unless --all is given.

            \(HelpTexts.codes("0   the copy is pending"))
            """)

    @OptionGroup var common: CommonOptions

    @Flag(name: .long, help: "Copy every record again, also those that were deleted in the cloud store.")
    var all = false

    @Flag(name: [.customShort("n"), .long], help: "Report what would change, on a private copy; change nothing.")
    var dryRun = false

    @OptionGroup var backing: BackupOption

    func run() throws {
        try report("reopen", RunChoices(dryRun: dryRun, backup: backing.backup)) { migration, progress in
            try migration.reopen(
                all: all, dryRun: dryRun, cancellation: ProcessSetup.cancellation, progress: progress)
        }
    }
}
