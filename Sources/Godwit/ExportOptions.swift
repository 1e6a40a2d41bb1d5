/// How an export is written.
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

    /// A new file of plain JSON, nothing replaced.
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
