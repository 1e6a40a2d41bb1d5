/// The result for one container of a fleet.
package struct FleetEntry: Sendable, Codable {
    /// The container's name: its path below the folder (`.` for the folder itself), or the path as matched or listed.
    package var container: String
    /// The verdict on the container.
    package var verdict: FleetVerdict
    /// Duration, including the wait for locks; nil if no work began.
    package var durationMilliseconds: Int64?
    /// The outcome of the run; nil for other commands.
    package var outcome: Outcome?
    /// The export that was written, or the earlier one that has the same content; nil for other commands.
    package var file: String?
    /// How many checks passed.
    package var passed: Int
    /// The checks that failed.
    package var failed: [RunReport.Verify.Check]
    /// The comparison with the container's expectation; nil if none was requested.
    package var expectation: ExpectationReport?
    /// Warnings of the command; nil for none.
    package var warnings: [Warning]?
    /// Mapped keys that no preferences file of the container has; nil if no preferences were read.
    package var absentKeys: [String]?
    /// The backup, made before the first write to the container; nil for none.
    package var backup: FleetBackup?
    /// The error that stopped the command for this container; nil for none.
    package var error: FleetError?

    /// The entry of a container whose run or verify is complete.
    package init(container: String, command: FleetCommand = .verify, report: RunReport) {
        self.container = container
        let checks = report.verify?.checks ?? []
        passed = checks.count { $0.verdict == .passed }
        failed = checks.filter { $0.verdict == .failed }
        expectation = report.expectation
        warnings = report.warnings.isEmpty ? nil : report.warnings
        let isGood = failed.isEmpty && expectation?.verdict != .differs
        guard command != .verify else {
            verdict = isGood ? .passed : .failed
            return
        }
        outcome = report.outcome
        backup = report.backup.map { FleetBackup(folder: $0.folder) }
        if let legacy = report.legacy, legacy.outcome != .alreadyDone, legacy.earlier == nil {
            absentKeys = report.absentKeys ?? []
        }
        verdict =
            switch report.outcome {
            case _ where !isGood: .failed
            case .failed: .failed
            case .partial: .partial
            case .done, .healed: .completed
            case .alreadyDone, .nothingToDo: .unchanged
            }
    }

    /// The entry of an exported container.
    package init(container: String, report: ExportReport) {
        self.container = container
        (passed, failed) = (0, [])
        verdict = report.unchangedSince == nil ? .completed : .unchanged
        file = report.file ?? report.unchangedSince
        warnings = report.warnings.isEmpty ? nil : report.warnings
    }

    /// The entry of a container that stopped with an error.
    package init(container: String, command: FleetCommand = .verify, error: GodwitError) {
        self.container = container
        (passed, failed) = (0, [])
        verdict = command == .verify ? .unreadable : .failed
        // A strict plan that was stopped made no backup.
        if let report = error.report, !report.run.dryRun {
            backup = report.backup.map { FleetBackup(folder: $0.folder) }
        }
        self.error = FleetError(
            code: error.code.rawValue, stage: error.stage,
            message: error.underlying.map { "\(error.message): \($0)" } ?? error.message, hint: error.hint)
    }
}

/// The backup of one container; it can be restored without the other containers.
package struct FleetBackup: Sendable, Codable, Hashable {
    /// The folder of the backup; in a plan, the folder that a run would make.
    package var folder: String
    /// The command that restores it; nil in a plan.
    package var rollback: String?

    package init(folder: String, rollback: String? = nil) { (self.folder, self.rollback) = (folder, rollback) }
}

/// An error of one container, which did not stop the work on the others.
package struct FleetError: Sendable, Codable {
    /// The exit code that the command would have for only this container.
    package var code: Int32
    /// The stage that failed.
    package var stage: GodwitError.Stage
    /// What failed and where, in one line.
    package var message: String
    /// What to do next.
    package var hint: String?
}
