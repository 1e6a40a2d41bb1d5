import Godwit
import ArgumentParser

struct ReopenCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "reopen",
        abstract: "Make the copy pending again, so that the next run copies what is missing.",
        discussion: """
            Sets the completion flag to false, and marks the receipt of the copy as reopened. The next `godwit run` copies the records that the \
            receipt does not cover: from another local store, all records; from the same local store, the records written \
            since, and entities that are new in the manifest. Without --all, records that were deleted in \
            the cloud store stay deleted.

            \(HelpTexts.codes("0   the copy is pending"))
            """)

    @OptionGroup var common: CommonOptions

    @Flag(name: .long, help: "Copy every record again, also those that were deleted in the cloud store.")
    var all = false

    @Flag(name: [.customShort("n"), .long], help: "Report what would change; run on a private copy only.")
    var dryRun = false

    @OptionGroup var backing: BackupOption

    func run() throws {
        try report("reopen", RunChoices(dryRun: dryRun, backup: backing.backup)) { migration, progress in
            try migration.reopen(
                all: all, dryRun: dryRun, cancellation: ProcessSetup.cancellation, progress: progress)
        }
    }
}
