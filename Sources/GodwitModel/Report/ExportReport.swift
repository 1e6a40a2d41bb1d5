/// What an export wrote.
public struct ExportReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// The file; nil where it went to standard output, or where nothing was written.
    public var file: String?
    /// The earlier export that makes this one superfluous, where there is one and therefore nothing was written.
    public var unchangedSince: String?
    /// The link to the newest export of a folder, where it was made to lead to this one.
    public var latest: String?
    /// The store it came from.
    public var store: StoreRole
    /// That store's path inside the container.
    public var source: String
    /// How the document is laid out.
    public var layout: ExportLayout
    /// Whether it is packed with gzip.
    public var compressed: Bool
    /// Records by entity.
    public var counts: [String: Int64]
    /// What the document holds only the differences from; nil where it holds everything.
    public var since: ExportIncrement?
    /// Size of the file in bytes.
    public var bytes: Int64
    /// SHA-256 of the `entities` array's bytes, lower-case hex.
    public var sha256: String
    /// Opaque; equal values mean equal content.
    public var contentVersion: String
    /// How stale it may be.
    public var freshness: Freshness
    /// The clock, if it was set by hand.
    public var clock: SetClock?
    /// Whether this was a rehearsal.
    public var dryRun: Bool
    /// What a person should know though nothing failed.
    public var warnings: [Warning]

    /// A finished export.
    public init(
        file: String?, store: StoreRole, source: String, layout: ExportLayout = .document, compressed: Bool = false,
        counts: [String: Int64], bytes: Int64, sha256: String, contentVersion: String, freshness: Freshness,
        dryRun: Bool = false, warnings: [Warning] = []
    ) {
        self.file = file
        self.store = store
        self.source = source
        self.layout = layout
        self.compressed = compressed
        self.counts = counts
        self.bytes = bytes
        self.sha256 = sha256
        self.contentVersion = contentVersion
        self.freshness = freshness
        self.dryRun = dryRun
        self.warnings = warnings
    }
}

/// An export that holds only what changed since another.
public struct ExportIncrement: Sendable, Codable {
    /// The other's file.
    public var file: String
    /// The other's identifier.
    public var exportId: String
    /// When the other was made.
    public var exportedAt: Instant
    /// Keys of records that are gone, by entity.
    public var gone: [String: Int64]

    /// The differences from another export.
    public init(file: String, exportId: String, exportedAt: Instant, gone: [String: Int64]) {
        self.file = file
        self.exportId = exportId
        self.exportedAt = exportedAt
        self.gone = gone
    }
}
