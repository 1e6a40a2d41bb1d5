import Godwit
import ArgumentParser

struct MigrateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Schema and legacy stages into the active store.",
        discussion: HelpTexts.codes("0   done, or nothing to do\n3   warnings, under --strict"))

    @OptionGroup var common: CommonOptions
    @OptionGroup var writing: WritingOptions

    func run() throws { try report(.migrate, writing.choices) }
}

struct DedupeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "dedupe",
        abstract: "One record per singleton and per key; the others are set aside whole.",
        discussion: """
            Losers go to the table godwit_removed of the same store, in the same transaction. With --undo they come back \
            from there exactly as they were, and what referred to them refers to them again; what was changed since stays.

            \(HelpTexts.codes("0   done, or nothing to do\n3   warnings, under --strict"))
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var writing: WritingOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Put back what this run set aside: its identifier or the beginning of it, as the history shows it, or latest.",
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
        abstract: "The one-shot copy from the local to the cloud store.",
        discussion: """
            Merges by each entity's conflict rule, proves every record, writes a receipt and then sets the flag in the \
            first preferences file. The local store is only read.

            \(HelpTexts.codes("0   done, or nothing to do\n3   warnings, under --strict"))
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var writing: WritingOptions

    @Flag(name: .long, help: "Copy records whose parent is missing as they are.")
    var allowOrphans = false

    func run() throws {
        try report(.copy, writing.choices) { $0.allowsOrphans = allowOrphans }
    }
}
