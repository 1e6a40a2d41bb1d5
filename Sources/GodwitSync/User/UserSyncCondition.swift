// Never says that everything is synced. This device cannot know what other devices have not sent, so the best status is
// the time of the last success.

package import GodwitModel

/// The sync condition to show to the app's user, before it is put into words.
package enum UserSyncCondition: Sendable, Hashable {
    /// No sync is known.
    case notConfigured
    case turnedOff
    /// The data is only on this device; the account decides the next step.
    case localOnly(Freshness.Account)
    /// What was written since a copy that was reopened is only on this device; the account decides the next step.
    case newLocalOnly(Freshness.Account)
    /// The data is only on this device until the app is restarted.
    case restartToSync
    /// The data is only on this device, because the app cannot use its cloud store.
    case cloudUnusable
    /// No network, with a number of pending local changes.
    case offline(pending: Int64)
    /// In progress: number of records in the cloud store of all records; both 0 if the number is not known.
    case syncing(done: Int64, total: Int64)
    /// When sync last succeeded; nil if no event says it.
    case synced(lastSeen: Instant?)
    /// A problem that the user should solve.
    case error(UserSyncProblem)
}

/// A problem that the user should solve.
package enum UserSyncProblem: Sendable, Hashable {
    case failed(SyncError)
    /// The account cannot be used, though the data was copied to the cloud store or synced before.
    case account(Freshness.Account)
    /// Sync was set up, but nothing was ever received.
    case notSyncing
}

package struct UserSyncInputs: Sendable {
    package var state: SyncState
    package var account: Freshness.Account
    package var network: Freshness.Network
    /// The store that the app uses; nil for none.
    package var activeStore: StoreRole?
    /// The state of the copy to the cloud store.
    package var copy: StatusReport.CopyState
    /// Whether a copy was made, and reopened since.
    package var isReopened = false
    /// Whether the copy is complete and the account can be used, but the cloud store does not exist or cannot be
    /// opened.
    package var isCloudUnusable: Bool
    /// Local records that the cloud store does not have or has with other values; nil if not known.
    package var pendingChanges: Int64?
    /// Number of records in the active store.
    package var recordCount: Int64
    package var asOf: Instant
    /// The user's setting in the app.
    package var preference: SyncPreference
    /// The notice from the app's last launch.
    package var notice: ActiveStore.Notice?

    package init(
        state: SyncState, account: Freshness.Account, network: Freshness.Network, activeStore: StoreRole?,
        copy: StatusReport.CopyState, isCloudUnusable: Bool = false, pendingChanges: Int64?, recordCount: Int64,
        asOf: Instant,
        preference: SyncPreference = .notSaid, notice: ActiveStore.Notice? = nil
    ) {
        (self.preference, self.notice) = (preference, notice)
        (self.asOf, self.state, self.account, self.network) = (asOf, state, account, network)
        (self.activeStore, self.copy, self.isCloudUnusable) = (activeStore, copy, isCloudUnusable)
        self.pendingChanges = pendingChanges.map { max(0, $0) }
        self.recordCount = max(0, recordCount)
    }
}

extension UserSyncCondition {
    /// Decides the condition; the first rule that applies.
    ///
    /// 1. No store: `notConfigured`.
    /// 2. Sync is turned off in the app: `turnedOff`, reported as not configured.
    /// 3. The app runs on the local store and could use the cloud store now: `restartToSync`.
    /// 4. The local store is in use because the cloud store cannot be used: `cloudUnusable`, reported as local only.
    ///    Nothing of this store is sent.
    /// 5. The local store is in use, and the account cannot be used, or the copy was never made and no event was seen:
    ///    `localOnly`, with any network; after a reopen `newLocalOnly`, reported as local only.
    /// 6. Otherwise the summary decides. A failure counts also if the network is not known, as the latest fact. Pending
    ///    changes turn `synced` into `syncing`, and so do unknown changes and an event less than 3 seconds ago.
    package init(_ inputs: UserSyncInputs) {
        let state = inputs.state
        if inputs.activeStore == nil {
            self = .notConfigured
            return
        }
        if inputs.preference == .off {
            self = .turnedOff
            return
        }
        if inputs.notice == .restartToSync {
            self = .restartToSync
            return
        }
        if inputs.activeStore == .local, inputs.isCloudUnusable {
            self = .cloudUnusable
            return
        }
        let isUncopied = [.notDone, .notDoneHere].contains(inputs.copy) && !state.hasBegun
        if inputs.activeStore == .local, isUncopied || !inputs.account.isUsable {
            self = inputs.isReopened ? .newLocalOnly(inputs.account) : .localOnly(inputs.account)
            return
        }
        switch state.summary(account: inputs.account, network: inputs.network) {
        case .noNetwork: self = .offline(pending: inputs.pendingChanges ?? 0)
        case .accountNotAvailable: self = .error(.account(inputs.account))
        case .error: self = .error(.failed(state.lastFailure ?? .unspecified))
        case .notSyncing: self = inputs.isSettling ? inputs.progress : .error(.notSyncing)
        case .notStarted: self = .notConfigured
        case .inProgress: self = inputs.progress
        case .succeeded: self = inputs.settled
        case .unknown:
            if let failure = state.lastFailure {
                self = .error(.failed(failure))
            } else if state.lastSyncAt == nil, !inputs.isSettling {
                self = .error(.notSyncing)
            } else {
                self = inputs.settled
            }
        }
    }
}

extension UserSyncInputs {
    fileprivate var isSettling: Bool { state.isSettling(asOf: asOf) }

    fileprivate var progress: UserSyncCondition {
        guard let pendingChanges, pendingChanges > 0 else { return .syncing(done: 0, total: 0) }
        let total = max(recordCount, pendingChanges)
        return .syncing(done: total - pendingChanges, total: total)
    }

    fileprivate var settled: UserSyncCondition {
        pendingChanges != 0 || isSettling ? progress : .synced(lastSeen: state.lastSyncAt)
    }
}
