import Godwit
import GodwitRender
import Libc
import ArgumentParser

/// How a command prints: options of all commands, with or without a manifest.
struct PrintingOptions<Output: OutputMeaning>: ParsableArguments {
    @Option(name: .long, help: "Format of the result: text, json, junit, github or html.")
    var format: ReportFormat?

    @Flag(name: .long, help: "The same as --format json.")
    var json = false

    @Option(name: .shortAndLong, help: Output.help, completion: .file())
    var output: String?

    @Flag(name: .shortAndLong, help: "Print only errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print details, and values of the user's data.")
    var verbose = false

    @Flag(name: .customLong("no-color"), help: "Print without colors. Also: NO_COLOR.")
    var noColor = false

    @Flag(name: .customLong("no-progress"), help: "Print no progress line.")
    var noProgress = false

    @Option(
        name: .long,
        help: ArgumentHelp("Time to wait for a lock of another run or another process.", valueName: "30s"))
    var lockTimeout = Span.thirtySeconds

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Use this instant as the current time, for tests and reproducible exports.", valueName: "instant"))
    var now: Instant?

    func validate() throws {
        if json, let format, format != .json { throw ValidationError("--json and --format \(format.rawValue) differ") }
        if output == "" { throw ValidationError("--output has an empty name") }
        if quiet, verbose { throw ValidationError("`--quiet` and `--verbose` can't both be given") }
    }
}

extension PrintingOptions {
    var reportFormat: ReportFormat { json ? .json : format ?? .text }

    var style: TextStyle {
        TextStyle(
            color: allowsColor && ProcessSetup.isTerminal(STDOUT_FILENO), width: ProcessSetup.terminalWidth,
            verbose: verbose)
    }

    /// Whether standard output is a terminal that supports escape sequences.
    var isOnTerminal: Bool {
        ProcessSetup.isTerminal(STDOUT_FILENO) && ProcessSetup.environment("TERM") != "dumb"
    }

    private var allowsColor: Bool {
        !noColor && ProcessSetup.environment("NO_COLOR") == nil && ProcessSetup.environment("TERM") != "dumb"
    }

    var errorStyle: TextStyle {
        TextStyle(color: allowsColor && ProcessSetup.isTerminal(STDERR_FILENO), verbose: verbose)
    }

    /// The output file; nil for standard output.
    var outputPath: String? { output == "-" ? nil : output }

    /// Prints a report, or writes it to its output file; `--quiet` prevents printing.
    func show(
        _ report: some ReadableReport & Encodable, as format: ReportFormat? = nil, _ setting: ReportSetting
    ) throws {
        summarize(report, setting)
        guard !quiet || outputPath != nil else { return }
        var setting = setting
        let isAbsolute = setting.style.absolute
        setting.style = style
        setting.style.absolute = isAbsolute
        if outputPath != nil { setting.style.color = false }
        let bytes = try (format ?? reportFormat).bytes(of: report, setting: setting)
        try ReportOutput.write(SavedPlan.sealing(bytes), to: outputPath)
    }

    /// Throws (64) if a report of this type does not have the requested format.
    func requireFormat(of report: any ReadableReport.Type, named name: String) throws {
        guard !reportFormat.isOffered(by: report) else { return }
        let others = report.formats.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("`godwit \(name)` has no \(reportFormat.rawValue) report; it has \(others)")
    }

    /// Runs the command's work with a progress line, and prints its errors in the requested format.
    ///
    /// - Parameter isOutputTaken: Whether standard output is used for something other than the report.
    func perform<R>(
        writesOutputItself: Bool = false, isOutputTaken: Bool = false,
        _ work: (@escaping @Sendable (RunProgress) -> Void) throws -> R
    ) throws -> R {
        let isShowing =
            !noProgress && !quiet && reportFormat != .json && ProcessSetup.isTerminal(STDERR_FILENO)
            && ProcessSetup.environment("TERM") != "dumb"
        let line = isShowing ? ProgressLine() : nil
        do {
            // Checked before the work, not after it.
            if let outputPath, !writesOutputItself { try ReportOutput.requireAbsent(outputPath) }
            let result = try work { line?.show($0) }
            line?.clear()
            return result
        } catch let error as GodwitError {
            line?.clear()
            throw CommandExit.Failure(
                error: error, format: reportFormat, style: errorStyle,
                document: writesOutputItself ? nil : outputPath, isOutputTaken: isOutputTaken,
                // The summary may be the file that cannot be created, because it has the name of a file of the app.
                summary: error.code == .cannotCreate ? nil : summaryPath, time: now, isQuiet: quiet)
        }
    }
}
