import Godwit
import GodwitRender
import ArgumentParser

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Restore an export into a new store.",
        discussion: """
            Reads JSON, JSON Lines, and both compressed with gzip; Godwit finds the format from the content. It builds the \
            store from the schema files under a temporary name, inserts the records, and exports it again. The store gets \
            its name only if this gives the hash of the export. It replaces no file, and does not read the app's stores.

            \(HelpTexts.codes("0   restored", data: badData))
            """)

    @OptionGroup var common: SharedOptions<NewStore>

    private static let badData = """
        an export that is damaged, cut or edited (wrong hash),
            that needs a newer reader or newer schema files, or does not fit them
        """

    @Argument(
        help: ArgumentHelp("The export to restore; - is standard input.", valueName: "export"), completion: .file())
    var document: String

    @Argument(
        help: ArgumentHelp(
            "An increment of that export (`export --since`), which is applied after it.", valueName: "increment"),
        completion: .file())
    var increment: String?

    @Flag(name: [.customShort("n"), .long], help: "Build and verify the store in a scratch folder, then discard it.")
    var dryRun = false

    func validate() throws {
        try common.requireFormat(of: RestoreReport.self, named: "import")
        guard common.output != "-" else { throw ValidationError("a store can't be written to standard output") }
        guard common.output != nil || dryRun else { throw ValidationError("missing name of the new store (-o)") }
        guard increment != "-", increment != "" else {
            throw ValidationError("the increment is read twice, so it must be a file")
        }
        guard !document.isEmpty else { throw ValidationError("missing export, or - for standard input") }
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
