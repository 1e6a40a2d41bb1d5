import Godwit
import ArgumentParser

struct MigrateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Run the schema and legacy stages on the active store.",
        discussion: HelpTexts.codes("0   done, or nothing to do\n3   warnings, under --strict"))

    @OptionGroup var common: CommonOptions
    @OptionGroup var writing: WritingOptions

    func run() throws { try report(.migrate, writing.choices) }
}

struct DedupeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "dedupe",
        abstract: "Keep one record for each key, and one for each singleton; set the duplicates aside.",
        discussion: """
            Moves duplicates with all their columns into the table godwit_removed of the same store, in one transaction. \
            --undo puts them back exactly as they were, and restores the references to them. It keeps later edits.

            \(HelpTexts.codes("0   done, or nothing to do\n3   warnings, under --strict"))
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var writing: WritingOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Put back the records that this run set aside: the run's identifier or its beginning, as `godwit history` shows it, or `latest`.",
            valueName: "run"))
    var undo: String?

    func run() throws {
        guard let undo else { return try report(.dedupe, writing.choices) }
        try report("undo", writing.choices) { migration, progress in
            try migration.undoDedupe(
                of: undo, dryRun: writing.dryRun, cancellation: ProcessSetup.cancellation, progress: progress)
        }
    }
}

struct CopyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy the local store to the cloud store, once.",
        discussion: """
            Merges records by the conflict rule of each entity, compares every record, writes the receipt, and then sets \
            the completion flag in the first preferences file. It only reads the local store.

            \(HelpTexts.codes("0   done, or nothing to do\n3   warnings, under --strict"))
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var writing: WritingOptions

    @Flag(name: .long, help: "Copy orphans unchanged.")
    var allowOrphans = false

    func run() throws {
        try report(.copy, writing.choices) { $0.allowsOrphans = allowOrphans }
    }
}
