import Godwit
import GodwitRender
import ArgumentParser

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Restore an export into a new store.",
        discussion: """
            Reads plain JSON, JSON lines and gzip of either; which it is, is seen from the content. The store is built \
            from the manifest's schema files under a temporary name, filled, and exported again: only if that gives the \
            document's own hash does it get its name. Nothing is ever replaced, and no store of the app's is looked at.

            \(HelpTexts.codes("0   restored", data: badData))
            """)

    @OptionGroup var common: SharedOptions<NewStore>

    private static let badData = """
        a document that is damaged, cut or edited (wrong hash),
            that needs a newer reader or newer schema files, or does not fit them
        """

    @Argument(help: ArgumentHelp("The export; - is standard input.", valueName: "document"), completion: .file())
    var document: String

    @Argument(
        help: ArgumentHelp(
            "An export of what changed since that one (export --since), brought in after it.", valueName: "increment"),
        completion: .file())
    var increment: String?

    @Flag(name: [.customShort("n"), .long], help: "Build and prove the store in a private folder, then discard it.")
    var dryRun = false

    func validate() throws {
        try common.requireFormat(of: RestoreReport.self, named: "import")
        guard common.output != "-" else { throw ValidationError("a store can't be written to standard output") }
        guard common.output != nil || dryRun else { throw ValidationError("missing name of the new store (-o)") }
        guard increment != "-", increment != "" else {
            throw ValidationError("the increment is read twice, so it must be a file")
        }
        guard !document.isEmpty else { throw ValidationError("missing document, or - for standard input") }
    }

    func run() throws {
        try common.perform(writesOutputItself: true) { progress in
            let migration = try common.makeMigration(writesReport: false)
            let report = try migration.restore(
                from: document == "-" ? nil : document, increment: increment, to: common.output,
                isDryRun: dryRun,
                cancellation: ProcessSetup.cancellation, progress: progress)
            let setting = common.setting(migration)
            common.summarize(report, setting)
            guard !common.quiet else { return }
            do {
                try ReportOutput.write(try common.reportFormat.bytes(of: report, setting: setting), to: nil)
            } catch let error as GodwitError where !dryRun {
                var failure = error
                failure.hint = "Check the new store with `godwit inspect`: the store was restored."
                throw failure
            }
        }
    }
}
