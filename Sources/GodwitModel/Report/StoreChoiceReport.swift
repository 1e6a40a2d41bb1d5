/// The store that the app should use, the reason, and the problem with the other store.
public struct StoreChoiceReport: Sendable, Codable {
    /// The store; nil if none can be opened.
    public var role: StoreRole?
    /// The reason for the choice.
    public var reason: StoreReason
    /// Why the cloud store cannot be opened; nil if it can, or if it does not exist.
    public var error: StoreFailure?
    /// The store that the app opened at its last launch; nil if its events do not say it.
    public var launched: StoreRole?
    /// What to do because of that launch; nil for nothing.
    public var notice: LaunchNotice?

    /// A choice.
    public init(
        role: StoreRole?, reason: StoreReason, error: StoreFailure? = nil, launched: StoreRole? = nil,
        notice: LaunchNotice? = nil
    ) {
        (self.role, self.reason, self.error) = (role, reason, error)
        (self.launched, self.notice) = (launched, notice)
    }
}

/// The reason for the choice of the active store.
public enum StoreReason: String, Sendable, Codable, CaseIterable {
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

/// A change since the app was launched.
public enum LaunchNotice: String, Sendable, Codable, CaseIterable {
    /// The app runs on the local store and could use the cloud store. Stores are never exchanged while the app runs.
    case restartToSync
}

/// Why a store cannot be opened.
public struct StoreFailure: Sendable, Codable, Equatable {
    /// The exit code of a command that needs the store.
    public var code: Int
    /// What is wrong with the store.
    public var message: String
    /// What to do next.
    public var hint: String?

    /// A failure.
    public init(_ error: GodwitError) {
        code = Int(error.code.rawValue)
        message = error.message
        hint = error.hint
    }
}
