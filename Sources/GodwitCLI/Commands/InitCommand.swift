import Godwit
import GodwitRender
import ArgumentParser

/// The folder into which `init` writes.
enum NewFolder: OutputMeaning {
    static var help: ArgumentHelp {
        ArgumentHelp(
            "The folder for godwit.yaml and Migrations/, which must not exist.", discussion: "Default: this folder",
            valueName: "dir")
    }
}

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a manifest and its first schema file for a container.",
        discussion: """
            Reads the container as `godwit inspect` does. Then it writes godwit.yaml with comments, and \
            Migrations/V0001__….sql, so that `godwit plan` works at once. A comment gives the reason for each table and key \
            that it cannot map. It replaces no file, and writes nothing into the container.

            \(HelpTexts.codesWithoutManifest("0   written", data: "a damaged file, or no table that can be an entity"))
            """)

    @OptionGroup var input: InspectedPath
    @OptionGroup var printing: PrintingOptions<NewFolder>

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The local store, if the container has several (default: the store with the most records).",
            valueName: "file"))
    var store: String?

    @Flag(name: [.customShort("n"), .long], help: "Report what would be written; write nothing.")
    var dryRun = false

    func validate() throws {
        try printing.requireFormat(of: InitReport.self, named: "init")
        guard printing.output != "-" else { throw ValidationError("-o names a folder; it can't be standard output") }
        guard store != "" else { throw ValidationError("--store has an empty name") }
    }

    func run() throws {
        try printing.perform(writesOutputItself: true) { progress in
            let report = try input.inspector(printing).writeManifest(
                into: printing.output ?? ".", options: InitOptions(store: store, isDryRun: dryRun),
                cancellation: ProcessSetup.cancellation, progress: progress)
            guard !printing.quiet else { return }
            let setting = ReportSetting(style: printing.style, asOf: printing.now ?? ReportOutput.now)
            do {
                try ReportOutput.write(try printing.reportFormat.bytes(of: report, setting: setting), to: nil)
            } catch let error as GodwitError where !dryRun {
                var failure = error
                failure.hint = "Read the manifest: it was written."
                throw failure
            }
        }
    }
}
