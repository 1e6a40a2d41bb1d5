// Invariant: which of two states of one phase stays depends on the two alone, never on which of them was seen first.
// The states of a phase in one store are therefore totally ordered (`Rank`), and applying events keeps the greatest. Events may
// come out of order, twice, or never end: the same set of events always gives the same state.

package import GodwitModel

/// Where setup, import or export stands.
package enum SyncPhaseState: Sendable, Hashable {
    /// No event of it was seen.
    case notStarted
    /// It began; its end was not seen.
    case inProgress(started: Instant)
    /// It ended well.
    case succeeded(started: Instant, ended: Instant)
    /// It ended badly.
    case failed(started: Instant, ended: Instant, error: SyncError)

    /// The state one event alone leads to.
    package init(_ event: SyncEvent) {
        switch (event.endedAt, event.succeeded) {
        case (nil, _): self = .inProgress(started: event.startedAt)
        case (let ended?, true): self = .succeeded(started: event.startedAt, ended: ended)
        case (let ended?, false):
            self = .failed(started: event.startedAt, ended: ended, error: event.error ?? .unspecified)
        }
    }

    /// Takes over another state of the same phase where that one says more, or something newer.
    ///
    /// The later start wins, so a new event in progress replaces a failed one. With the same start an ended one wins
    /// over one in progress, then the later end wins. Two that say the opposite of the same time: the failure stays,
    /// for hiding one would be worse than showing one too many.
    package mutating func replace(ifNewer other: SyncPhaseState) {
        if isSuperseded(by: other) { self = other }
    }

    /// Takes over the state that the same phase has in another store, where that one has to be told rather.
    ///
    /// A failure goes before what is in progress, that before a success; of two failures or successes the one that ended
    /// last, of two in progress the one that began last. Does not depend on which of the two was seen first either.
    mutating func replace(ifMorePressing other: SyncPhaseState) {
        if pressure < other.pressure { self = other }
    }

    private typealias Pressure = (kind: Int, ended: Instant, started: Instant, domain: String, code: Int)

    private var pressure: Pressure {
        switch self {
        case .notStarted: (0, .epoch, .epoch, "", 0)
        case .succeeded(let started, let ended): (1, ended, started, "", 0)
        case .inProgress(let started): (2, started, started, "", 0)
        case .failed(let started, let ended, let error): (3, ended, started, error.domain, error.code)
        }
    }

    private func isSuperseded(by other: SyncPhaseState) -> Bool {
        guard let theirs = other.rank else { return false }
        guard let ours = rank else { return true }
        return ours < theirs
    }

    private typealias Rank = (
        started: Instant, hasEnded: Int, ended: Instant, hasFailed: Int, domain: String, code: Int
    )

    private var rank: Rank? {
        switch self {
        case .notStarted: nil
        case .inProgress(let started): (started, 0, started, 0, "", 0)
        case .succeeded(let started, let ended): (started, 1, ended, 0, "", 0)
        case .failed(let started, let ended, let error): (started, 1, ended, 1, error.domain, error.code)
        }
    }
}

extension SyncPhaseState {
    /// Whether no event of it was seen.
    package var isNotStarted: Bool { self == .notStarted }

    /// Whether its end is still to come.
    package var isInProgress: Bool { if case .inProgress = self { true } else { false } }

    /// Whether it ended well.
    package var isSucceeded: Bool { if case .succeeded = self { true } else { false } }

    /// Whether it ended badly.
    package var isFailed: Bool { failure != nil }

    /// When it ended badly, and why; nil in every other state.
    package var failure: (ended: Instant, error: SyncError)? {
        if case .failed(_, let ended, let error) = self { (ended, error) } else { nil }
    }

    /// When it began; nil where it did not.
    package var startedAt: Instant? {
        switch self {
        case .notStarted: nil
        case .inProgress(let started), .succeeded(let started, _), .failed(let started, _, _): started
        }
    }

    /// When it ended; nil where it did not.
    package var endedAt: Instant? {
        switch self {
        case .notStarted, .inProgress: nil
        case .succeeded(_, let ended), .failed(_, let ended, _): ended
        }
    }

    /// The state's name as reports show it.
    package var name: String {
        switch self {
        case .notStarted: "notStarted"
        case .inProgress: "inProgress"
        case .succeeded: "succeeded"
        case .failed: "failed"
        }
    }
}
