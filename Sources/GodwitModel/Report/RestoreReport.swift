/// The result of an import.
public struct RestoreReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// The run's identifier, also in the history of the new store.
    public var runId: String
    /// The new store as given; nil if a plan named none.
    public var file: String?
    /// The restored export.
    public var document: RestoreReport.Document
    /// The increment that was applied; nil for none.
    public var increment: RestoreReport.Document?
    /// The schema: `fromVersion` is the version of the export, at which its records were restored and verified.
    public var schema: RunReport.Schema
    /// Number of restored records by entity.
    public var counts: [String: Int64]
    /// SHA-256 of the `entities` array: of an export of the restored store, equal to that of the export or the
    /// increment.
    public var sha256: String
    /// Size of the new store in bytes.
    public var bytes: Int64
    /// Whether this was a plan.
    public var dryRun: Bool
    /// The clock, if it was set by an option.
    package var clock: SetClock?
    /// Duration of the import.
    public var durationMilliseconds: Int64
    /// Warnings of the import.
    public var warnings: [Warning]

    /// A finished import.
    package init(
        runId: String, file: String?, document: RestoreReport.Document, increment: RestoreReport.Document? = nil,
        schema: RunReport.Schema, counts: [String: Int64], sha256: String, bytes: Int64, dryRun: Bool = false,
        durationMilliseconds: Int64 = 0, warnings: [Warning] = []
    ) {
        (self.runId, self.file, self.document, self.increment) = (runId, file, document, increment)
        (self.schema, self.counts, self.sha256, self.bytes) = (schema, counts, sha256, bytes)
        (self.dryRun, self.durationMilliseconds, self.warnings) = (dryRun, durationMilliseconds, warnings)
    }
}

extension RestoreReport {
    /// An export that was read to its end and verified.
    public struct Document: Sendable, Codable {
        /// The file as given; nil for standard input.
        public var file: String?
        /// The layout of the export.
        public var layout: ExportReport.Layout
        /// Whether it is compressed with gzip.
        public var compressed: Bool
        /// Its size in bytes, uncompressed.
        public var bytes: Int64
        /// Version of the export format.
        public var formatVersion: Int
        /// The app of the export.
        public var app: String
        /// The version of that app's exports.
        public var schemaVersion: Int
        /// When it was exported.
        public var exportedAt: Instant
        /// The export's identifier.
        public var exportId: String

        /// A document.
        package init(
            file: String?, layout: ExportReport.Layout, compressed: Bool, bytes: Int64, formatVersion: Int, app: String,
            schemaVersion: Int, exportedAt: Instant, exportId: String
        ) {
            (self.file, self.layout, self.compressed, self.bytes) = (file, layout, compressed, bytes)
            (self.formatVersion, self.app, self.schemaVersion) = (formatVersion, app, schemaVersion)
            (self.exportedAt, self.exportId) = (exportedAt, exportId)
        }
    }
}
