import ArgumentParser
import Godwit
import GodwitReport

/// `godwit export`.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Versioned JSON from the active store, with how stale it may be.",
        discussion: """
            The document appears whole or not at all, and is read back and checked before. With `-o -` it goes to \
            standard output and the report to standard error.

            \(HelpTexts.codes("0   exported"))
            """)

    @OptionGroup var common: CommonOptions

    @Flag(name: .long, help: "Replace an older export of the same name.")
    var replace = false

    @Flag(name: [.customShort("n"), .long], help: "Make and check the document, then discard it.")
    var dryRun = false

    @Flag(name: .long, help: "JSON lines: a header line, a line for each record, an integrity line.")
    var lines = false

    @Flag(name: .long, help: "Pack the document with gzip.")
    var gzip = false

    @Option(
        name: .long,
        help: ArgumentHelp("How hard to pack, from 1 (quickest) to 9 (smallest); with --gzip.", valueName: "1-9"))
    var level: Int?

    func validate() throws {
        if let level, !(1...9).contains(level) { throw ValidationError("--level takes 1 to 9.") }
        if level != nil, !gzip { throw ValidationError("--level goes with --gzip.") }
    }

    func run() throws {
        let path = common.outputPath
        try common.perform(writesOutputItself: true) { progress in
            let report = try common.makePipeline().export(
                to: path,
                options: ExportOptions(
                    replacesExisting: replace, isDryRun: dryRun, lines: lines, gzip: gzip, level: level ?? 6),
                cancellation: ProcessSetup.cancellation, progress: progress)
            guard !common.quiet else { return }
            let bytes = try common.reportFormat.bytes(of: report, style: common.style)
            if path == nil, !dryRun { ProcessSetup.writeError(bytes) } else { try ReportOutput.write(bytes, to: nil) }
        }
    }
}
