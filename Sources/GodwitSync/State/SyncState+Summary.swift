package import GodwitModel

extension SyncState {
    /// The summary of the whole sync: the first case of `Freshness.Sync.Status` that applies.
    ///
    /// Errors count only while the network is online, because offline they say nothing about the sync. An unknown
    /// account counts as usable. `notSyncing` is true for a moment after each setup; it has a meaning only if it
    /// remains.
    ///
    /// Source: the rules of CloudKitSyncMonitor, <https://github.com/ggruen/CloudKitSyncMonitor>.
    package func summary(account: Freshness.Account, network: Freshness.Network) -> Freshness.Sync.Status {
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

    package func overview(account: Freshness.Account, network: Freshness.Network) -> Freshness.Sync {
        Freshness.Sync(
            availability: account, network: network, status: summary(account: account, network: network),
            lastError: lastFailure?.description)
    }

    /// The state of the sync for a status, with the activity at a time.
    package func overview(account: Freshness.Account, network: Freshness.Network, asOf now: Instant) -> Freshness.Sync {
        var overview = overview(account: account, network: network)
        overview.activity = activity(asOf: now)
        return overview
    }

    /// Setup, import and export for a status report.
    package var phaseStatuses: [StatusReport.Phase] {
        SyncPhase.allCases.map { phase in
            let state = self[phase]
            return StatusReport.Phase(
                phase: phase.rawValue, state: state.name, startedAt: state.startedAt, endedAt: state.endedAt,
                error: state.failure?.error.description)
        }
    }
}

extension Freshness.Account {
    /// Whether no known fact prevents the use of the account.
    package var isUsable: Bool { self == .available || self == .unknown }
}
