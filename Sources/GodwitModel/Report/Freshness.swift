/// The freshness of an export: verdict, reasons, and the values on which they are based.
public struct Freshness: Sendable, Codable, Equatable {
    /// The verdict.
    public var status: Freshness.Status
    /// False only if all known facts say that the export has the latest data.
    public var mayBeStale: Bool
    /// Reasons for the verdict; empty if there are none.
    public var reasons: [Freshness.Reason]
    /// Date of the newest exported record.
    public var newestRecordAt: Instant?
    /// When the store last changed on this device.
    public var lastLocalSaveAt: Instant?
    /// When the last import from or export to the cloud succeeded.
    public var lastSyncAt: Instant?
    /// Seconds from `newestRecordAt` to the time of the export; never negative.
    public var ageSeconds: Int64?
    /// The ages on which the verdict is based.
    package var criteria: Freshness.Criteria
    /// The known state of the sync.
    public var sync: Freshness.Sync
    /// Local records that the cloud store does not have or has with other values; nil if that is not known.
    public var pendingChanges: Int64?

    /// A verdict and its inputs.
    package init(
        status: Freshness.Status, mayBeStale: Bool, reasons: [Freshness.Reason], newestRecordAt: Instant?,
        lastLocalSaveAt: Instant?, lastSyncAt: Instant?, ageSeconds: Int64?, criteria: Freshness.Criteria,
        sync: Freshness.Sync, pendingChanges: Int64?
    ) {
        (self.status, self.mayBeStale, self.reasons) = (status, mayBeStale, reasons)
        (self.newestRecordAt, self.lastLocalSaveAt, self.lastSyncAt) = (newestRecordAt, lastLocalSaveAt, lastSyncAt)
        (self.ageSeconds, self.criteria, self.sync, self.pendingChanges) = (ageSeconds, criteria, sync, pendingChanges)
    }
}

extension Freshness {
    /// The verdict on an export's age.
    public enum Status: String, Sendable, Codable, CaseIterable {
        /// No reason to doubt the export.
        case pass
        /// It may be stale.
        case warn
        /// It is stale.
        case error
        /// It has no records.
        case noData
        /// No reason to doubt the export, but the manifest sets no ages.
        case notJudged
    }
}

extension Freshness {
    /// One reason why an export may be stale.
    public struct Reason: Sendable, Codable, Hashable {
        /// A stable code for programs.
        public var code: Freshness.Code
        /// One sentence for the reader.
        public var message: String

        /// A reason.
        package init(_ code: Freshness.Code, _ message: String) {
            (self.code, self.message) = (code, message)
        }
    }
}

extension Freshness {
    /// The reasons why an export may be stale.
    public enum Code: String, Sendable, Codable, CaseIterable {
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
        /// Local changes are not in the cloud yet.
        case pendingChanges
        /// The copy to the cloud store is not done.
        case copyNotDone
        /// A copy was interrupted before its flag was set.
        case copyInterrupted
        /// The newest record is older than `warnAfter`.
        case olderThanWarnAfter
        /// The newest record is older than `errorAfter`.
        case olderThanErrorAfter
        /// The store's `-wal` file was missing or damaged.
        case walMissing
        /// A record has a date in the future.
        case clockSkew
        /// No exported entity has a record.
        case noData
    }
}

extension Freshness {
    /// The ages from which an export is stale; nil if the manifest sets none.
    package struct Criteria: Sendable, Codable, Equatable {
        /// As written in the manifest, such as `12h`.
        package var warnAfter: String?
        /// As written in the manifest, such as `48h`.
        package var errorAfter: String?

        /// Criteria.
        package init(warnAfter: String?, errorAfter: String?) {
            (self.warnAfter, self.errorAfter) = (warnAfter, errorAfter)
        }
    }
}

extension Freshness {
    /// The known state of the sync at the time of the export.
    public struct Sync: Sendable, Codable, Equatable {
        /// Whether the account can be used.
        public var availability: Freshness.Account
        /// Whether the network can be reached.
        public var network: Freshness.Network
        /// The summary of all events.
        public var status: Freshness.Sync.Status
        /// The last error's domain and code; nil for none.
        public var lastError: String?
        /// Whether a sync was in progress; nil in an export, where the reasons say it.
        package var activity: Freshness.Sync.Activity?

        /// A state of the sync.
        package init(
            availability: Freshness.Account, network: Freshness.Network, status: Freshness.Sync.Status,
            lastError: String?
        ) {
            (self.availability, self.network, self.status, self.lastError) = (availability, network, status, lastError)
        }
    }
}

extension Freshness {
    /// Whether the cloud account can be used.
    public enum Account: String, Sendable, Codable, CaseIterable {
        /// Signed in.
        case available
        /// No account is signed in.
        case noAccount
        /// A policy forbids the use.
        case restricted
        /// Not known; treated as usable.
        case unknown
    }
}

extension Freshness {
    /// Whether the network can be reached.
    public enum Network: String, Sendable, Codable, CaseIterable {
        /// It can.
        case online
        /// It can't.
        case offline
        /// Not known.
        case unknown
    }
}

extension Freshness.Sync {
    /// Whether a sync is in progress; short gaps between events do not count.
    package enum Activity: String, Sendable, Codable, CaseIterable {
        /// An event is in progress, or ended less than 3 seconds ago.
        case syncing
        /// No event for 3 seconds, or the last event failed.
        case idle
    }
}

extension Freshness.Sync {
    /// The summary of all sync events; the first case that applies.
    public enum Status: String, Sendable, Codable, CaseIterable {
        /// The network is known to be offline.
        case noNetwork
        /// The account is known not to be usable.
        case accountNotAvailable
        /// Setup, import or export failed while the network was online.
        case error
        /// Everything is set up, but no import ever began.
        case notSyncing
        /// No event has begun.
        case notStarted
        /// An event is in progress.
        case inProgress
        /// Import and export succeeded.
        case succeeded
        /// None of the other cases.
        case unknown

        /// Whether the user needs to examine this state.
        public var isBroken: Bool { self == .error || self == .notSyncing || self == .unknown }
    }
}
