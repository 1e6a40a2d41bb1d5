// Never says that everything is synced. What other devices have not sent can't be known here, so the best news is
// when the sync was last seen to work.

package import GodwitModel

/// What a user of the app should be told about the sync, before it is put into words.
package enum UserSyncCondition: Sendable, Hashable {
    /// Nothing is known of a sync.
    case notConfigured
    /// Sync is turned off in the app.
    case turnedOff
    /// The data is on this device only; what would change that.
    case localOnly(AccountAvailability)
    /// The data is on this device only until the app is restarted.
    case restartToSync
    /// The data is on this device only, since the app can't use its cloud store.
    case cloudUnusable
    /// No network; so many local changes wait.
    case offline(pending: Int64)
    /// Under way: so many of the records are in the cloud store; both 0 where nothing is known of the amount.
    case syncing(done: Int64, total: Int64)
    /// Last seen to work at this time; nil where no event says when.
    case synced(lastSeen: Instant?)
    /// Something needs attention.
    case error(UserSyncProblem)
}

/// What needs attention.
package enum UserSyncProblem: Sendable, Hashable {
    /// The sync failed with this error.
    case failed(SyncError)
    /// The account can't be used, though the data has been copied to the cloud store or synced before.
    case account(AccountAvailability)
    /// Set up, but nothing was ever received.
    case notSyncing
}

/// What the condition is derived from.
package struct UserSyncInputs: Sendable {
    /// What the events lead to.
    package var state: SyncState
    /// The account.
    package var account: AccountAvailability
    /// The network.
    package var network: NetworkState
    /// Which store the app uses; nil where there is none.
    package var activeStore: StoreRole?
    /// How far the copy to the cloud store is.
    package var copy: CopyState
    /// Whether the copy is complete and the account can be used, but the cloud store is missing or can't be opened.
    package var isCloudUnusable: Bool
    /// Local records that the cloud store lacks or holds differently; nil where that can't be told.
    package var pendingChanges: Int64?
    /// Records of the active store.
    package var recordCount: Int64
    /// The time the status speaks of.
    package var asOf: Instant
    /// What the user set in the app.
    package var preference: SyncPreference
    /// What the app's last launch leaves to do.
    package var notice: LaunchNotice?

    /// Inputs.
    package init(
        state: SyncState, account: AccountAvailability, network: NetworkState, activeStore: StoreRole?,
        copy: CopyState, isCloudUnusable: Bool = false, pendingChanges: Int64?, recordCount: Int64, asOf: Instant,
        preference: SyncPreference = .notSaid, notice: LaunchNotice? = nil
    ) {
        (self.preference, self.notice) = (preference, notice)
        self.asOf = asOf
        self.state = state
        self.account = account
        self.network = network
        self.activeStore = activeStore
        self.copy = copy
        self.isCloudUnusable = isCloudUnusable
        self.pendingChanges = pendingChanges.map { max(0, $0) }
        self.recordCount = max(0, recordCount)
    }
}

extension UserSyncCondition {
    /// Decides; the first that matches.
    ///
    /// 1. No store: `notConfigured`.
    /// 2. Sync is turned off in the app: `turnedOff`, which is told as not configured.
    /// 3. The app runs on the local store and could use the cloud store now: `restartToSync`.
    /// 4. The local store is in use, since the cloud store can't be: `cloudUnusable`, which is told as local only.
    ///    Whatever was seen of a sync, nothing of this store is sent.
    /// 5. The local store is in use, and the account can't be used, or the copy was never made and no event was seen:
    ///    `localOnly`, whatever the network.
    /// 6. As the summary says. A failure counts also where the network is not known, as it is the last thing seen.
    ///    Changes that wait make `syncing` of what would be `synced`, and so do changes of which nothing can be told,
    ///    and an event less than 3 seconds ago.
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
            self = .localOnly(inputs.account)
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
