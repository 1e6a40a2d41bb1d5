import Godwit
import GodwitRender
import ArgumentParser

/// The input of commands without a manifest.
struct InspectedPath: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The app's container (from a device, the simulator or macOS, or an .xcappdata bundle), a SQLite store, or "
                + "a property list.", valueName: "path"),
        completion: .file())
    var path: String

    @Option(
        name: .long, help: ArgumentHelp("A group container of the app; may be repeated.", valueName: "dir"),
        completion: .directory)
    var groupContainer: [String] = []

    func validate() throws {
        guard !path.isEmpty else { throw ValidationError("missing container, store or property list") }
    }
}

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Describe a container, a store or a property list, without a manifest; reads only.",
        discussion: """
            For a store (plain tables or Core Data), the report has entities with counts, the types in their columns, ranges \
            of dates, likely keys, references and duplicates. For a property list, it has the keys with types and encodings. \
            It also names risks. It shows values only with --verbose, and never a value whose name looks like a secret. \
            `godwit init` writes a manifest from the same facts.

            \(HelpTexts.codesWithoutManifest("0   described", data: "the named file is damaged, or in a format that Godwit does not read"))
            """)

    @OptionGroup var input: InspectedPath
    @OptionGroup var printing: PrintingOptions<ResultFile>

    func validate() throws { try printing.requireFormat(of: InspectReport.self, named: "inspect") }

    func run() throws {
        try printing.perform { progress in
            let report = try input.inspector(printing).inspect(
                cancellation: ProcessSetup.cancellation, progress: progress)
            try printing.show(report, ReportSetting(style: printing.style, asOf: printing.now ?? ReportOutput.now))
        }
    }
}

extension InspectedPath {
    func inspector<Output>(_ printing: PrintingOptions<Output>) -> Inspector {
        DebugLog.start(isVerbose: printing.verbose)
        var options = InspectOptions()
        options.groupContainers = groupContainer
        options.showsValues = printing.verbose
        options.lockTimeoutMilliseconds = Int(clamping: printing.lockTimeout.milliseconds)
        options.now = printing.now
        return Inspector(path: path, options: options)
    }
}
