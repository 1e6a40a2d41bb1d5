package import GodwitModel

/// All that a verdict on an export's freshness is made of; gathered by the caller, judged by `FreshnessAssessor`.
package struct FreshnessInputs: Sendable {
    /// The time the verdict speaks of.
    package var now: Instant
    /// Date of the newest exported record; nil where none has a readable date.
    package var newestRecordAt: Instant?
    /// When the exported store was last changed on this device.
    package var lastLocalSaveAt: Instant?
    /// When the last import or export with the cloud succeeded: `SyncState.lastSyncAt`.
    package var lastSyncAt: Instant?
    /// Age from which the export is old; nil where the manifest names none.
    package var warnAfter: Span?
    /// Age from which the export is too old; nil where the manifest names none.
    package var errorAfter: Span?
    /// Account, network, summary and last error: `SyncState.overview(account:network:)`.
    package var sync: SyncOverview
    /// Local records that the cloud store lacks or holds differently; nil where that can't be told.
    package var pendingChanges: Int64?
    /// How far the copy to the cloud store is.
    package var copy: CopyState
    /// Which store was exported; nil where there is none.
    package var activeStore: StoreRole?
    /// Exported records of all entities.
    package var recordCount: Int64
    /// What is wrong with the store's write-ahead log.
    package var logGap: LogGap?
    /// Whether fewer than 3 seconds had gone by since the last event of a sync: `SyncState.isSettling(asOf:)`.
    package var isSettling: Bool
    /// Why the exported data is on this device only although it has been copied; nil where nothing says so.
    package var isolation: StoreIsolation?
    /// Whether some record is dated later than now + 5 minutes; found from `newestRecordAt` as well.
    package var hasClockSkew: Bool

    /// Inputs; what has a default speaks for freshness.
    package init(
        now: Instant, newestRecordAt: Instant?, recordCount: Int64, activeStore: StoreRole?, copy: CopyState,
        sync: SyncOverview, lastLocalSaveAt: Instant? = nil, lastSyncAt: Instant? = nil, warnAfter: Span? = nil,
        errorAfter: Span? = nil, pendingChanges: Int64? = 0, logGap: LogGap? = nil, isSettling: Bool = false,
        isolation: StoreIsolation? = nil,
        hasClockSkew: Bool = false
    ) {
        self.isSettling = isSettling
        self.isolation = isolation
        self.now = now
        self.newestRecordAt = newestRecordAt
        self.lastLocalSaveAt = lastLocalSaveAt
        self.lastSyncAt = lastSyncAt
        self.warnAfter = warnAfter
        self.errorAfter = errorAfter
        self.sync = sync
        self.pendingChanges = pendingChanges.map { max(0, $0) }
        self.copy = copy
        self.activeStore = activeStore
        self.recordCount = max(0, recordCount)
        self.logGap = logGap
        self.hasClockSkew = hasClockSkew
    }
}

/// What keeps an exported store from what other devices have.
package enum StoreIsolation: Sendable, Hashable {
    /// Sync is turned off in the app.
    case syncOff
    /// It was asked for by name, and the app uses the other one.
    case notActive
}
