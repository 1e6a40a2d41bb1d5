/// The durable record of a completed stage, written in the transaction that completed it.
///
/// For the copy, the receipt decides, and the flag in the preferences only repeats it.
package struct Receipt: Sendable, Equatable {
    /// `legacy` or `copy`.
    package let stage: GodwitError.Stage
    package let runIdentifier: String
    package let completedAt: Instant
    /// SHA-256 of the manifest of that run.
    package let manifestSHA256: String
    /// JSON: for `legacy`, the sources with path, size, SHA-256 and key counts; for `copy`, counts by entity; for both,
    /// the CloudKit environment if it is known.
    package let detail: String

    package init(
        stage: GodwitError.Stage, runIdentifier: String, completedAt: Instant, manifestSHA256: String, detail: String
    ) {
        (self.stage, self.runIdentifier, self.completedAt) = (stage, runIdentifier, completedAt)
        (self.manifestSHA256, self.detail) = (manifestSHA256, detail)
    }
}
