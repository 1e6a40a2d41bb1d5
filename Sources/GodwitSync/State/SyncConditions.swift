// Invariant: which of two sightings of one kind counts depends on the two alone, never on which of them was read first.

package import GodwitModel

/// Something around the sync that an app saw, and when.
package enum SyncObservation: Sendable, Hashable {
    /// The network could be reached, or not.
    case network(NetworkState, at: Instant)
    /// The account could be used, or not.
    case account(AccountAvailability, at: Instant)
    /// The app was launched, and opened this store.
    case launch(StoreRole, at: Instant)
}

/// What was last seen of network, account and launch.
package struct SyncConditions: Sendable, Hashable {
    private var seenNetwork: Dated<NetworkState>?
    private var seenAccount: Dated<AccountAvailability>?
    private var seenLaunch: Dated<StoreRole>?

    /// Nothing was seen.
    package init() {}

    /// What a number of sightings lead to, in whatever order they come.
    package init(_ sightings: some Sequence<SyncObservation>) {
        for sighting in sightings { apply(sighting) }
    }

    /// Takes in one sighting: the newest of its kind counts, of two of one time the more careful one.
    package mutating func apply(_ sighting: SyncObservation) {
        switch sighting {
        case .network(let state, let at): Self.replace(&seenNetwork, Dated(state, at, care: state.care))
        case .account(let state, let at): Self.replace(&seenAccount, Dated(state, at, care: state.care))
        case .launch(let store, let at):
            Self.replace(&seenLaunch, Dated(store, at, care: store == .local ? 1 : 0))
        }
    }

    /// The network: what was asked for goes before what was seen.
    package func network(orGiven option: NetworkState) -> NetworkState {
        option == .unknown ? seenNetwork?.value ?? .unknown : option
    }

    /// The account, likewise.
    package func account(orGiven option: AccountAvailability) -> AccountAvailability {
        option == .unknown ? seenAccount?.value ?? .unknown : option
    }

    /// The store that the app opened when it was last launched; nil where that was not seen.
    package var launchedStore: StoreRole? { seenLaunch?.value }

    private static func replace<Value>(_ known: inout Dated<Value>?, _ other: Dated<Value>) {
        guard let old = known else {
            known = other
            return
        }
        if (old.at, old.care) < (other.at, other.care) { known = other }
    }
}

/// A value with the time at which it was seen.
private struct Dated<Value: Sendable & Hashable>: Sendable, Hashable {
    let value: Value
    let at: Instant
    /// Of two of one time the greater one counts.
    let care: Int

    init(_ value: Value, _ at: Instant, care: Int) {
        (self.value, self.at, self.care) = (value, at, care)
    }
}

extension NetworkState {
    fileprivate var care: Int {
        switch self {
        case .unknown: 0
        case .online: 1
        case .offline: 2
        }
    }
}

extension AccountAvailability {
    fileprivate var care: Int {
        switch self {
        case .unknown: 0
        case .available: 1
        case .noAccount: 2
        case .restricted: 3
        }
    }
}
