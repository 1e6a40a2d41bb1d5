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
            ProcessSetup.writeError(ReportFormat.text.bytes(of: error, style: TextStyle()))
            leave(error.code)
        default:
            // Help, version and mistakes on the command line: ArgumentParser prints and exits, 64 for a mistake.
            if isJSONAskedFor, GodwitCommand.exitCode(for: error).rawValue == Godwit.ExitCode.usage.rawValue {
                let mistake = GodwitError(
                    .manifest, .usage, GodwitCommand.message(for: error), hint: "See godwit --help.")
                ProcessSetup.writeError(ReportFormat.json.bytes(of: mistake, style: TextStyle()))
                leave(.usage)
            }
            GodwitCommand.exit(withError: error)
        }
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
