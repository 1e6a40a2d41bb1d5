/// How an export is written.
public struct ExportOptions: Sendable {
    /// Whether an existing export may be replaced; anything else that is there never is.
    public var replacesExisting = false
    /// Whether the document is only made and checked, and then discarded.
    public var isDryRun = false

    /// A new file, nothing replaced.
    public init(replacesExisting: Bool = false, isDryRun: Bool = false) {
        self.replacesExisting = replacesExisting
        self.isDryRun = isDryRun
    }
}
