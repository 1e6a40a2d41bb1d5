/// How stale an export may be: criteria plus inputs plus verdict.
public struct Freshness: Sendable, Codable, Equatable {
    /// The verdict.
    public var status: FreshnessStatus
    /// True unless everything known says that the export shows the latest data.
    public var mayBeStale: Bool
    /// Why; empty when nothing speaks against it.
    public var reasons: [FreshnessReason]
    /// Date of the newest exported record.
    public var newestRecordAt: Instant?
    /// When the store was last changed on this device.
    public var lastLocalSaveAt: Instant?
    /// When the last import or export with the cloud succeeded.
    public var lastSyncAt: Instant?
    /// From `newestRecordAt` to the time of the export, in seconds; never negative.
    public var ageSeconds: Int64?
    /// What the verdict was measured against.
    public var criteria: FreshnessCriteria
    /// What is known of the sync.
    public var sync: SyncOverview
    /// Local records that the cloud store lacks or holds differently; nil where that can't be told.
    public var pendingChanges: Int64?

    /// A verdict with all that led to it.
    public init(
        status: FreshnessStatus, mayBeStale: Bool, reasons: [FreshnessReason], newestRecordAt: Instant?,
        lastLocalSaveAt: Instant?, lastSyncAt: Instant?, ageSeconds: Int64?, criteria: FreshnessCriteria,
        sync: SyncOverview, pendingChanges: Int64?
    ) {
        self.status = status
        self.mayBeStale = mayBeStale
        self.reasons = reasons
        self.newestRecordAt = newestRecordAt
        self.lastLocalSaveAt = lastLocalSaveAt
        self.lastSyncAt = lastSyncAt
        self.ageSeconds = ageSeconds
        self.criteria = criteria
        self.sync = sync
        self.pendingChanges = pendingChanges
    }
}

/// The verdict on an export's age.
public enum FreshnessStatus: String, Sendable, Codable, CaseIterable {
    /// Nothing speaks against it.
    case pass
    /// It may be stale.
    case warn
    /// It is stale.
    case error
    /// There is nothing in it.
    case noData
    /// Nothing speaks against it, but no criteria say how old it may be.
    case notJudged
}

/// One reason why an export may be stale.
public struct FreshnessReason: Sendable, Codable, Hashable {
    /// A stable word for programs.
    public var code: FreshnessCode
    /// One sentence for people.
    public var message: String

    /// A reason.
    public init(_ code: FreshnessCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// The reasons why an export may be stale.
public enum FreshnessCode: String, Sendable, Codable, CaseIterable {
    /// A sync was in progress.
    case syncing
    /// The network was not reachable.
    case offline
    /// Sync is off or not set up: the data is on this device only.
    case localOnly
    /// No account is signed in.
    case noAccount
    /// The last sync failed.
    case syncError
    /// Local changes wait for the cloud.
    case pendingChanges
    /// The copy to the cloud has not been made.
    case copyNotDone
    /// A copy was interrupted before its flag was set.
    case copyInterrupted
    /// The newest record is older than `warnAfter`.
    case olderThanWarnAfter
    /// The newest record is older than `errorAfter`.
    case olderThanErrorAfter
    /// The store's write-ahead log was not beside it, or is damaged.
    case walMissing
    /// A record is dated in the future.
    case clockSkew
    /// No exported entity has a record.
    case noData
}

/// The ages from which an export counts as old; nil where the manifest names none.
public struct FreshnessCriteria: Sendable, Codable, Equatable {
    /// As written in the manifest: `12h`.
    public var warnAfter: String?
    /// As written in the manifest: `48h`.
    public var errorAfter: String?

    /// Criteria.
    public init(warnAfter: String?, errorAfter: String?) {
        self.warnAfter = warnAfter
        self.errorAfter = errorAfter
    }
}

/// What is known of the sync, as an export carries it.
public struct SyncOverview: Sendable, Codable, Equatable {
    /// The account.
    public var availability: AccountAvailability
    /// The network.
    public var network: NetworkState
    /// The summary of all events.
    public var status: SyncSummary
    /// The last error's domain and code; nil where there is none.
    public var lastError: String?
    /// Whether something was going on; nil in an export, whose reasons say it.
    public var activity: SyncActivity?

    /// What is known.
    public init(
        availability: AccountAvailability, network: NetworkState, status: SyncSummary, lastError: String?
    ) {
        self.availability = availability
        self.network = network
        self.status = status
        self.lastError = lastError
    }
}

/// Whether the cloud account can be used.
public enum AccountAvailability: String, Sendable, Codable, CaseIterable {
    /// Signed in.
    case available
    /// Nobody is signed in.
    case noAccount
    /// Forbidden by a policy.
    case restricted
    /// Not known; counts as usable.
    case unknown
}

/// Whether the network can be reached.
public enum NetworkState: String, Sendable, Codable, CaseIterable {
    /// It can.
    case online
    /// It can't.
    case offline
    /// Not known.
    case unknown
}

/// Whether a sync is going on, with the gaps between two short events left out.
public enum SyncActivity: String, Sendable, Codable, CaseIterable {
    /// Something is in progress, or was less than 3 seconds ago.
    case syncing
    /// All has been quiet for 3 seconds, or a failure stands.
    case idle
}

/// The summary of all sync events, first match wins in this order.
public enum SyncSummary: String, Sendable, Codable, CaseIterable {
    /// The network is known to be offline.
    case noNetwork
    /// The account is known not to be usable.
    case accountNotAvailable
    /// Setup, import or export failed while the network was online.
    case error
    /// All is set up, and yet no import ever began.
    case notSyncing
    /// Nothing has begun.
    case notStarted
    /// Something is in progress.
    case inProgress
    /// Import and export succeeded.
    case succeeded
    /// None of these.
    case unknown

    /// Whether this state needs somebody to look at it.
    public var isBroken: Bool { self == .error || self == .notSyncing || self == .unknown }
}
