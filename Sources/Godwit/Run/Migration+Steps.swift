internal import GodwitCopy
internal import GodwitModel
internal import Logging

/// The order of the steps of a run. Only these functions write its report.
extension Migration {
    /// A command's steps in their order, under the lock.
    func walk(
        _ stores: StoreOpener, _ command: Command, _ start: ContinuousClock.Instant, _ report: inout RunReport
    ) throws(GodwitError) {
        let survey: ContainerSurvey
        var isRecorded = false
        do throws(GodwitError) {
            survey = try SurveyReading(stores).read(checkingIntegrity: stores.watch == nil && command != .verify)
            logger.debug("read the stores", metadata: survey.metadata)
            try Admission(stores).requireReady(for: command, survey)
            if command.copies { report.warnings += try InputSurvey(stores).unnamedStores(survey) }
            do throws(GodwitError) {
                try work(stores, command, survey, start, &report, &isRecorded)
                try stores.watch?.requireSound()
            } catch {
                // A damaged store is not written to.
                try stores.watch?.requireSound(after: error)
                if command.writes, !isRecorded {
                    RunLedger(stores).recordFailure(error, of: report, start.duration(to: .now).milliseconds)
                }
                throw error
            }
        } catch {
            try stores.watch?.requireSound(after: error)
            throw error
        }
        report = try Advice(stores).concluded(report, survey)
    }

    /// The stages in their order, and the ledger.
    private func work(
        _ stores: StoreOpener, _ command: Command, _ survey: ContainerSurvey, _ start: ContinuousClock.Instant,
        _ report: inout RunReport, _ isRecorded: inout Bool
    ) throws(GodwitError) {
        let ledger = RunLedger(stores)
        report.take(
            try report.taking { () throws(GodwitError) in
                try StructuredStep(stores).run(command.structuredStages, survey, copiesNext: command.copies)
            })
        logger.debug("schema, legacy and dedupe: done")
        if command.copies {
            let isRecordedLocally = try ledger.store(for: report.run.command) == .local
            let copy = try report.taking { () throws(GodwitError) in
                try CopyStep(stores).run(survey, isRecordedLocally: isRecordedLocally)
            }
            report.take(copy.stages)
            if let commit = copy.commit {
                if survey.isCopyToBeMadeAgain, command.structuredStages.legacy,
                    let legacy = try StructuredStep(stores).importAfterCopy(survey)
                {
                    report.legacy = legacy
                }
                try record(report, start, commit, ledger)
                isRecorded = true
                report.copy?.flag = try stores.scope.flag.state()
            }
            logger.debug("copy: \(report.copy?.outcome.rawValue ?? "not asked for")")
        }
        let verify = VerifyStep(stores)
        if command == .verify { report.verify = try verify.verifyUnmigrated(survey) }
        if command.verifies, report.verify == nil {
            report.verify = try verify.verify(command.proof(after: report))
        }
        // The row says `done`: a failed verification replaces it.
        let isToBeCorrected = isRecorded && report.verify?.outcome == .failed
        if command.writes, report.overallOutcome.hasChanges && !isRecorded || isToBeCorrected {
            try ledger.record(report, durationMilliseconds: start.duration(to: .now).milliseconds)
            isRecorded = true
        }
    }

    /// Records a copy, then sets its flag.
    private func record(
        _ report: RunReport, _ start: ContinuousClock.Instant, _ commit: FlagCommit, _ ledger: RunLedger
    ) throws(GodwitError) {
        do throws(GodwitError) {
            try ledger.record(report, durationMilliseconds: start.duration(to: .now).milliseconds, commit: commit)
        } catch {
            // If the flag is set, the copy is complete, and the error is not about it.
            throw (try? commit.flag.state())?.isSet == true ? error : error.afterCommit()
        }
    }
}
