// Invariant: the state depends only on the set of events, never on their order or repetition. For each store, each
// phase keeps the greatest of its states (`SyncPhaseState`). The state of all stores is computed from those, so that a
// success in one store never hides a failure in another.

package import GodwitModel

/// The state after all sync events: each phase by store, and the last successes.
///
/// Pure: no clock and no I/O.
package struct SyncState: Sendable, Hashable {
    /// By the store's identifier; nil for events without one.
    private var stores: [String?: StoreSyncState] = [:]
    /// When the last successful import ended; a later failure or a new import does not change it.
    package private(set) var lastImportAt: Instant?
    /// When the last successful export ended; a later failure or a new export does not change it.
    package private(set) var lastExportAt: Instant?

    package init() {}

    /// The state after several events, in any order.
    package init(_ events: some Sequence<SyncEvent>) {
        for event in events { apply(event) }
    }

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

    package var setup: SyncPhaseState { self[.setup] }
    /// Receiving.
    package var importing: SyncPhaseState { self[.import] }
    /// Sending.
    package var exporting: SyncPhaseState { self[.export] }

    /// The state of one phase in all stores: the latest failure, otherwise an event in progress, otherwise a success.
    package subscript(phase: SyncPhase) -> SyncPhaseState {
        var all = SyncPhaseState.notStarted
        for state in states(of: phase) { all.replace(ifMoreUrgent: state) }
        return all
    }

    /// When the last import or export with the cloud succeeded; nil if none did.
    package var lastSyncAt: Instant? { Self.later(lastImportAt, lastExportAt) }

    package var hasBegun: Bool { !stores.isEmpty }

    /// Whether a store was set up but never began to receive.
    package var lacksImport: Bool {
        stores.contains { store, state in
            state[.setup].isSucceeded && state[.import].isNotStarted && !isOvertaken(.setup, of: store)
        }
    }

    /// The latest error of the phases that are failed now; at equal times that of the earlier phase.
    package var lastFailure: SyncError? {
        var last: (ended: Instant, error: SyncError)?
        for phase in SyncPhase.allCases {
            guard let failure = self[phase].failure else { continue }
            if let known = last, known.ended >= failure.ended { continue }
            last = failure
        }
        return last?.error
    }

    /// All dates in the states of all stores, and those of the last successes.
    var knownDates: [Instant] {
        let all = SyncPhase.allCases.flatMap { states(of: $0) }
        return all.flatMap { [$0.startedAt, $0.endedAt].compactMap(\.self) }
            + [lastImportAt, lastExportAt].compactMap(\.self)
    }

    private func states(of phase: SyncPhase) -> [SyncPhaseState] {
        stores.compactMap { isOvertaken(phase, of: $0) ? nil : $1[phase] }
    }

    /// Whether events without a store come from an earlier version of the app, which names the store now.
    ///
    /// Nothing follows such events, so their last state would otherwise remain forever.
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

private struct StoreSyncState: Sendable, Hashable {
    var phases: [SyncPhase: SyncPhaseState] = [:]

    subscript(phase: SyncPhase) -> SyncPhaseState { phases[phase] ?? .notStarted }
}
