package import GodwitModel

/// The options of an inspection.
package struct InspectOptions: Sendable {
    /// Group containers that belong to the app.
    package var groupContainers: [String] = []
    /// Whether values are shown; values with a name like a secret never are.
    package var showsValues = false
    /// How long to wait for an app that uses a store, in milliseconds.
    package var lockTimeoutMilliseconds = 30_000
    /// The present time for comparisons of dates; nil to use the clock.
    package var now: Instant?

    /// An inspection that shows no values.
    package init() {}
}
