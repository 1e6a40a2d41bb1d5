/// The result of an export.
public struct ExportReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// The file; nil for standard output, or if nothing was written.
    public var file: String?
    /// The earlier export with the same content; nil if an export was written.
    public var unchangedSince: String?
    /// The link to the newest export of a folder, if this export updated it.
    public var latest: String?
    /// The exported store.
    public var store: StoreRole
    /// The store's path inside the container.
    public var source: String
    /// The layout of the export.
    public var layout: ExportReport.Layout
    /// Whether it is compressed with gzip.
    public var compressed: Bool
    /// Records by entity.
    public var counts: [String: Int64]
    /// The export on which this increment is based; nil for a full export.
    package var since: ExportReport.Increment?
    /// Size of the file in bytes.
    public var bytes: Int64
    /// SHA-256 of the `entities` array's bytes, lower-case hex.
    public var sha256: String
    /// Opaque; equal values mean equal content.
    public var contentVersion: String
    /// The freshness verdict.
    public var freshness: Freshness
    /// The clock, if it was set by an option.
    package var clock: SetClock?
    /// Whether this was a plan.
    public var dryRun: Bool
    /// Warnings of the export.
    public var warnings: [Warning]

    /// A finished export.
    package init(
        file: String?, store: StoreRole, source: String, layout: ExportReport.Layout = .document,
        compressed: Bool = false,
        counts: [String: Int64], bytes: Int64, sha256: String, contentVersion: String, freshness: Freshness,
        dryRun: Bool = false, warnings: [Warning] = []
    ) {
        (self.file, self.store, self.source, self.layout) = (file, store, source, layout)
        (self.compressed, self.counts, self.bytes, self.sha256) = (compressed, counts, bytes, sha256)
        (self.contentVersion, self.freshness, self.dryRun) = (contentVersion, freshness, dryRun)
        self.warnings = warnings
    }
}

extension ExportReport {
    /// The base of an increment, an export that holds only the changes since another export.
    package struct Increment: Sendable, Codable {
        /// The file of the base.
        package var file: String
        /// The identifier of the base.
        package var exportId: String
        /// When the base was exported.
        package var exportedAt: Instant
        /// Number of removed records, by entity.
        package var gone: [String: Int64]

        /// An increment.
        package init(file: String, exportId: String, exportedAt: Instant, gone: [String: Int64]) {
            (self.file, self.exportId, self.exportedAt, self.gone) = (file, exportId, exportedAt, gone)
        }
    }
}
