package import GodwitModel

/// What all sync events seen so far lead to: the state of each phase, and when each last succeeded.
///
/// Pure: no clock and no I/O. The order in which events are applied does not matter (see `SyncPhaseState`).
package struct SyncState: Sendable, Hashable {
    /// Preparing the sync.
    package private(set) var setup = SyncPhaseState.notStarted
    /// Receiving.
    package private(set) var importing = SyncPhaseState.notStarted
    /// Sending.
    package private(set) var exporting = SyncPhaseState.notStarted
    /// When the last successful import ended; a later failure or a new import does not take it away.
    package private(set) var lastImportAt: Instant?
    /// When the last successful export ended; likewise.
    package private(set) var lastExportAt: Instant?

    /// The state before any event.
    package init() {}

    /// The state a number of events lead to, in whatever order they come.
    package init(_ events: some Sequence<SyncEvent>) {
        for event in events { apply(event) }
    }

    /// Takes in one event.
    package mutating func apply(_ event: SyncEvent) {
        let state = SyncPhaseState(event)
        let success = state.isSucceeded ? event.endedAt : nil
        switch event.phase {
        case .setup:
            setup.replace(ifNewer: state)
        case .import:
            importing.replace(ifNewer: state)
            lastImportAt = Self.later(lastImportAt, success)
        case .export:
            exporting.replace(ifNewer: state)
            lastExportAt = Self.later(lastExportAt, success)
        }
    }

    /// The state of one phase.
    package subscript(phase: SyncPhase) -> SyncPhaseState {
        switch phase {
        case .setup: setup
        case .import: importing
        case .export: exporting
        }
    }

    /// When the last import or export with the cloud succeeded; nil where none was seen to.
    package var lastSyncAt: Instant? { Self.later(lastImportAt, lastExportAt) }

    /// Whether any event was seen.
    package var hasBegun: Bool { SyncPhase.allCases.contains { !self[$0].isNotStarted } }

    /// The error that ended last, of the phases that stand failed now; of two at one time the earlier phase's.
    package var lastFailure: SyncError? {
        var last: (ended: Instant, error: SyncError)?
        for phase in SyncPhase.allCases {
            guard let failure = self[phase].failure else { continue }
            if let known = last, known.ended >= failure.ended { continue }
            last = failure
        }
        return last?.error
    }

    private static func later(_ a: Instant?, _ b: Instant?) -> Instant? {
        guard let a, let b else { return a ?? b }
        return max(a, b)
    }
}
