/// One attempt to export into a folder: a line of its index `exports.jsonl`.
package struct ExportAttempt: Sendable, Codable, Equatable {
    /// How an attempt ended.
    package enum Outcome: String, Sendable, Codable {
        /// An export was written.
        case exported
        /// The newest export has the same content already.
        case unchanged
        /// Nothing was written.
        case failed
    }

    /// When it began.
    package var at: Instant
    package var outcome: Outcome
    /// The manifest's app.
    package var app: String
    /// The entities that were asked for, sorted by their place in the manifest; nil for all.
    package var selection: [String]?
    /// The export's name in the folder: the one that was written, or that makes a new one superfluous.
    package var file: String?
    package var exportId: String?
    /// Size of the file in bytes.
    package var bytes: Int64?
    package var sha256: String?
    /// Records by entity.
    package var counts: [String: Int64]?
    /// How stale the export said it may be.
    package var freshness: FreshnessStatus?
    /// What the command exited with, where it failed.
    package var code: Int32?
    /// Why it failed, in one sentence.
    package var message: String?

    package init(at: Instant, outcome: Outcome, app: String, selection: [String]? = nil) {
        (self.at, self.outcome, self.app, self.selection) = (at, outcome, app, selection)
    }
}
