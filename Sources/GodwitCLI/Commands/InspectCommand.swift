import Godwit
import GodwitRender
import ArgumentParser

/// The input of commands without a manifest.
struct InspectedPath: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The app's container (a sandbox, an .xcappdata bundle, a container of the simulator or of macOS), a SQLite "
                + "store, or a property list.", valueName: "path"),
        completion: .file())
    var path: String

    @Option(
        name: .long, help: ArgumentHelp("A group container of the app; may be given several times.", valueName: "dir"),
        completion: .directory)
    var groupContainer: [String] = []

    func validate() throws {
        guard !path.isEmpty else { throw ValidationError("missing container, store or property list") }
    }
}

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Describe a container, a store or a property list; needs no manifest, reads only.",
        discussion: """
            Stores: plain tables or Core Data's, entities with counts, what their columns hold, ranges of dates, likely keys, \
            relations, duplicates. Property lists: keys with types and encodings. And what would be risky. Values are shown \
            only with --verbose, and never those of what is called like a secret. `godwit init` writes a manifest from it.

            \(HelpTexts.codesWithoutManifest("0   described", data: "the file that was named is damaged, or nothing that Godwit reads"))
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
