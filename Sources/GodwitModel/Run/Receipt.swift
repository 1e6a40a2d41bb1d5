/// The durable record of a completed stage, written in the transaction that completed it.
///
/// For the copy it is the truth, and the flag in the preferences only its echo.
package struct Receipt: Sendable, Equatable {
    /// `legacy` or `copy`.
    package let stage: Stage
    package let runIdentifier: String
    package let completedAt: Instant
    /// SHA-256 of the manifest the stage ran with.
    package let manifestSHA256: String
    /// JSON: for `legacy` sources with path, size, SHA-256 and key counts; for `copy` counts by entity; for both the
    /// CloudKit environment where it is known.
    package let detail: String

    package init(
        stage: Stage, runIdentifier: String, completedAt: Instant, manifestSHA256: String, detail: String
    ) {
        self.stage = stage
        self.runIdentifier = runIdentifier
        self.completedAt = completedAt
        self.manifestSHA256 = manifestSHA256
        self.detail = detail
    }
}
