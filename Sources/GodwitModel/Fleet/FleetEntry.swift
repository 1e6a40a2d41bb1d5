/// What came of one container of a fleet.
public struct FleetEntry: Sendable, Codable {
    /// Its name: the path below the folder, `.` for the folder itself; else the path as it was matched or listed.
    public var container: String
    /// What came of it.
    public var verdict: FleetVerdict
    /// How long it took, with waiting for locks; nil where nothing was begun.
    public var durationMilliseconds: Int64?
    /// What became of the run; nil for other commands.
    public var outcome: Outcome?
    /// The export that was written, or the earlier one that has the same content; nil for other commands.
    public var file: String?
    /// How many checks passed.
    public var passed: Int
    /// The checks that failed.
    public var failed: [VerifiedCheck]
    /// What came of comparing with its expectation, where that was asked for.
    public var expectation: ExpectationReport?
    /// What a person should know of it though nothing failed; nil where there is nothing.
    public var warnings: [Warning]?
    /// Mapped keys that none of its preferences files has; nil where none was read.
    public var absentKeys: [String]?
    /// The backup of it, made before its first write; nil for none.
    public var backup: FleetBackup?
    /// Why it could not be done.
    public var error: FleetError?

    /// What came of a container that was run or verified to the end.
    public init(container: String, command: FleetCommand = .verify, report: RunReport) {
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
        if let legacy = report.legacy, legacy.outcome != .alreadyDone { absentKeys = report.absentKeys ?? [] }
        verdict =
            switch report.outcome {
            case _ where !isGood: .failed
            case .failed: .failed
            case .partial: .partial
            case .done, .healed: .completed
            case .alreadyDone, .nothingToDo: .unchanged
            }
    }

    /// What came of one that was exported.
    public init(container: String, report: ExportReport) {
        self.container = container
        (passed, failed) = (0, [])
        verdict = report.unchangedSince == nil ? .completed : .unchanged
        file = report.file ?? report.unchangedSince
        warnings = report.warnings.isEmpty ? nil : report.warnings
    }

    /// What came of one that could not be done.
    public init(container: String, command: FleetCommand = .verify, error: GodwitError) {
        self.container = container
        (passed, failed) = (0, [])
        verdict = command == .verify ? .unreadable : .failed
        // The plan of a strict run that was stopped made none.
        if let report = error.report, !report.run.dryRun {
            backup = report.backup.map { FleetBackup(folder: $0.folder) }
        }
        self.error = FleetError(
            code: error.code.rawValue, stage: error.stage,
            message: error.underlying.map { "\(error.message) (\($0))" } ?? error.message, hint: error.hint)
    }
}

/// The backup of one container, which can be put back by itself.
public struct FleetBackup: Sendable, Codable, Hashable {
    /// The folder of the backup; in a plan, the folder that a run would make.
    public var folder: String
    /// The command that puts it back; nil in a plan.
    public var rollback: String?

    package init(folder: String, rollback: String? = nil) { (self.folder, self.rollback) = (folder, rollback) }
}

/// An error of one container, which did not stop the others.
public struct FleetError: Sendable, Codable {
    /// What the command would exit with for this container alone.
    public var code: Int32
    /// Where it happened.
    public var stage: Stage
    /// What and where, in one line.
    public var message: String
    /// What to do next.
    public var hint: String?
}
