/// The state of a container: stores, copy, sync, pending changes, last runs.
public struct StatusReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// The manifest's app.
    public var app: String
    /// The container as given.
    public var container: String
    /// The CloudKit environment that the manifest names; nil if it names none.
    public var environment: Manifest.Environment?
    /// The time of the status.
    public var asOf: Instant
    /// The clock, if it was set by an option.
    package var clock: SetClock?
    /// The store that the app should use; nil if there is none.
    public var activeStore: StoreRole?
    /// That store and the reason; nil in reports of older versions.
    public var choice: ActiveStore?
    /// The local store.
    public var local: StatusReport.Store
    /// The cloud store.
    public var cloud: StatusReport.Store
    /// The state of the copy.
    public var copy: StatusReport.CopyState
    /// Time of the copy that was reopened and not made again; nil without one.
    public var reopenedCopyAt: Instant?
    /// The completion flag.
    public var flag: RunReport.Flag
    /// The known state of the sync.
    public var sync: Freshness.Sync
    /// Setup, import and export.
    package var phases: [StatusReport.Phase]
    /// The latest error of the phases that are failed now, with its meaning; nil for none.
    package var lastError: StatusReport.SyncError?
    /// The text that an app can show to its user.
    public var userStatus: StatusReport.UserSync
    /// Local records by entity that the cloud store does not have or has with other values; nil if not known.
    public var pendingChanges: [String: Int64]?
    /// The run in progress on the container; nil if no run reports progress.
    package var running: StatusReport.Running?
    /// The last runs, newest first.
    public var lastRuns: [HistoryEntry]
    /// Warnings of the status.
    public var warnings: [Warning]
    /// What to do next, in order.
    public var nextSteps: [String]

    /// A status.
    package init(
        app: String, container: String, asOf: Instant, activeStore: StoreRole?, local: StatusReport.Store,
        cloud: StatusReport.Store, copy: StatusReport.CopyState, flag: RunReport.Flag, sync: Freshness.Sync,
        phases: [StatusReport.Phase],
        userStatus: StatusReport.UserSync, pendingChanges: [String: Int64]?, lastRuns: [HistoryEntry],
        warnings: [Warning] = [], nextSteps: [String] = [], lastError: StatusReport.SyncError? = nil,
        running: StatusReport.Running? = nil
    ) {
        (self.app, self.container, self.asOf, self.activeStore) = (app, container, asOf, activeStore)
        (self.local, self.cloud, self.copy, self.flag) = (local, cloud, copy, flag)
        (self.sync, self.phases, self.lastError, self.userStatus) = (sync, phases, lastError, userStatus)
        (self.pendingChanges, self.running, self.lastRuns) = (pendingChanges, running, lastRuns)
        (self.warnings, self.nextSteps) = (warnings, nextSteps)
    }
}

extension StatusReport {
    /// The state of one store.
    public struct Store: Sendable, Codable {
        /// Path inside the container.
        public var file: String
        /// Whether the store exists.
        public var exists: Bool
        /// Applied schema version; nil if the store has no history.
        public var schemaVersion: Int?
        /// Records by entity.
        public var counts: [String: Int64]
        /// When it was last changed.
        public var modifiedAt: Instant?
        /// Number of schema files that are not applied yet.
        public var pendingMigrations: Int

        /// A store's status.
        package init(
            file: String, exists: Bool, schemaVersion: Int? = nil, counts: [String: Int64] = [:],
            modifiedAt: Instant? = nil, pendingMigrations: Int = 0
        ) {
            (self.file, self.exists, self.schemaVersion, self.counts) = (file, exists, schemaVersion, counts)
            (self.modifiedAt, self.pendingMigrations) = (modifiedAt, pendingMigrations)
        }
    }
}

extension StatusReport {
    /// The state of the copy.
    public enum CopyState: String, Sendable, Codable {
        /// No receipt and no flag.
        case notDone
        /// The receipt of another device's copy and no flag: this device has not copied yet.
        case notDoneHere
        /// A receipt without its flag: the next run sets the flag.
        case interrupted
        /// Receipt and flag.
        case done
        /// A flag without its receipt: another program set the flag, or the store was replaced.
        case flagWithoutReceipt
    }
}

extension StatusReport {
    /// The state of setup, import or export.
    package struct Phase: Sendable, Codable, Equatable {
        /// `setup`, `import` or `export`.
        package var phase: String
        /// `notStarted`, `inProgress`, `succeeded` or `failed`.
        package var state: String
        /// When it began.
        package var startedAt: Instant?
        /// When it ended.
        package var endedAt: Instant?
        /// The error's domain and code.
        package var error: String?

        /// A phase's status.
        package init(
            phase: String, state: String, startedAt: Instant? = nil, endedAt: Instant? = nil, error: String? = nil
        ) {
            (self.phase, self.state, self.startedAt, self.endedAt) = (phase, state, startedAt, endedAt)
            self.error = error
        }
    }
}

extension StatusReport {
    /// The text that an app can show to its user.
    public struct UserSync: Sendable, Codable, Equatable {
        /// `notConfigured`, `localOnly`, `offline`, `syncing`, `synced` or `error`.
        public var state: String
        /// One sentence, in the requested language.
        public var message: String
        /// What to do next, in the requested language.
        public var nextStep: String?
        /// Whether signing in would help.
        public var needsSignIn: Bool
        /// Whether trying again may help.
        public var canRetry: Bool

        /// A user's status.
        package init(state: String, message: String, nextStep: String? = nil, needsSignIn: Bool, canRetry: Bool) {
            (self.state, self.message, self.nextStep, self.needsSignIn) = (state, message, nextStep, needsSignIn)
            self.canRetry = canRetry
        }
    }
}

/// One recorded run.
public struct HistoryEntry: Sendable, Codable, Equatable {
    /// The run's identifier.
    public var id: String
    /// The command.
    public var command: String
    /// When it began.
    public var startedAt: Instant
    /// Duration of the run.
    public var durationMilliseconds: Int64
    /// The outcome of the run.
    public var outcome: Outcome
    /// One line: `40 Workout, 600 ExerciseSet`.
    public var summary: String
    /// Number of processed records by entity.
    public var counts: [String: Int64]
    /// The error's message; nil if the run did not fail.
    public var error: String?
    /// Version of Godwit.
    public var godwitVersion: String

    /// A recorded run.
    package init(
        id: String, command: String, startedAt: Instant, durationMilliseconds: Int64, outcome: Outcome,
        summary: String, counts: [String: Int64] = [:], error: String? = nil, godwitVersion: String
    ) {
        (self.id, self.command, self.startedAt) = (id, command, startedAt)
        (self.durationMilliseconds, self.outcome, self.summary) = (durationMilliseconds, outcome, summary)
        (self.counts, self.error, self.godwitVersion) = (counts, error, godwitVersion)
    }
}

/// The recorded runs of a container, newest first.
package struct HistoryReport: Sendable, Codable {
    /// Version of this format.
    package var reportVersion = 1
    /// The manifest's app.
    package var app: String
    /// The container as given.
    package var container: String
    /// The clock, if it was set by an option.
    package var clock: SetClock?
    /// Newest first.
    package var runs: [HistoryEntry]

    /// A history.
    package init(app: String, container: String, runs: [HistoryEntry]) {
        (self.app, self.container, self.runs) = (app, container, runs)
    }
}

extension StatusReport {
    /// Whether sync does not work, by its observed state or because the cloud store cannot be opened.
    package var isSyncBroken: Bool { sync.status.isBroken || choice?.error != nil }
}
