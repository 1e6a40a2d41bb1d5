package import GodwitModel

extension SyncState {
    /// One word for the whole sync; the first that matches, in the order of `SyncSummary`'s cases.
    ///
    /// Errors count only while the network is known to be online, since without it they say nothing about the sync.
    /// An account that is not known passes wherever one is asked for. `notSyncing` is true for a moment after each
    /// setup; it means something when it stays.
    ///
    /// Source: the rules of CloudKitSyncMonitor, <https://github.com/ggruen/CloudKitSyncMonitor>.
    package func summary(account: AccountAvailability, network: NetworkState) -> SyncSummary {
        let phases = SyncPhase.allCases.map { self[$0] }
        if network == .offline { return .noNetwork }
        if !account.isUsable { return .accountNotAvailable }
        if network == .online {
            if phases.contains(where: \.isFailed) { return .error }
            if lacksImport { return .notSyncing }
        }
        if phases.allSatisfy(\.isNotStarted) { return .notStarted }
        if phases.contains(where: \.isInProgress) { return .inProgress }
        if importing.isSucceeded, exporting.isSucceeded { return .succeeded }
        return .unknown
    }

    /// What an export carries about the sync.
    package func overview(account: AccountAvailability, network: NetworkState) -> SyncOverview {
        SyncOverview(
            availability: account, network: network, status: summary(account: account, network: network),
            lastError: lastFailure?.description)
    }

    /// The same with what the sync is doing at a time, for a status.
    package func overview(account: AccountAvailability, network: NetworkState, asOf now: Instant) -> SyncOverview {
        var overview = overview(account: account, network: network)
        overview.activity = activity(asOf: now)
        return overview
    }

    /// What a status report shows: setup, import and export, each by itself.
    package var phaseStatuses: [SyncPhaseStatus] {
        SyncPhase.allCases.map { phase in
            let state = self[phase]
            return SyncPhaseStatus(
                phase: phase.rawValue, state: state.name, startedAt: state.startedAt, endedAt: state.endedAt,
                error: state.failure?.error.description)
        }
    }
}

extension AccountAvailability {
    /// Whether nothing known speaks against using the account.
    package var isUsable: Bool { self == .available || self == .unknown }
}
