package import GodwitModel
internal import GodwitDedupe

/// Undoing the dedupe of an earlier run.
extension Migration {
    /// Puts back what a run set aside, for real or on a private copy; synchronous, for the command line.
    ///
    /// - Parameters:
    ///   - text: which run: its identifier, the beginning of it, or `latest`.
    ///   - cancellation: raise it from a signal handler; what is not committed is then rolled back.
    package func undoDedupe(
        of text: String, dryRun: Bool, cancellation: Cancellation = Cancellation(),
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws(GodwitError) -> RunReport {
        let context = makeContext(cancellation, progress, faultPoint)
        return try strictly(dryRun: dryRun) { isDryRun throws(GodwitError) in
            let context = isDryRun ? makeContext(cancellation, progress) : context
            return try report(
                named: Command.dedupe.rawValue, writes: true, dryRun: dryRun || isDryRun,
                backingUp: Command.dedupe.writtenRoles, context
            ) {
                stores, start, report throws(GodwitError) in
                try walk(stores, undoing: text, start, &report)
            }
        }
    }

    /// Under the lock: look, undo, books, conclusions.
    private func walk(
        _ stores: StoreOpener, undoing text: String, _ start: ContinuousClock.Instant, _ report: inout RunReport
    ) throws(GodwitError) {
        let survey = try SurveyReading(stores).read(checkingIntegrity: true)
        let (admission, ledger) = (Admission(stores), RunLedger(stores))
        try admission.requireInput(for: .dedupe, survey)
        try admission.requireOneEnvironment(for: .dedupe, survey)
        try admission.requireLogs(survey)
        var isRecorded = false
        func duration() -> Int64 { start.duration(to: .now).milliseconds }
        do throws(GodwitError) {
            let keeper = try ledger.store(for: report.run.command)
            let before = report
            report.undo = try report.taking { () throws(GodwitError) in
                try UndoStep(stores).run(text, recordedIn: keeper) { undo, connection throws(GodwitError) in
                    var done = before
                    done.undo = undo
                    try ledger.write(done, durationMilliseconds: duration(), within: connection)
                    isRecorded = true
                }
            }
        } catch {
            // The record of a store that failed to commit went with it; what others have committed belongs into the books.
            if report.undo?.outcome.hasChanges == true {
                try? ledger.record(report, durationMilliseconds: duration(), failure: error)
            }
            throw error
        }
        if report.overallOutcome.hasChanges, !isRecorded {
            try ledger.record(report, durationMilliseconds: duration())
        }
        report = try Advice(stores).concluded(report, survey)
    }
}
