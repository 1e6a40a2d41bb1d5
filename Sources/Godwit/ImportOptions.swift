/// How an export is restored.
public struct ImportOptions: Sendable {
    /// Whether the store is only built and proven in a private folder, and then discarded.
    public var isDryRun = false

    /// A new store.
    public init(isDryRun: Bool = false) {
        self.isDryRun = isDryRun
    }
}
