/// What the legacy stage found and did: a ledger with one line for each key.
public struct LegacyReport: Sendable, Codable {
    /// What became of the stage.
    public var outcome: Outcome
    /// The files that were read, in the manifest's order.
    public var sources: [LegacySource]
    /// Each key of the files once, then each mapped key that no file has and that took its default.
    public var ledger: [LedgerLine]
    /// Lines by bucket; the sum is `ledger.count`.
    public var buckets: [String: Int]
    /// Records inserted, by entity.
    public var inserted: [String: Int]
    /// The import of an earlier run that makes this one superfluous; nil where there is none, or none that says.
    public var earlier: EarlierImport?

    /// A report from its ledger; the buckets are counted from it.
    public init(
        outcome: Outcome = .nothingToDo, sources: [LegacySource] = [], ledger: [LedgerLine] = [],
        inserted: [String: Int] = [:]
    ) {
        self.outcome = outcome
        self.sources = sources
        self.ledger = ledger
        self.inserted = inserted
        buckets = ledger.reduce(into: [:]) { $0[$1.bucket.rawValue, default: 0] += 1 }
    }
}

/// What the receipt of an earlier import says.
public struct EarlierImport: Sendable, Codable, Hashable {
    /// When it was done.
    public var completedAt: Instant
    /// Its ledger's lines by bucket.
    public var buckets: [String: Int]

    /// An import that was done before.
    public init(completedAt: Instant, buckets: [String: Int]) {
        (self.completedAt, self.buckets) = (completedAt, buckets)
    }

    /// How many values ended in `conflict` or `unsupported`: those that did not arrive.
    public var lost: Int { (buckets["conflict"] ?? 0) + (buckets["unsupported"] ?? 0) }
}

/// A legacy file as it was read.
public struct LegacySource: Sendable, Codable {
    /// Path inside the container.
    public var path: String
    /// Nil where the file is missing.
    public var format: LegacyFormat?
    /// Size in bytes.
    public var size: Int64
    /// SHA-256 of the bytes, lower-case hex.
    public var sha256: String?
    /// Top-level keys.
    public var keyCount: Int
    /// The file's modification time.
    public var modifiedAt: Instant?

    /// A source; all but the path may be missing.
    public init(
        path: String, format: LegacyFormat? = nil, size: Int64 = 0, sha256: String? = nil, keyCount: Int = 0,
        modifiedAt: Instant? = nil
    ) {
        self.path = path
        self.format = format
        self.size = size
        self.sha256 = sha256
        self.keyCount = keyCount
        self.modifiedAt = modifiedAt
    }
}

/// What became of one legacy key.
public struct LedgerLine: Sendable, Codable {
    /// The key.
    public var key: String
    /// Exactly one bucket.
    public var bucket: KeyOutcome
    /// The file it came from; nil for a default.
    public var source: String?
    /// `Entity.column` it went to.
    public var into: String?
    /// Why, in a few words; never a value.
    public var note: String?
    /// The legacy value, under `--verbose` alone; the types of a value that was coerced are in the note.
    public var from: String?
    /// The value it became, likewise.
    public var to: String?
    /// For a list: how many items ended in which bucket.
    public var items: [String: Int]?

    /// A line of the ledger.
    public init(
        key: String, bucket: KeyOutcome, source: String? = nil, into: String? = nil, note: String? = nil,
        from: String? = nil, to: String? = nil, items: [String: Int]? = nil
    ) {
        self.key = key
        self.bucket = bucket
        self.source = source
        self.into = into
        self.note = note
        self.from = from
        self.to = to
        self.items = items
    }
}

/// What can become of a legacy key.
public enum KeyOutcome: String, Sendable, Codable, CaseIterable {
    /// Its value is in the structured store, unchanged.
    case migrated
    /// No file has it; the manifest's default was stored.
    case defaulted
    /// Its value was stored in another type or spelling.
    case coerced
    /// The structured store had a record already; nothing was written.
    case alreadyPresent
    /// It stays where it is, by intent.
    case localOnly
    /// Its type can't be stored where it should go.
    case unsupported
    /// Its value is not in the value map, or contradicts something.
    case conflict
    /// The manifest does not speak of it.
    case unmapped
}
