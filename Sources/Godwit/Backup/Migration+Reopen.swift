package import GodwitModel

/// Making the copy pending again.
extension Migration {
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
            named: GodwitError.Stage.reopen.rawValue, writes: true, dryRun: dryRun, backingUp: Command.run.writtenRoles,
            context
        ) { stores, start, report throws(GodwitError) in
            let survey = try SurveyReading(stores).read(checkingIntegrity: true)
            try Admission(stores).requireOneEnvironment(for: .copy, survey)
            let other = try InputSurvey(stores).otherCloud(survey)
            let returning = all ? try ReopenStep(stores).deletionWarnings(survey, isDryRun: dryRun) : []
            let reopened = try report.taking { () throws(GodwitError) in try ReopenStep(stores).run(all: all, survey) }
            report.reopen = reopened
            if reopened.outcome == .done {
                try RunLedger(stores).record(report, durationMilliseconds: start.duration(to: .now).milliseconds)
            }
            report = try Advice(stores).concluded(report, survey)
            guard let reopen = report.reopen, reopen.outcome == .done else { return }
            report.warnings += ReopenStep(stores).reopenWarnings(survey, other: other) + returning
            let again = stores.scope.commandLine(["reopen"] + (all ? ["--all"] : []) + options.backupWords)
            report.nextSteps = [
                dryRun
                    ? "To make these changes: \(again)"
                    : "To copy what is missing: \(stores.scope.commandLine(["run"]))"
            ]
        }
    }
}
