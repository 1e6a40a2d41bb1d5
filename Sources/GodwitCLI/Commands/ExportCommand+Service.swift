import Godwit
import GodwitRender
import Libc
import ArgumentParser
import GodwitService
import Logging

/// `godwit export --into DIR --every 5m`.
extension ExportCommand {
    private static let fiveSeconds: Int64 = 5_000

    /// Throws (64) if an option does not fit a service.
    func validateService() throws {
        guard let every else {
            if debounce != nil { throw ValidationError("--debounce requires --every") }
            return
        }
        guard into != nil else {
            throw ValidationError("--every requires --into, which gives each export its own name")
        }
        if dryRun { throw ValidationError("`--every` and `--dry-run` can't both be given") }
        if common.now != nil || SourceDateEpoch.isSet {
            throw ValidationError("--every uses the clock, so --now and SOURCE_DATE_EPOCH can't be given")
        }
        guard [.text, .json].contains(common.reportFormat) else {
            throw ValidationError("--every logs lines of text, or of JSON with --json")
        }
        guard (1_000...31_622_400_000).contains(every.milliseconds) else {
            throw ValidationError("--every takes a duration from 1s to 366d")
        }
        guard (debounce?.milliseconds ?? 0) <= every.milliseconds else {
            throw ValidationError("--debounce is longer than --every")
        }
    }

    /// Exports until SIGTERM or SIGINT; prints a line to standard output for each due export.
    func serve(_ every: Span) throws {
        let common = common
        let service = try common.perform { _ in
            _ = try common.makeMigration()
            return try ExportService(setup(every))
        }
        try common.perform { _ in
            try ProcessSetup.cancellation.check(.export)
            try service.runUntilStopped(logger: Logger(label: "service"))
        }
    }

    private func setup(_ every: Span) -> ExportService.Setup {
        let (common, quiet, isJSON) = (common, common.quiet, common.reportFormat == .json)
        let (account, network) = (common.account, common.network)
        return ExportService.Setup(
            folder: into ?? ".", options: options,
            every: every, debounce: debounce?.milliseconds ?? min(Self.fiveSeconds, every.milliseconds),
            makeMigration: { try common.makeMigration() },
            observe: { () throws(GodwitError) in (try account.known(), try network.known()) },
            supervisor: SupervisorSocket(environment: ProcessSetup.environment, process: getpid()),
            log: { event in
                guard !quiet || !event.isFine else { return }
                let line = (isJSON ? event.json : Array(event.line.utf8)) + [0x0A]
                if case .ran = event {
                    // Without a reader, the service continues: the exports matter.
                    try? ReportOutput.write(line, to: nil)
                } else {
                    ProcessSetup.writeError(line)
                }
            })
    }
}
