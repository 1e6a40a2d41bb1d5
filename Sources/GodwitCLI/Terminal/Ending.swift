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
            ProcessSetup.writeError(failure.format.bytes(of: failure.error, style: failure.style))
            leave(failure.error.code)
        case let error as GodwitError:
            ProcessSetup.writeError(ReportFormat.text.bytes(of: error, style: TextStyle()))
            leave(error.code)
        default:
            // Help, version and mistakes on the command line: ArgumentParser prints and exits, 64 for a mistake.
            GodwitCommand.exit(withError: error)
        }
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
