import Godwit
import GodwitRender
import Libc
import ArgumentParser

/// The end of a command: the only code that maps errors to exit codes.
enum CommandExit {
    /// An error with the way to print it.
    struct Failure: Error {
        let error: GodwitError
        let format: ReportFormat
        let style: TextStyle
        /// The file for a document about the error; nil for standard output.
        var document: String?
        /// Whether standard output is used for something else, such as an export; a document then goes to standard
        /// error.
        var isOutputTaken = false
        /// The file for GitHub's step summary; nil for none.
        var summary: String?
        /// The time from an option; nil for the clock.
        var time: Instant?
        /// Whether only the error is printed, without the report of what was done before.
        var isQuiet = false
    }

    /// A verdict that is not an error: the result was printed, and the code repeats it.
    struct Verdict: Error {
        let code: GodwitError.Code
    }

    static func exit(with error: any Error) -> Never {
        switch error {
        case let verdict as Verdict:
            leave(verdict.code)
        case let failure as Failure:
            report(failure)
            leave(failure.error.code)
        case let error as GodwitError:
            report(Failure(error: error, format: askedFormat, style: TextStyle()))
            leave(error.code)
        default:
            // Help, version and mistakes on the command line: ArgumentParser prints and exits, with 64 for a mistake.
            if let mistake = unknownTopic {
                report(Failure(error: mistake, format: askedFormat, style: TextStyle()))
                leave(.usage)
            }
            guard GodwitCommand.exitCode(for: error).rawValue == GodwitError.Code.usage.rawValue else {
                GodwitCommand.exit(withError: error)
            }
            report(Failure(error: mistake(error), format: askedFormat, style: TextStyle()))
            leave(.usage)
        }
    }

    private static var commands: [String] { GodwitCommand.configuration.subcommands.map { $0._commandName } }

    private static func helpText(of command: String) -> String {
        let type = GodwitCommand.configuration.subcommands.first { $0._commandName == command }
        return GodwitCommand.helpMessage(for: type ?? GodwitCommand.self)
    }

    /// `godwit help` with a word that is not a command; ArgumentParser would show the help of the program.
    private static var unknownTopic: GodwitError? {
        let words = CommandLine.arguments.dropFirst()
        guard words.first == "help", let topic = words.dropFirst().first, !topic.hasPrefix("-") else { return nil }
        return UsageMistake.unknownCommand([topic], commands).map {
            GodwitError(.manifest, .usage, shown($0.message), hint: shown($0.hint))
        }
    }

    /// The error of a command line that ArgumentParser, or a command's own check of its options, rejected.
    private static func mistake(_ error: any Error) -> GodwitError {
        let found = UsageMistake(
            GodwitCommand.message(for: error), help: GodwitCommand.fullMessage(for: error),
            words: Array(CommandLine.arguments.dropFirst()),
            commands: commands, helpOf: helpText)
        return GodwitError(.manifest, .usage, shown(found.message), hint: shown(found.hint))
    }

    /// Prints the error on standard error, and writes it as a document instead of the result, so that programs that
    /// show a build's reports also show the error.
    private static func report(_ failure: Failure) {
        let setting = ReportSetting(style: failure.style)
        guard failure.format != .json else {
            return ProcessSetup.writeError(ReportFormat.json.bytes(of: failure.error, setting: setting))
        }
        if !failure.isQuiet, failure.format != .github, let report = failure.error.report, report.hasCommittedChanges {
            ProcessSetup.writeError(Array((report.text(failure.style) + "\n").utf8))
        }
        ProcessSetup.writeError(ReportFormat.text.bytes(of: failure.error, setting: setting))
        document(failure)
        guard let summary = failure.summary else { return }
        Summary.add(StepSummary.bytes(of: failure.error, setting: setting), to: summary, failure.style)
    }

    /// Writes the document, unless the error is that the output cannot be created; a failed write is ignored.
    private static func document(_ failure: Failure) {
        guard failure.format.hasErrorDocument, failure.document == nil || failure.error.code != .cannotCreate else {
            return
        }
        let setting = ReportSetting(
            style: TextStyle(verbose: failure.style.verbose), workspace: .fromEnvironment,
            asOf: failure.time ?? ReportOutput.now)
        let bytes = failure.format.bytes(of: failure.error, setting: setting)
        guard failure.document != nil || !failure.isOutputTaken else { return ProcessSetup.writeError(bytes) }
        try? ReportOutput.write(bytes, to: failure.document)
    }

    /// The message of ArgumentParser, with the user's words in it escaped, and shortened to 200 characters.
    private static func shown(_ message: String) -> String {
        var text = message
        let words = CommandLine.arguments.dropFirst().flatMap { word in
            [word] + word.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
        }
        for word in words {
            let safe = word.escapingControls
            let short = safe.count > 200 ? safe.prefix(200) + "…" : safe
            if short != word {
                text = text.split(separator: word, omittingEmptySubsequences: false).joined(separator: short)
            }
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escapingControls }
            .joined(separator: "\n")
    }

    /// Searched by hand, because the command line could not be parsed.
    private static var askedFormat: ReportFormat {
        let words = CommandLine.arguments
        if words.contains("--json") { return .json }
        let named = zip(words, words.dropFirst()).filter { $0.0 == "--format" }.map(\.1)
        let joined = words.filter { $0.hasPrefix("--format=") }.map { String($0.dropFirst("--format=".count)) }
        let format = (named + joined).lazy.compactMap(ReportFormat.init).first ?? .text
        // With an output file, the user does not expect a document on standard output.
        let hasFile = words.contains { $0 == "-o" || $0.hasPrefix("--output") }
        return hasFile && format.hasErrorDocument ? .text : format
    }

    private static func leave(_ code: GodwitError.Code) -> Never {
        Libc.exit(code.rawValue)
    }
}
