/// What an import restored.
public struct ImportReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// The run's identifier, which also names it in the new store's history.
    public var runId: String
    /// The new store as given; nil where a rehearsal named none.
    public var file: String?
    /// What it was restored from.
    public var document: ImportedDocument
    /// What changed since, where that was brought in.
    public var increment: ImportedDocument?
    /// The schema: `fromVersion` is that of the document, at which its records were restored and proven.
    public var schema: SchemaReport
    /// Restored records by entity.
    public var counts: [String: Int64]
    /// SHA-256 of the `entities` array: of the restored store exported again, and of the document, or as the increment says.
    public var sha256: String
    /// Size of the new store in bytes.
    public var bytes: Int64
    /// Whether this was a rehearsal.
    public var dryRun: Bool
    /// The clock, if it was set by hand.
    public var clock: SetClock?
    /// How long it took.
    public var durationMilliseconds: Int64
    /// What a person should know though nothing failed.
    public var warnings: [Warning]

    /// A finished import.
    public init(
        runId: String, file: String?, document: ImportedDocument, increment: ImportedDocument? = nil,
        schema: SchemaReport, counts: [String: Int64], sha256: String, bytes: Int64, dryRun: Bool = false,
        durationMilliseconds: Int64 = 0, warnings: [Warning] = []
    ) {
        self.runId = runId
        self.file = file
        self.document = document
        self.increment = increment
        self.schema = schema
        self.counts = counts
        self.sha256 = sha256
        self.bytes = bytes
        self.dryRun = dryRun
        self.durationMilliseconds = durationMilliseconds
        self.warnings = warnings
    }
}

/// A document that was read to its end and proven.
public struct ImportedDocument: Sendable, Codable {
    /// The file as given; nil for standard input.
    public var file: String?
    /// How it is laid out.
    public var layout: ExportLayout
    /// Whether it is packed with gzip.
    public var compressed: Bool
    /// Its size in bytes, unpacked.
    public var bytes: Int64
    /// Version of its format.
    public var formatVersion: Int
    /// The app it was exported from.
    public var app: String
    /// The version of that app's exports.
    public var schemaVersion: Int
    /// When it was exported.
    public var exportedAt: Instant
    /// Its identifier.
    public var exportId: String

    /// A document.
    public init(
        file: String?, layout: ExportLayout, compressed: Bool, bytes: Int64, formatVersion: Int, app: String,
        schemaVersion: Int, exportedAt: Instant, exportId: String
    ) {
        self.file = file
        self.layout = layout
        self.compressed = compressed
        self.bytes = bytes
        self.formatVersion = formatVersion
        self.app = app
        self.schemaVersion = schemaVersion
        self.exportedAt = exportedAt
        self.exportId = exportId
    }
}
