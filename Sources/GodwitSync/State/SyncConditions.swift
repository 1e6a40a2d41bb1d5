// Invariant: which of two observations of one kind counts depends only on the two, never on their order in the file.

package import GodwitModel

/// An observation of an app about the conditions of the sync, with its time.
package enum SyncObservation: Sendable, Hashable {
    case network(Freshness.Network, at: Instant)
    case account(Freshness.Account, at: Instant)
    case launch(StoreRole, at: Instant)
}

/// The latest observations of network, account and launch.
package struct SyncConditions: Sendable, Hashable {
    private var seenNetwork: Dated<Freshness.Network>?
    private var seenAccount: Dated<Freshness.Account>?
    private var seenLaunch: Dated<StoreRole>?

    package init() {}

    /// The result of several observations, in any order.
    package init(_ observations: some Sequence<SyncObservation>) {
        for observation in observations { apply(observation) }
    }

    /// Adds an observation: the latest one of its kind counts; at equal times the worse one.
    package mutating func apply(_ observation: SyncObservation) {
        switch observation {
        case .network(let state, let at): Self.replace(&seenNetwork, Dated(state, at, care: state.care))
        case .account(let state, let at): Self.replace(&seenAccount, Dated(state, at, care: state.care))
        case .launch(let store, let at):
            Self.replace(&seenLaunch, Dated(store, at, care: store == .local ? 1 : 0))
        }
    }

    /// The network: the option if it is known, otherwise the observation.
    package func network(orGiven option: Freshness.Network) -> Freshness.Network {
        option == .unknown ? seenNetwork?.value ?? .unknown : option
    }

    /// The account: the option if it is known, otherwise the observation.
    package func account(orGiven option: Freshness.Account) -> Freshness.Account {
        option == .unknown ? seenAccount?.value ?? .unknown : option
    }

    /// The store that the app opened at its last launch; nil if not known.
    package var launchedStore: StoreRole? { seenLaunch?.value }

    private static func replace<Value>(_ known: inout Dated<Value>?, _ other: Dated<Value>) {
        guard let old = known else {
            known = other
            return
        }
        if (old.at, old.care) < (other.at, other.care) { known = other }
    }
}

/// A value with the time of its observation.
private struct Dated<Value: Sendable & Hashable>: Sendable, Hashable {
    let value: Value
    let at: Instant
    /// At equal times, the greater value counts.
    let care: Int

    init(_ value: Value, _ at: Instant, care: Int) {
        (self.value, self.at, self.care) = (value, at, care)
    }
}

extension Freshness.Network {
    fileprivate var care: Int {
        switch self {
        case .unknown: 0
        case .online: 1
        case .offline: 2
        }
    }
}

extension Freshness.Account {
    fileprivate var care: Int {
        switch self {
        case .unknown: 0
        case .available: 1
        case .noAccount: 2
        case .restricted: 3
        }
    }
}
