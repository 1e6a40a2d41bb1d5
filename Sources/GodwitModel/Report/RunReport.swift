/// The result of a run or a plan: one report for each stage, in the order of the pipeline.
///
/// A stage that is not part of the command is nil. The report of a plan and of the run after it differ only in `run`
/// (identity and time).
public struct RunReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// The identity of the run.
    public var run: RunReport.Identity
    /// The inputs of a saved plan; nil if the plan is not saved.
    package var plan: PlanBasis?
    /// The outcome of the whole run.
    public var outcome: Outcome
    /// Why a run wrote nothing though it had work to do; the report is then that of its plan.
    public var stoppedBy: RunReport.StopCause?
    /// The store that the app uses now.
    public var activeStore: StoreRole?
    /// The backup made before the first write.
    public var backup: RunReport.Backup?
    /// The rollback to a backup.
    public var rollback: RunReport.Rollback?
    /// The reopening of the copy.
    public var reopen: RunReport.Reopen?
    /// Schema files applied to the active store.
    public var schema: RunReport.Schema?
    /// Imported legacy settings and favorites.
    public var legacy: RunReport.Legacy?
    /// Mapped legacy keys that no preferences file has, in manifest order; nil for none.
    public var absentKeys: [String]?
    /// Duplicates in the store to which the run writes.
    public var dedupe: RunReport.Dedupe?
    /// The undo of an earlier run's dedupe.
    public var undo: RunReport.Undo?
    /// The copy from the local store to the cloud store.
    public var copy: RunReport.Copy?
    /// The checks.
    public var verify: RunReport.Verify?
    /// The comparison with a committed expectation.
    package var expectation: ExpectationReport?
    /// Cases in which data may be left behind or lost, though nothing failed.
    public var warnings: [Warning] = []
    /// The data that the warning `leftBehind` sums up; nil for none.
    public var leftBehind: [RunReport.LeftBehind]?
    /// Information that needs no action.
    public var notes: [Note] = []
    /// What to do next, in order.
    public var nextSteps: [String] = []

    package var hasCommittedChanges: Bool {
        !run.dryRun
            && stageOutcomes.contains { $0?.hasChanges == true }
    }

    /// The outcomes of the stages that can change something, in the order of the pipeline.
    package var stageOutcomes: [Outcome?] {
        [
            schema?.outcome, legacy?.outcome, dedupe?.outcome, undo?.outcome, copy?.outcome, rollback?.outcome,
            reopen?.outcome,
        ]
    }

    /// An empty report of a run that begins.
    package init(run: RunReport.Identity, outcome: Outcome = .nothingToDo) {
        (self.run, self.outcome) = (run, outcome)
    }
}

extension RunReport {
    /// The identity of a run.
    public struct Identity: Sendable, Codable {
        /// Upper-case UUID; it also names the run in `godwit_removed` and in the history.
        public var id: String
        /// The command, such as `run` or `plan`.
        public var command: String
        /// The manifest's app.
        public var app: String
        /// The container as given.
        public var container: String
        /// Version of Godwit.
        public var godwitVersion: String
        /// Whether this was a plan: a run on a clone.
        public var dryRun: Bool
        /// When the run began.
        public var startedAt: Instant
        /// The clock, if it was set by an option.
        package var clock: SetClock?
        /// Duration of the run.
        public var durationMilliseconds: Int64?

        /// The identity of a run that begins.
        package init(
            id: String, command: String, app: String, container: String, godwitVersion: String, dryRun: Bool,
            startedAt: Instant
        ) {
            (self.id, self.command, self.app, self.container) = (id, command, app, container)
            (self.godwitVersion, self.dryRun, self.startedAt) = (godwitVersion, dryRun, startedAt)
        }
    }
}

/// The outcome of a stage or a run.
public enum Outcome: String, Sendable, Codable {
    /// Something changed, and the stage succeeded.
    case done
    /// A receipt or flag of an earlier run shows that the stage is complete; nothing was opened for writing.
    case alreadyDone
    /// An earlier run committed and then stopped; this run completed its last step.
    case healed
    /// There was nothing to do.
    case nothingToDo
    /// Done, but some values have the outcome `conflict` or `unsupported`.
    case partial
    /// The stage failed and committed nothing.
    case failed

    /// Whether something was written.
    public var hasChanges: Bool { self == .done || self == .healed || self == .partial }
}

/// The two roles of a store.
public enum StoreRole: String, Sendable, Codable, CaseIterable {
    /// The store on the device.
    case local
    /// The store that is synced.
    case cloud
}

extension RunReport {
    /// Why a run stopped before its first write.
    public enum StopCause: String, Sendable, Codable {
        /// A strict run: its plan found warnings, or values that would be left behind.
        case strict
    }
}

extension RunReport {
    /// Whether a strict run must stop: data may be left behind or lost.
    package var isDoubtful: Bool { !warnings.isEmpty || outcome == .partial }

    /// Why a strict run stops, in words.
    package var doubts: String {
        let found = warnings.isEmpty ? nil : warnings.count.counted("warning")
        let values = outcome == .partial ? "values that would stay behind" : nil
        let checks = outcome == .failed ? "checks that would fail" : nil
        return [found, values, checks].compactMap(\.self).joined(separator: " and ")
    }

    /// The error of a strict run that stopped; nil for other runs.
    package var stopError: GodwitError? {
        stoppedBy == .strict ? strictError : nil
    }

    /// The error of a strict run or plan with warnings, or with values that would stay behind.
    package var strictError: GodwitError {
        let first = warnings.first.map { "; the first: \($0.message)" } ?? ""
        let stop =
            stoppedBy == .strict
            ? "strict run stopped at \(doubts) and wrote nothing"
            : run.dryRun ? "a strict run would stop at \(doubts) and write nothing" : "\(doubts) under \(name: .strict)"
        var error = GodwitError(
            .container, outcome == .failed ? .difference : .partial,
            stop + first,
            hint: warnings.first?.hint)
        error.report = self
        return error
    }

    /// Moves the warnings that only inform to the notes.
    package mutating func separateNotes() {
        notes += warnings.filter(\.isNote).map(Note.init)
        warnings.removeAll(where: \.isNote)
    }
}

extension RunReport {
    /// Information that needs no action.
    public struct Note: Sendable, Codable, Hashable {
        /// A stable code for programs, such as `walMissing`.
        public var code: String
        /// One line for the reader.
        public var message: String
        /// What the reader can do.
        public var hint: String?

        init(_ warning: Warning) {
            (code, message, hint) = (warning.code, warning.message, warning.hint)
        }
    }
}

/// A case in which data may be left behind or lost, though nothing failed.
public struct Warning: Sendable, Codable, Hashable {
    /// A stable code for programs, such as `leftBehind`.
    public var code: String
    /// One line for the reader.
    public var message: String
    /// What to do next.
    public var hint: String?
    /// The position in the manifest or a schema file; nil if it is in neither.
    public var position: GodwitError.Position?

    private enum CodingKeys: String, CodingKey {
        case code, message, hint
        case position = "place"
    }

    /// A warning.
    package init(_ code: String, _ message: String, hint: String? = nil, position: GodwitError.Position? = nil) {
        (self.code, self.message, self.hint, self.position) = (code, message, hint, position)
    }
}

extension Warning {
    /// The message after its position, as in `godwit.yaml:45:12: …`.
    package var positioned: String {
        guard let position else { return message }
        let numbers = [position.line, position.column].compactMap { $0.map { ":\($0)" } }.joined()
        return "\(position.file)\(numbers): \(message)"
    }
}

extension Warning {
    /// Whether it only informs: it reports no data that is left behind or lost.
    fileprivate var isNote: Bool { Self.noteCodes.contains(code) }

    private static let noteCodes: Set<String> = [
        // The store was closed cleanly; only a command that needs the `-wal` file must ask for it.
        "walMissing",
        // Changes that users made in the cloud store after the copy.
        "changedInCloud",
        // The first merge of a further device.
        "copiedAfterAnother",
        // An index of other tables' records has no records of its own.
        "indexNotFilled",
        // Two files have different values of a key; that the first one counts is the rule.
        "valuesDiffer",
        // Dates changed by less than half a millisecond.
        "datesRounded",
        // Known and intended: the user's choice, the account's state, or an option.
        "localOnly", "syncOff", "orphans", "orphansSettled",
        // About the history of the sync, which does not affect the data.
        "syncEventTorn", "syncEventUnreadable", "syncEventsTruncated", "syncEventsUnread", "syncStoresTooMany",
    ]
}
