// Invariant: the role is decided once, from what was so at launch. What changes afterwards may lead to a notice, never to
// another store: an app that exchanged stores in the middle would write half of an edit to each.

package import GodwitModel

/// Which store an app opens when it is launched, and why; pure.
package struct ActiveStoreChoice: Sendable {
    /// What it is decided from.
    package struct Inputs: Sendable {
        /// The account.
        package var account: AccountAvailability
        /// What the user set in the app.
        package var sync: SyncPreference
        /// Whether the completion flag is set.
        package var isCopied: Bool
        /// Whether there is a local store.
        package var hasLocal: Bool
        /// The cloud store.
        package var cloud: CloudStoreCondition

        /// Inputs.
        package init(
            account: AccountAvailability, sync: SyncPreference, isCopied: Bool, hasLocal: Bool,
            cloud: CloudStoreCondition
        ) {
            (self.account, self.sync, self.isCopied) = (account, sync, isCopied)
            (self.hasLocal, self.cloud) = (hasLocal, cloud)
        }
    }

    private let inputs: Inputs
    /// The store to open; nil where there is none that can be opened.
    package let role: StoreRole?
    /// Why that one.
    package let reason: StoreReason

    /// Decides.
    ///
    /// The cloud store where the copy is complete, sync is not turned off, the account can be used and the store opens;
    /// else the local one, by the first reason that speaks against the cloud store. Where there is no local store, the
    /// cloud store is all there is, whatever speaks against it but that it does not open.
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

    /// What speaks against the cloud store first; nil for nothing.
    private static func objection(to inputs: Inputs) -> StoreReason? {
        if inputs.sync == .off { return .syncOff }
        if !inputs.account.isUsable { return .accountNotAvailable }
        if !inputs.isCopied { return .copyNotDone }
        switch inputs.cloud {
        case .opens: return nil
        case .missing: return .cloudMissing
        case .fails: return .cloudFails
        }
    }

    /// Why the cloud store does not open; kept whatever else speaks against it.
    package var error: GodwitError? {
        if case .fails(let error) = inputs.cloud { error } else { nil }
    }

    /// Whether the data lives on this device only although it has been copied to the cloud store: what is entered now
    /// reaches no other device.
    package var isLocalOnly: Bool { role == .local && inputs.isCopied }

    /// What to tell after the launch, when the account has become what it is now; nil for nothing.
    ///
    /// The role stays what it is.
    package func afterLaunch(account: AccountAvailability) -> LaunchNotice? {
        var now = inputs
        now.account = account
        return Self.notice(launched: role, now: ActiveStoreChoice(now))
    }

    /// What to tell an app of which is known with which store it was launched; nil for nothing.
    ///
    /// - Parameters:
    ///   - launched: the store it opened; nil where that was not seen.
    ///   - now: what would be chosen now.
    package static func notice(launched: StoreRole?, now: ActiveStoreChoice) -> LaunchNotice? {
        launched == .local && now.role == .cloud && now.reason == .synced ? .restartToSync : nil
    }
}

/// Whether the user wants sync, as the app's preferences say it.
package enum SyncPreference: String, Sendable, CaseIterable {
    /// Turned on.
    case on
    /// Turned off.
    case off
    /// The preferences don't say, or the manifest names no key.
    case notSaid
}

/// The cloud store, as a launch finds it.
package enum CloudStoreCondition: Sendable {
    /// There is none.
    case missing
    /// It can be opened.
    case opens
    /// It is there and can't be opened.
    case fails(GodwitError)
}
