public import GodwitModel

/// How an export is written, and when it is not.
public struct ExportOptions: Sendable {
    /// Whether an existing export may be replaced; anything else that is there never is.
    public var replacesExisting = false
    /// Whether the document is only made and checked, and then discarded.
    public var isDryRun = false

    /// Whether it is JSON lines: a header line, a line for each record, an integrity line.
    public var lines = false
    /// Whether it is packed with gzip.
    public var gzip = false
    /// How hard it is packed: from 1, the quickest, to 9, the smallest.
    public var level = 6

    /// The store to export; nil for the active one.
    public var store: StoreRole?
    /// The only entities that are exported, by name; empty for all.
    public var entities: [String] = []
    /// An earlier export that holds everything: only what changed since is exported, and the keys that are gone.
    ///
    /// Nil for everything.
    public var since: String?
    /// Whether nothing is written where an earlier export in the folder has the same content already.
    public var skipsUnchanged = false
    /// The fewest records there must be.
    ///
    /// An export of fewer is refused (65).
    public var minRecords: Int64?
    /// By how many percent, from 0 to 100, the records may have become fewer since the newest export in the folder.
    ///
    /// All together and those of each entity; more is refused (65).
    public var maxShrinkPercent: Int?

    /// A new file of plain JSON with all entities, nothing replaced.
    public init(
        replacesExisting: Bool = false, isDryRun: Bool = false, lines: Bool = false, gzip: Bool = false, level: Int = 6
    ) {
        self.replacesExisting = replacesExisting
        self.isDryRun = isDryRun
        self.lines = lines
        self.gzip = gzip
        self.level = level
    }
}
