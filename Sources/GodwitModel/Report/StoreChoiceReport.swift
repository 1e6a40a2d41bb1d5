/// Which store the app is to use, why, and what stands against the other one.
public struct StoreChoiceReport: Sendable, Codable {
    /// The store; nil where there is none that can be opened.
    public var role: StoreRole?
    /// Why that one.
    public var reason: StoreReason
    /// Why the cloud store can't be opened; nil where it can, or is not there.
    public var error: StoreFailure?
    /// The store that the app opened when it was last launched; nil where its events do not say.
    public var launched: StoreRole?
    /// What that launch leaves to do; nil for nothing.
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

/// Why a store is the active one.
public enum StoreReason: String, Sendable, Codable, CaseIterable {
    /// The copy is complete, the account can be used, and the cloud store opens.
    case synced
    /// Sync is turned off in the app.
    case syncOff
    /// The account can't be used.
    case accountNotAvailable
    /// The copy to the cloud store is not complete.
    case copyNotDone
    /// The copy is complete, and yet there is no cloud store.
    case cloudMissing
    /// The cloud store can't be opened.
    case cloudFails
    /// There is no local store.
    case onlyStore
    /// There is no store at all.
    case noStore
}

/// What changed since an app was launched.
public enum LaunchNotice: String, Sendable, Codable, CaseIterable {
    /// It runs on the local store and could use the cloud store: stores are never exchanged while it runs.
    case restartToSync
}

/// Why a store can't be opened.
public struct StoreFailure: Sendable, Codable, Equatable {
    /// The exit code a command would end with that needs the store.
    public var code: Int
    /// What is wrong with it.
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
