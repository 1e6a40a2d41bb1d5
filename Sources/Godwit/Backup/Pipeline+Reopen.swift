package import GodwitModel

/// Making the copy pending again.
extension Pipeline {
    /// Takes the flag and the receipt back, for real or on a private copy; synchronous, for the command line.
    ///
    /// - Parameter all: whether the next run copies every record, also those that were deleted in the cloud store.
    package func reopen(
        all: Bool = false, dryRun: Bool, cancellation: Cancellation = Cancellation(),
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws(GodwitError) -> RunReport {
        let context = makeContext(cancellation, progress, faultPoint)
        return try report(
            named: Stage.reopen.rawValue, writes: true, dryRun: dryRun, backingUp: Command.run.writtenRoles, context
        ) { session, start, report throws(GodwitError) in
            session.removeWhatKilledRunsLeft()
            let survey = try session.survey(checkingIntegrity: true)
            try session.requireOneEnvironment(for: .copy, survey)
            try session.reopen(all: all, survey, &report) { done throws(GodwitError) in
                try session.record(done, durationMilliseconds: start.duration(to: .now).milliseconds)
            }
            try session.conclude(&report, survey)
            guard let reopen = report.reopen, reopen.outcome == .done else { return }
            report.warnings += session.reopenWarnings()
            let again = session.commandLine(["reopen"] + (all ? ["--all"] : []) + options.backupWords)
            report.nextSteps = [
                dryRun ? "To do it for real: \(again)" : "To copy what is missing: \(session.commandLine(["run"]))"
            ]
        }
    }
}
