package import GodwitModel

/// Where the completion flag is kept.
package protocol FlagStore: Sendable {
    /// The flag; nil if there are no preferences, or if they lack the key.
    ///
    /// Throws `data` if it is not a boolean.
    func readFlag(_ key: String) throws(GodwitError) -> Bool?

    /// Sets the flag, and touches no other key.
    ///
    /// - Parameter confirm: called immediately before it is set; throws if it must not be set.
    func setFlag(
        _ key: String, to value: Bool, context: RunContext, confirm: () throws(GodwitError) -> Void
    ) throws(GodwitError)
}
