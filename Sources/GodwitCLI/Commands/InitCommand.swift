import Godwit
import GodwitRender
import ArgumentParser

/// The folder into which `init` writes.
enum NewFolder: OutputMeaning {
    static var help: ArgumentHelp {
        ArgumentHelp(
            "The folder for godwit.yaml and Migrations/; neither may be there yet.", discussion: "Default: this folder",
            valueName: "dir")
    }
}

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a starter manifest and its first schema file from what a container holds.",
        discussion: """
            Looks as `godwit inspect` does and writes what it makes of it: godwit.yaml, with comments, and \
            Migrations/V0001__….sql, such that `godwit plan` works at once. What can't be mapped is a comment with its \
            reason. Nothing is ever replaced, and nothing is written into the container.

            \(HelpTexts.codesWithoutManifest("0   written", data: "damaged, or nothing that an entity could be made of"))
            """)

    @OptionGroup var input: InspectedPath
    @OptionGroup var printing: PrintingOptions<NewFolder>

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The local store, where the container has several; the one with the most records otherwise.",
            valueName: "file"))
    var store: String?

    @Flag(name: [.customShort("n"), .long], help: "Say what would be written, and write nothing.")
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
