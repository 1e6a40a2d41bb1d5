// Invariant: the role is decided once, from the conditions at launch. Later changes may lead to a notice, never to
// another store: an app that exchanged stores while it runs would write half of an edit to each.

package import GodwitModel

/// Chooses the store that an app opens at launch, with the reason; pure.
package struct ActiveStoreChoice: Sendable {
    package struct Inputs: Sendable {
        package var account: Freshness.Account
        package var sync: SyncPreference
        package var isCopied: Bool
        package var hasLocal: Bool
        package var cloud: CloudStoreCondition

        package init(
            account: Freshness.Account, sync: SyncPreference, isCopied: Bool, hasLocal: Bool,
            cloud: CloudStoreCondition
        ) {
            (self.account, self.sync, self.isCopied) = (account, sync, isCopied)
            (self.hasLocal, self.cloud) = (hasLocal, cloud)
        }
    }

    private let inputs: Inputs
    /// The store to open; nil if none can be opened.
    package let role: StoreRole?
    package let reason: ActiveStore.Reason

    /// Chooses the store.
    ///
    /// Chooses the cloud store if the copy is complete, sync is not turned off, the account can be used and the store
    /// opens. Otherwise chooses the local store, with the first objection as the reason. Without a local store, chooses
    /// the cloud store if it opens.
    package init(_ inputs: Inputs) {
        self.inputs = inputs
        let objection = Self.objection(to: inputs)
        if let objection {
            if inputs.hasLocal {
                (role, reason) = (.local, objection)
            } else {
                switch inputs.cloud {
                case .opens: (role, reason) = (.cloud, .onlyStore)
                case .missing: (role, reason) = (nil, .noStore)
                case .fails: (role, reason) = (nil, .cloudFails)
                }
            }
        } else {
            (role, reason) = (.cloud, .synced)
        }
    }

    /// The first objection to the cloud store; nil for none.
    private static func objection(to inputs: Inputs) -> ActiveStore.Reason? {
        if inputs.sync == .off { return .syncOff }
        if !inputs.account.isUsable { return .accountNotAvailable }
        if !inputs.isCopied { return .copyNotDone }
        switch inputs.cloud {
        case .opens: return nil
        case .missing: return .cloudMissing
        case .fails: return .cloudFails
        }
    }

    /// Why the cloud store does not open; also if there is another objection.
    package var error: GodwitError? {
        if case .fails(let error) = inputs.cloud { error } else { nil }
    }

    /// Whether the data is only on this device though it was copied to the cloud store, so that new data reaches no
    /// other device.
    package var isLocalOnly: Bool { role == .local && inputs.isCopied }

    /// The notice for an account that changed after the launch; nil for none.
    ///
    /// The role does not change.
    package func afterLaunch(account: Freshness.Account) -> ActiveStore.Notice? {
        var now = inputs
        now.account = account
        return Self.notice(launched: role, now: ActiveStoreChoice(now))
    }

    /// The notice for an app that was launched with a known store; nil for none.
    ///
    /// - Parameters:
    ///   - launched: The store that the app opened; nil if that is not known.
    ///   - now: The choice at the present time.
    package static func notice(launched: StoreRole?, now: ActiveStoreChoice) -> ActiveStore.Notice? {
        launched == .local && now.role == .cloud && now.reason == .synced ? .restartToSync : nil
    }
}

/// Whether the user wants sync, by the app's preferences.
package enum SyncPreference: String, Sendable, CaseIterable {
    case on
    case off
    /// The preferences do not say it, or the manifest names no key.
    case notSaid
}

/// The state of the cloud store at launch.
package enum CloudStoreCondition: Sendable {
    case missing
    case opens
    case fails(GodwitError)
}
