import Godwit
import GodwitRender
import Libc
import ArgumentParser

/// How a command ends: the one place where errors become exit codes.
enum CommandExit {
    /// An error of a command with the way it wants to be shown.
    struct Failure: Error {
        let error: GodwitError
        let format: ReportFormat
        let style: TextStyle
        /// The file that a document about the error goes to; nil for standard output.
        var document: String?
        /// Whether standard output is for something else, such as an export: a document goes to standard error then.
        var isOutputTaken = false
        /// Where GitHub gathers summaries; nil where there is none.
        var summary: String?
        /// The time to go by; nil for that of the clock.
        var time: Instant?
        /// Whether the error alone is shown, without the report of what had been done before it.
        var isQuiet = false
    }

    /// A verdict that is no error: the result was printed, and the code says what it is.
    struct Verdict: Error {
        let code: Godwit.ExitCode
    }

    static func exit(with error: any Error) -> Never {
        switch error {
        case let verdict as Verdict:
            leave(verdict.code)
        case let failure as Failure:
            tell(failure)
            leave(failure.error.code)
        case let error as GodwitError:
            tell(Failure(error: error, format: askedFormat, style: TextStyle()))
            leave(error.code)
        default:
            // Help, version and mistakes on the command line: ArgumentParser prints and exits, 64 for a mistake.
            if let mistake = unknownTopic {
                tell(Failure(error: mistake, format: askedFormat, style: TextStyle()))
                leave(.usage)
            }
            guard GodwitCommand.exitCode(for: error).rawValue == Godwit.ExitCode.usage.rawValue else {
                GodwitCommand.exit(withError: error)
            }
            tell(Failure(error: mistake(error), format: askedFormat, style: TextStyle()))
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

    /// The error of a command line that ArgumentParser, or a command's own check of its options, refused.
    private static func mistake(_ error: any Error) -> GodwitError {
        let found = UsageMistake(
            GodwitCommand.message(for: error), help: GodwitCommand.fullMessage(for: error),
            words: Array(CommandLine.arguments.dropFirst()),
            commands: commands, helpOf: helpText)
        return GodwitError(.manifest, .usage, shown(found.message), hint: shown(found.hint))
    }

    /// Says on standard error what went wrong, and as a document where the result would have gone: whoever shows the
    /// reports of a build shows the error as well then.
    private static func tell(_ failure: Failure) {
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

    /// An output that can't be made is what the error is about, then; a document that can't be written adds nothing to it.
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

    /// What ArgumentParser says, with the words of the command line that it repeats made safe to show: escaped, and
    /// shortened where nobody would read them to the end.
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

    /// Looked up by hand: the command line that asks for it could not be parsed.
    private static var askedFormat: ReportFormat {
        let words = CommandLine.arguments
        if words.contains("--json") { return .json }
        let named = zip(words, words.dropFirst()).filter { $0.0 == "--format" }.map(\.1)
        let joined = words.filter { $0.hasPrefix("--format=") }.map { String($0.dropFirst("--format=".count)) }
        let format = (named + joined).lazy.compactMap(ReportFormat.init).first ?? .text
        // With a file named, standard output is not where anybody looks for a document.
        let hasFile = words.contains { $0 == "-o" || $0.hasPrefix("--output") }
        return hasFile && format.hasErrorDocument ? .text : format
    }

    private static func leave(_ code: Godwit.ExitCode) -> Never {
        Libc.exit(code.rawValue)
    }
}
