package import GodwitModel

/// Debounces the sync: it has many short events, and reporting `synced` between two of them would flicker.
extension SyncState {
    /// Seconds without an event after which the sync counts as quiet.
    package static let quietSeconds: Int64 = 3

    /// Whether the last event began or ended less than 3 seconds ago.
    ///
    /// Pure: compares the dates of events with the given time. A date more than 3 seconds after that time only shows a
    /// wrong clock.
    package func isSettling(asOf now: Instant) -> Bool {
        let quiet = now.shifted(bySeconds: -Self.quietSeconds)
        let limit = now.shifted(bySeconds: Self.quietSeconds)
        return knownDates.contains { $0 > quiet && $0 <= limit }
    }

    /// `syncing` while an event is in progress and for 3 seconds after it, otherwise `idle`; a failure is shown at
    /// once.
    package func activity(asOf now: Instant) -> Freshness.Sync.Activity {
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
