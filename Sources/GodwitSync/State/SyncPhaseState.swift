// Invariant: which of two states of one phase stays depends only on the two, never on their order. The states of a
// phase in one store are totally ordered (`Rank`), and applying events keeps the greatest. Events may come out of
// order, twice, or without an end: the same set of events always gives the same state.

package import GodwitModel

/// The state of setup, import or export.
package enum SyncPhaseState: Sendable, Hashable {
    /// No event was seen.
    case notStarted
    /// It began; its end was not seen.
    case inProgress(started: Instant)
    case succeeded(started: Instant, ended: Instant)
    case failed(started: Instant, ended: Instant, error: SyncError)

    package init(_ event: SyncEvent) {
        switch (event.endedAt, event.succeeded) {
        case (nil, _): self = .inProgress(started: event.startedAt)
        case (let ended?, true): self = .succeeded(started: event.startedAt, ended: ended)
        case (let ended?, false):
            self = .failed(started: event.startedAt, ended: ended, error: event.error ?? .unspecified)
        }
    }

    /// Takes over another state of the same phase if it is newer or has more information.
    ///
    /// The later start wins, so a new event in progress replaces a failed one. With equal starts, an ended event wins
    /// over one in progress, then the later end wins. If success and failure have the same times, the failure stays,
    /// because hiding a failure is worse than showing one too many.
    package mutating func replace(ifNewer other: SyncPhaseState) {
        if isSuperseded(by: other) { self = other }
    }

    /// Takes over the state of the same phase in another store if it is more urgent; independent of their order.
    ///
    /// A failure is more urgent than an event in progress, and that than a success. Of two failures or successes the
    /// later end wins, of two events in progress the later start.
    mutating func replace(ifMoreUrgent other: SyncPhaseState) {
        if urgency < other.urgency { self = other }
    }

    private typealias Urgency = (kind: Int, ended: Instant, started: Instant, domain: String, code: Int)

    private var urgency: Urgency {
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
    package var isNotStarted: Bool { self == .notStarted }

    package var isInProgress: Bool { if case .inProgress = self { true } else { false } }

    package var isSucceeded: Bool { if case .succeeded = self { true } else { false } }

    package var isFailed: Bool { failure != nil }

    /// The end and the error of a failed event; nil for other states.
    package var failure: (ended: Instant, error: SyncError)? {
        if case .failed(_, let ended, let error) = self { (ended, error) } else { nil }
    }

    /// When it began; nil if it did not.
    package var startedAt: Instant? {
        switch self {
        case .notStarted: nil
        case .inProgress(let started), .succeeded(let started, _), .failed(let started, _, _): started
        }
    }

    /// When it ended; nil if it did not.
    package var endedAt: Instant? {
        switch self {
        case .notStarted, .inProgress: nil
        case .succeeded(_, let ended), .failed(_, let ended, _): ended
        }
    }

    /// The state's name in reports.
    package var name: String {
        switch self {
        case .notStarted: "notStarted"
        case .inProgress: "inProgress"
        case .succeeded: "succeeded"
        case .failed: "failed"
        }
    }
}
