/// One attempt to export into a folder: a line of its index `exports.jsonl`.
package struct ExportAttempt: Sendable, Codable, Equatable {
    package enum Outcome: String, Sendable, Codable {
        case exported
        /// The newest export already has the same content.
        case unchanged
        /// Nothing was written because of an error.
        case failed
    }

    package var at: Instant
    package var outcome: Outcome
    package var app: String
    /// The requested entities in manifest order; nil for all.
    package var selection: [String]?
    /// The export's name in the folder: the new export, or the one with the same content.
    package var file: String?
    package var exportId: String?
    /// Size of the file in bytes.
    package var bytes: Int64?
    package var sha256: String?
    package var counts: [String: Int64]?
    package var freshness: Freshness.Status?
    /// The exit code if the attempt failed.
    package var code: Int32?
    /// Why the attempt failed, in one sentence.
    package var message: String?

    package init(at: Instant, outcome: Outcome, app: String, selection: [String]? = nil) {
        (self.at, self.outcome, self.app, self.selection) = (at, outcome, app, selection)
    }
}
