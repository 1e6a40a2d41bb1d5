public import GodwitModel

/// How an inspection goes about it.
public struct InspectOptions: Sendable {
    /// Group containers that belong to the app.
    public var groupContainers: [String] = []
    /// Whether values are shown; those of what is called like a secret never are.
    public var showsValues = false
    /// How long to wait for an app that uses a store, in milliseconds.
    public var lockTimeoutMilliseconds = 30_000
    /// The time that dates are held against; nil for the clock.
    public var now: Instant?

    /// An inspection that shows no values.
    public init() {}
}
