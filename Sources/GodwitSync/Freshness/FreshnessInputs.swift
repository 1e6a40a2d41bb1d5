package import GodwitModel

/// The inputs of a verdict on an export's freshness, which `FreshnessAssessor` makes.
package struct FreshnessInputs: Sendable {
    package var now: Instant
    /// Date of the newest exported record; nil if no record has a readable date.
    package var newestRecordAt: Instant?
    /// When the exported store was last changed on this device.
    package var lastLocalSaveAt: Instant?
    /// When the last import or export with the cloud succeeded: `SyncState.lastSyncAt`.
    package var lastSyncAt: Instant?
    /// Age from which the verdict is `warn`; nil if the manifest sets none.
    package var warnAfter: Span?
    /// Age from which the verdict is `error`; nil if the manifest sets none.
    package var errorAfter: Span?
    /// Account, network, summary and last error: `SyncState.overview(account:network:)`.
    package var sync: Freshness.Sync
    /// Local records that the cloud store does not have or has with other values; nil if not known.
    package var pendingChanges: Int64?
    /// The state of the copy to the cloud store.
    package var copy: StatusReport.CopyState
    /// When the copy was made that was reopened and is not made again; nil for none.
    package var reopenedCopyAt: Instant?
    package var activeStore: StoreRole?
    /// Number of exported records of all entities.
    package var recordCount: Int64
    /// The problem with the store's `-wal` file; nil for none.
    package var logGap: LogGap?
    /// Whether the last sync event was less than 3 seconds ago: `SyncState.isSettling(asOf:)`.
    package var isSettling: Bool
    /// Why the exported data is only on this device though it was copied; nil if not known.
    package var isolation: StoreIsolation?
    /// Whether a record is dated more than 5 minutes after now; also derived from `newestRecordAt`.
    package var hasClockSkew: Bool

    /// Inputs; every default means a fresh export.
    package init(
        now: Instant, newestRecordAt: Instant?, recordCount: Int64, activeStore: StoreRole?,
        copy: StatusReport.CopyState,
        sync: Freshness.Sync, lastLocalSaveAt: Instant? = nil, lastSyncAt: Instant? = nil, warnAfter: Span? = nil,
        errorAfter: Span? = nil, pendingChanges: Int64? = 0, logGap: LogGap? = nil, isSettling: Bool = false,
        isolation: StoreIsolation? = nil,
        hasClockSkew: Bool = false
    ) {
        (self.isSettling, self.isolation, self.now, self.newestRecordAt) = (isSettling, isolation, now, newestRecordAt)
        (self.lastLocalSaveAt, self.lastSyncAt, self.warnAfter) = (lastLocalSaveAt, lastSyncAt, warnAfter)
        (self.errorAfter, self.sync) = (errorAfter, sync)
        self.pendingChanges = pendingChanges.map { max(0, $0) }
        (self.copy, self.activeStore) = (copy, activeStore)
        self.recordCount = max(0, recordCount)
        (self.logGap, self.hasClockSkew) = (logGap, hasClockSkew)
    }
}

/// Why an exported store does not get the data of other devices.
package enum StoreIsolation: Sendable, Hashable {
    case syncOff
    /// The store was requested by name, and the app uses the other one.
    case notActive
}
