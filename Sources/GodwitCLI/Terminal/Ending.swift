import ArgumentParser
import Godwit
import GodwitReport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How a command ends: the one place where errors become exit codes.
enum Ending {
    /// An error of a command with the way it wants to be shown.
    struct Failure: Error {
        let error: GodwitError
        let format: ReportFormat
        let style: TextStyle
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
            if failure.format == .text, let report = failure.error.report, report.hasCommittedChanges {
                ProcessSetup.writeError(Array((report.text(failure.style) + "\n").utf8))
            }
            ProcessSetup.writeError(failure.format.bytes(of: failure.error, style: failure.style))
            leave(failure.error.code)
        case let error as GodwitError:
            let format: ReportFormat = isJSONAskedFor ? .json : .text
            ProcessSetup.writeError(format.bytes(of: error, style: TextStyle()))
            leave(error.code)
        default:
            // Help, version and mistakes on the command line: ArgumentParser prints and exits, 64 for a mistake.
            guard GodwitCommand.exitCode(for: error).rawValue == Godwit.ExitCode.usage.rawValue else {
                GodwitCommand.exit(withError: error)
            }
            if isJSONAskedFor {
                let mistake = GodwitError(
                    .manifest, .usage, GodwitCommand.message(for: error), hint: "See godwit --help.")
                ProcessSetup.writeError(ReportFormat.json.bytes(of: mistake, style: TextStyle()))
            } else {
                ProcessSetup.writeError(Array((shown(GodwitCommand.fullMessage(for: error)) + "\n").utf8))
            }
            leave(.usage)
        }
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
    private static var isJSONAskedFor: Bool {
        let words = CommandLine.arguments
        return words.contains("--json") || words.contains("--format=json")
            || zip(words, words.dropFirst()).contains { $0 == "--format" && $1 == "json" }
    }

    private static func leave(_ code: Godwit.ExitCode) -> Never {
        #if canImport(Darwin)
            Darwin.exit(code.rawValue)
        #elseif canImport(Glibc)
            Glibc.exit(code.rawValue)
        #else
            Musl.exit(code.rawValue)
        #endif
    }
}
