/// What a run did, or a plan found it would do: one report for each stage, in the order of the pipeline.
///
/// A stage that was not part of the command is nil. Apart from `run` (identity and time) the report of a plan and the
/// report of the run that follows are equal.
public struct RunReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// Who ran, when, on what.
    public var run: RunIdentity
    /// What a rehearsal was decided by, where it was to be saved.
    public var plan: PlanBasis?
    /// What became of the whole.
    public var outcome: Outcome
    /// Why a run wrote nothing though it had work to do; the report is then that of its rehearsal.
    public var stoppedBy: StopCause?
    /// Which store the app should use now.
    public var activeStore: StoreRole?
    /// The backup made before the first write.
    public var backup: BackupReport?
    /// A backup put back.
    public var rollback: RollbackReport?
    /// The copy made pending again.
    public var reopen: ReopenReport?
    /// Schema files into the active store.
    public var schema: SchemaReport?
    /// Legacy settings and favourites.
    public var legacy: LegacyReport?
    /// Mapped legacy keys that no preferences file has, in the manifest's order; nil for none.
    public var absentKeys: [String]?
    /// Duplicates in the store the run writes to.
    public var dedupe: DedupeReport?
    /// Duplicates of an earlier run, put back.
    public var undo: UndoReport?
    /// Local to cloud.
    public var copy: CopyReport?
    /// Proofs.
    public var verify: VerifyReport?
    /// What came of comparing with a committed expectation.
    public var expectation: ExpectationReport?
    /// What may leave data behind or lose it, though nothing failed.
    public var warnings: [Warning] = []
    /// What the warning `leftBehind` sums up; nil for nothing.
    public var leftBehind: [LeftBehind]?
    /// What is good to know, and asks for nothing.
    public var notes: [Note] = []
    /// What to do next, in order.
    public var nextSteps: [String] = []

    /// Whether any stage has committed something.
    package var hasCommittedChanges: Bool {
        !run.dryRun
            && stageOutcomes.contains { $0?.hasChanges == true }
    }

    /// The outcomes of the stages that may change something, in the order of the pipeline.
    package var stageOutcomes: [Outcome?] {
        [
            schema?.outcome, legacy?.outcome, dedupe?.outcome, undo?.outcome, copy?.outcome, rollback?.outcome,
            reopen?.outcome,
        ]
    }

    /// An empty report of a run that begins.
    public init(run: RunIdentity, outcome: Outcome = .nothingToDo) {
        self.run = run
        self.outcome = outcome
    }
}

/// Who ran, when, on what.
public struct RunIdentity: Sendable, Codable {
    /// Upper-case UUID; also names the run in `godwit_removed` and the history.
    public var id: String
    /// The command, such as `run` or `plan`.
    public var command: String
    /// The manifest's app.
    public var app: String
    /// The container as given.
    public var container: String
    /// Version of Godwit.
    public var godwitVersion: String
    /// Whether this was a rehearsal on a private copy.
    public var dryRun: Bool
    /// When the run began.
    public var startedAt: Instant
    /// The clock, if it was set by hand.
    public var clock: SetClock?
    /// How long it took.
    public var durationMilliseconds: Int64?

    /// The identity of a run that begins.
    public init(
        id: String, command: String, app: String, container: String, godwitVersion: String, dryRun: Bool,
        startedAt: Instant
    ) {
        self.id = id
        self.command = command
        self.app = app
        self.container = container
        self.godwitVersion = godwitVersion
        self.dryRun = dryRun
        self.startedAt = startedAt
    }
}

/// What became of a stage or a run.
public enum Outcome: String, Sendable, Codable {
    /// Something was changed, and it succeeded.
    case done
    /// A receipt or flag of an earlier run says it is done; nothing was opened for writing.
    case alreadyDone
    /// An earlier run had committed and then stopped; this one finished its last step.
    case healed
    /// There was nothing to do.
    case nothingToDo
    /// Done, but some values ended in `conflict` or `unsupported`.
    case partial
    /// It failed; nothing of the failing stage was committed.
    case failed

    /// Whether anything was written.
    public var hasChanges: Bool { self == .done || self == .healed || self == .partial }
}

/// The two roles of a store.
public enum StoreRole: String, Sendable, Codable, CaseIterable {
    /// On this device.
    case local
    /// The one that is synced.
    case cloud
}

/// Why a run stopped ahead of its first write.
public enum StopCause: String, Sendable, Codable {
    /// It was to be strict, and its rehearsal found warnings, or values that would stay behind.
    case strict
}

extension RunReport {
    /// Whether a strict run has to stop: something may be left behind or lost.
    package var isDoubtful: Bool { !warnings.isEmpty || outcome == .partial }

    /// What a strict run stops for, in words.
    package var doubts: String {
        let found = warnings.isEmpty ? nil : warnings.count.counted("warning")
        let values = outcome == .partial ? "values that would stay behind" : nil
        let checks = outcome == .failed ? "checks that would fail" : nil
        return [found, values, checks].compactMap(\.self).joined(separator: " and ")
    }

    /// What a strict run that stopped ends with, where its report alone is not enough.
    package var stopError: GodwitError? {
        guard stoppedBy == .strict else { return nil }
        let first = warnings.first.map { " The first: \($0.message)" } ?? ""
        var error = GodwitError(
            .container, outcome == .failed ? .difference : .partial,
            "A strict run stops at \(doubts), and wrote nothing.\(first)", hint: warnings.first?.hint)
        error.report = self
        return error
    }

    /// The same with what only informs taken out of the warnings.
    package mutating func separateNotes() {
        notes += warnings.filter(\.isNote).map(Note.init)
        warnings.removeAll(where: \.isNote)
    }
}

/// Something that is good to know, and asks for nothing.
public struct Note: Sendable, Codable, Hashable {
    /// A stable word for programs, such as `walMissing`.
    public var code: String
    /// One line for people.
    public var message: String
    /// What can be done about it.
    public var hint: String?

    init(_ warning: Warning) {
        (code, message, hint) = (warning.code, warning.message, warning.hint)
    }
}

/// Something that may leave data behind or lose it, though nothing failed.
public struct Warning: Sendable, Codable, Hashable {
    /// A stable word for programs, such as `walMissing`.
    public var code: String
    /// One line for people.
    public var message: String
    /// What to do about it.
    public var hint: String?
    /// Where in the manifest or a schema file it is; nil if in neither.
    public var place: FilePosition?

    /// A warning.
    public init(_ code: String, _ message: String, hint: String? = nil, place: FilePosition? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.place = place
    }
}

extension Warning {
    /// The message after its position, as in `godwit.yaml:45:12: …`.
    package var positioned: String {
        guard let place else { return message }
        let numbers = [place.line, place.column].compactMap { $0.map { ":\($0)" } }.joined()
        return "\(place.file)\(numbers): \(message)"
    }
}

extension Warning {
    /// Whether it only informs, in the report of a run: nothing is left behind or lost by what it says.
    fileprivate var isNote: Bool { Self.noteCodes.contains(code) }

    private static let noteCodes: Set<String> = [
        // The store was closed cleanly; whoever expects a log asks for one.
        "walMissing",
        // What users did in the cloud store after the copy.
        "changedInCloud",
        // The first merge of a further device.
        "copiedAfterAnother",
        // An index of other tables' records holds none of its own.
        "indexNotFilled",
        // Less than half a millisecond each.
        "datesRounded",
        // Known and meant: the user's choice, the account's state, or an option that was given.
        "localOnly", "syncOff", "orphans", "orphansSettled",
        // Of the history of the sync, which decides nothing about the data.
        "syncEventTorn", "syncEventUnreadable", "syncEventsTruncated", "syncEventsUnread", "syncStoresTooMany",
    ]
}
