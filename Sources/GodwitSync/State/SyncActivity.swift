package import GodwitModel

/// Debounce: a sync works in bursts of short events, and telling `synced` between any two of them would flicker.
extension SyncState {
    /// For how many seconds nothing must have happened before the sync counts as quiet.
    package static let quietSeconds: Int64 = 3

    /// Whether fewer than 3 seconds have gone by since the last event began or ended.
    ///
    /// Pure: measured by the events' own dates, to the time that is handed in. A date that lies ahead of it by more than
    /// that says nothing but that a clock is wrong.
    package func isSettling(asOf now: Instant) -> Bool {
        let quiet = now.shifted(bySeconds: -Self.quietSeconds)
        let limit = now.shifted(bySeconds: Self.quietSeconds)
        return knownDates.contains { $0 > quiet && $0 <= limit }
    }

    /// What the sync is doing: `syncing` while something is in progress and until all has been quiet, `idle` otherwise.
    ///
    /// A failure is told at once, so with one that stands nothing is waited for.
    package func activity(asOf now: Instant) -> SyncActivity {
        let phases = SyncPhase.allCases.map { self[$0] }
        if phases.contains(where: \.isInProgress) { return .syncing }
        if phases.contains(where: \.isFailed) { return .idle }
        return isSettling(asOf: now) ? .syncing : .idle
    }
}

extension Instant {
    fileprivate func shifted(bySeconds step: Int64) -> Instant {
        let (sum, isTooFar) = seconds.addingReportingOverflow(step)
        return Instant(seconds: isTooFar ? (step < 0 ? .min : .max) : sum, attoseconds: attoseconds)
    }
}
