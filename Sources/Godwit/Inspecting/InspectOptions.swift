package import GodwitModel

/// How an inspection goes about it.
package struct InspectOptions: Sendable {
    /// Group containers that belong to the app.
    package var groupContainers: [String] = []
    /// Whether values are shown; those of what is called like a secret never are.
    package var showsValues = false
    /// How long to wait for an app that uses a store, in milliseconds.
    package var lockTimeoutMilliseconds = 30_000
    /// The time that dates are held against; nil for the clock.
    package var now: Instant?

    /// An inspection that shows no values.
    package init() {}
}
