package import GodwitModel
internal import GodwitDedupe

/// Undoing the dedupe of an earlier run.
extension Pipeline {
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
        return try strictly(dryRun: dryRun) { isRehearsal throws(GodwitError) in
            let context = isRehearsal ? makeContext(cancellation, progress) : context
            return try report(
                named: Command.dedupe.rawValue, writes: true, dryRun: dryRun || isRehearsal,
                backingUp: Command.dedupe.writtenRoles, context
            ) {
                session, start, report throws(GodwitError) in
                try walk(session, undoing: text, start, &report)
            }
        }
    }

    /// Under the lock: look, undo, books, conclusions.
    private func walk(
        _ session: Session, undoing text: String, _ start: ContinuousClock.Instant, _ report: inout RunReport
    ) throws(GodwitError) {
        session.removeWhatKilledRunsLeft()
        let survey = try session.survey(checkingIntegrity: true)
        try session.requireInput(for: .dedupe, survey)
        try session.requireOneEnvironment(for: .dedupe, survey)
        try session.requireLogs(survey)
        var isRecorded = false
        func duration() -> Int64 { start.duration(to: .now).milliseconds }
        do throws(GodwitError) {
            try session.undo(text, &report) { report, connection throws(GodwitError) in
                try session.write(report, durationMilliseconds: duration(), within: connection)
                isRecorded = true
            }
        } catch {
            // The record of a store that failed to commit went with it; what others have committed belongs into the books.
            if report.undo?.outcome.hasChanges == true {
                try? session.record(report, durationMilliseconds: duration(), failure: error)
            }
            throw error
        }
        if report.overallOutcome.hasChanges, !isRecorded {
            try session.record(report, durationMilliseconds: duration())
        }
        try session.conclude(&report, survey)
    }
}
