// Invariant: the state depends on the set of events alone, never on their order or on how often one was seen. For each
// store each phase keeps the greatest of its states (`SyncPhaseState`), and what is told of all stores is worked out
// from those: a success in one store never hides the failure of another.

package import GodwitModel

/// What all sync events seen so far lead to: the state of each phase by store, and when each last succeeded.
///
/// Pure: no clock and no I/O.
package struct SyncState: Sendable, Hashable {
    /// By the store's identifier; nil for events that name none.
    private var stores: [String?: StoreSyncState] = [:]
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
        stores[event.store, default: StoreSyncState()].phases[event.phase, default: .notStarted]
            .replace(ifNewer: state)
        switch event.phase {
        case .setup: break
        case .import: lastImportAt = Self.later(lastImportAt, success)
        case .export: lastExportAt = Self.later(lastExportAt, success)
        }
    }

    /// Preparing the sync.
    package var setup: SyncPhaseState { self[.setup] }
    /// Receiving.
    package var importing: SyncPhaseState { self[.import] }
    /// Sending.
    package var exporting: SyncPhaseState { self[.export] }

    /// The state of one phase in all stores: the failure that ended last, else what is in progress, else what succeeded.
    package subscript(phase: SyncPhase) -> SyncPhaseState {
        var all = SyncPhaseState.notStarted
        for state in states(of: phase) { all.replace(ifMorePressing: state) }
        return all
    }

    /// When the last import or export with the cloud succeeded; nil where none was seen to.
    package var lastSyncAt: Instant? { Self.later(lastImportAt, lastExportAt) }

    /// Whether any event was seen.
    package var hasBegun: Bool { !stores.isEmpty }

    /// Whether some store was set up and has never begun to receive.
    package var lacksImport: Bool {
        stores.contains { store, state in
            state[.setup].isSucceeded && state[.import].isNotStarted && !isOvertaken(.setup, of: store)
        }
    }

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

    /// Every date that the states of all stores hold, and those of the last successes.
    var knownDates: [Instant] {
        let all = SyncPhase.allCases.flatMap { states(of: $0) }
        return all.flatMap { [$0.startedAt, $0.endedAt].compactMap(\.self) }
            + [lastImportAt, lastExportAt].compactMap(\.self)
    }

    /// The states of a phase that count.
    private func states(of phase: SyncPhase) -> [SyncPhaseState] {
        stores.compactMap { isOvertaken(phase, of: $0) ? nil : $1[phase] }
    }

    /// Whether events that name no store are those of an earlier version of the app, which has begun to name them since.
    ///
    /// Their last state would stand for ever otherwise, as nothing could follow it.
    private func isOvertaken(_ phase: SyncPhase, of store: String?) -> Bool {
        guard store == nil, let began = stores[nil]?[phase].startedAt else { return false }
        return stores.contains { name, state in
            guard name != nil, let later = state[phase].startedAt else { return false }
            return later > began
        }
    }

    private static func later(_ a: Instant?, _ b: Instant?) -> Instant? {
        guard let a, let b else { return a ?? b }
        return max(a, b)
    }
}

/// Where one store stands.
private struct StoreSyncState: Sendable, Hashable {
    var phases: [SyncPhase: SyncPhaseState] = [:]

    subscript(phase: SyncPhase) -> SyncPhaseState { phases[phase] ?? .notStarted }
}
