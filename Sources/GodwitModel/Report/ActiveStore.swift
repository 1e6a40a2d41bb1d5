/// The store that the app should use, the reason, and the problem with the other store.
public struct ActiveStore: Sendable, Codable {
    /// The store; nil if none can be opened.
    public var role: StoreRole?
    /// The reason for the choice.
    public var reason: ActiveStore.Reason
    /// Why the cloud store cannot be opened; nil if it can, or if it does not exist.
    package var error: ActiveStore.Failure?
    /// The store that the app opened at its last launch; nil if its events do not say it.
    public var launched: StoreRole?
    /// The next action because of that launch; nil for none.
    public var notice: ActiveStore.Notice?
    /// The path of the store's file, which is not in JSON; nil if there is no store.
    package var path: String?

    private enum CodingKeys: CodingKey { case role, reason, error, launched, notice }

    /// A choice.
    package init(
        role: StoreRole?, reason: ActiveStore.Reason, error: ActiveStore.Failure? = nil, launched: StoreRole? = nil,
        notice: ActiveStore.Notice? = nil
    ) {
        (self.role, self.reason, self.error) = (role, reason, error)
        (self.launched, self.notice) = (launched, notice)
    }
}

extension ActiveStore {
    /// The reason for the choice of the active store.
    public enum Reason: String, Sendable, Codable, CaseIterable {
        /// The copy is complete, the account can be used, and the cloud store opens.
        case synced
        /// Sync is turned off in the app.
        case syncOff
        /// The account cannot be used.
        case accountNotAvailable
        /// The copy to the cloud store is not complete.
        case copyNotDone
        /// The copy is complete, but the cloud store does not exist.
        case cloudMissing
        /// The cloud store cannot be opened.
        case cloudFails
        /// The local store does not exist.
        case onlyStore
        /// Neither store exists.
        case noStore
    }
}

extension ActiveStore {
    /// A change since the app was launched.
    public enum Notice: String, Sendable, Codable, CaseIterable {
        /// The app runs on the local store and could use the cloud store. Stores are never exchanged while the app runs.
        case restartToSync
    }
}

extension ActiveStore {
    /// Why a store cannot be opened.
    package struct Failure: Sendable, Codable, Equatable {
        /// The exit code of a command that needs the store.
        package var code: Int
        /// The problem of the store.
        package var message: String
        /// What to do next.
        package var hint: String?

        /// A failure.
        package init(_ error: GodwitError) {
            code = Int(error.code.rawValue)
            message = error.message
            hint = error.hint
        }
    }
}
