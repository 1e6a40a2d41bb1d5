package import GodwitModel

/// The completion flag in the first preferences: it repeats what the receipt says, and the app reads it.
///
/// Invariant: it is set only after the receipt is durable.
package struct CompletionFlag: Sendable {
    private let store: any FlagStore
    private let name: String
    private let key: String

    /// - Parameter name: what reports call the preferences: the path of their file inside the container.
    package init(in store: any FlagStore, name: String, key: String) {
        (self.store, self.name, self.key) = (store, name, key)
    }

    /// The maximum size of a preferences file: 64 MiB.
    package static let limit = 64 << 20

    /// Whether the flag is true; false for missing preferences or a missing key.
    package func isSet() throws(GodwitError) -> Bool {
        try naming { () throws(GodwitError) in try store.readFlag(key) ?? false }
    }

    /// The flag for reports.
    package func state() throws(GodwitError) -> RunReport.Flag {
        RunReport.Flag(file: name, key: key, isSet: try isSet())
    }

    /// Sets the flag.
    ///
    /// - Parameters:
    ///   - value: false to make the app use the local store again.
    ///   - confirm: called immediately before it is set; throws if it must not be set.
    package func set(
        to value: Bool = true, context: RunContext,
        confirm: () throws(GodwitError) -> Void = { () throws(GodwitError) in }
    ) throws(GodwitError) {
        try context.faultPoint(.beforeFlag)
        try naming { () throws(GodwitError) in
            try store.setFlag(key, to: value, context: context, confirm: confirm)
        }
        try context.faultPoint(.afterFlag)
    }

    /// The store's errors about content name no file.
    private func naming<R>(_ body: () throws(GodwitError) -> R) throws(GodwitError) -> R {
        do throws(GodwitError) {
            return try body()
        } catch  where error.stage == .legacy {
            var failure = error
            failure.message = "\(name): \(error.message)"
            throw failure
        }
    }
}
