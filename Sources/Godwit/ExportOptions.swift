public import GodwitModel
public import FoundationLite

/// How an export is written, and when it is not.
public struct ExportOptions: Sendable {
    /// Whether it is JSON lines: a header line, a line for each record, an integrity line.
    public var lines: Bool
    /// Whether it is compressed with gzip.
    public var gzip: Bool
    /// How much it is compressed: from 1, the fastest, to 9, the smallest.
    public var level: Int
    /// The store to export; nil for the active one.
    public var store: StoreRole?
    /// The only entities that are exported, by name; empty for all.
    public var entities: [String]
    /// The smallest number of records, nil for any; an export of fewer fails (65).
    public var minRecords: Int64?
    /// An earlier complete export: only the changes since then are exported, with the keys of deleted records.
    ///
    /// Nil for a complete export.
    public var since: URL? {
        get { sincePath.map { URL(filePath: $0) } }
        set { sincePath = newValue?.path }
    }
    /// Whether an existing export may be replaced; any other existing file never is.
    public var replacesExisting: Bool
    /// Whether the export is only made and checked, and then removed.
    public var isDryRun: Bool

    package var sincePath: String?
    /// Whether nothing is written if an earlier export in the folder already has the same content.
    package var skipsUnchanged = false
    /// By how many percent, from 0 to 100, the records may have become fewer since the newest export in the folder.
    ///
    /// All together and those of each entity; more is refused (65).
    package var maxShrinkPercent: Int?

    /// A new file of plain JSON with all entities, nothing replaced.
    public init(
        lines: Bool = false, gzip: Bool = false, level: Int = 6, store: StoreRole? = nil, entities: [String] = [],
        minRecords: Int64? = nil, replacesExisting: Bool = false, isDryRun: Bool = false
    ) {
        (self.lines, self.gzip, self.level, self.store) = (lines, gzip, level, store)
        (self.entities, self.minRecords) = (entities, minRecords)
        (self.replacesExisting, self.isDryRun) = (replacesExisting, isDryRun)
    }
}
