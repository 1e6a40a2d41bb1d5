/// The result of the legacy stage: the key list, with one line for each key.
public struct LegacyReport: Sendable, Codable {
    /// The outcome of the stage.
    public var outcome: Outcome
    /// The files that were read, in manifest order.
    public var sources: [LegacySource]
    /// Each key of the files once, then each mapped key that no file has and that took its default.
    public var ledger: [LedgerLine]
    /// Number of lines by outcome; the sum is `ledger.count`.
    public var buckets: [String: Int]
    /// Number of inserted records by entity.
    public var inserted: [String: Int]
    /// The earlier import that makes this one unnecessary; nil if there is none or its receipt has no details.
    public var earlier: EarlierImport?

    /// A report from its key list, with the lines counted by outcome.
    public init(
        outcome: Outcome = .nothingToDo, sources: [LegacySource] = [], ledger: [LedgerLine] = [],
        inserted: [String: Int] = [:]
    ) {
        (self.outcome, self.sources, self.ledger, self.inserted) = (outcome, sources, ledger, inserted)
        buckets = ledger.reduce(into: [:]) { $0[$1.bucket.rawValue, default: 0] += 1 }
    }
}

/// The receipt of an earlier import.
public struct EarlierImport: Sendable, Codable, Hashable {
    /// When it completed.
    public var completedAt: Instant
    /// Number of lines of its key list by outcome.
    public var buckets: [String: Int]

    /// An earlier import.
    public init(completedAt: Instant, buckets: [String: Int]) {
        (self.completedAt, self.buckets) = (completedAt, buckets)
    }

    /// Number of values that did not arrive: their outcome is `conflict` or `unsupported`.
    public var lost: Int { (buckets["conflict"] ?? 0) + (buckets["unsupported"] ?? 0) }
}

/// A legacy file as it was read.
public struct LegacySource: Sendable, Codable {
    /// Path inside the container.
    public var path: String
    /// nil if the file does not exist.
    public var format: LegacyFormat?
    /// Size in bytes.
    public var size: Int64
    /// SHA-256 of the bytes, lower-case hex.
    public var sha256: String?
    /// Number of top-level keys.
    public var keyCount: Int
    /// The file's modification time.
    public var modifiedAt: Instant?

    /// A source; everything except the path is optional.
    public init(
        path: String, format: LegacyFormat? = nil, size: Int64 = 0, sha256: String? = nil, keyCount: Int = 0,
        modifiedAt: Instant? = nil
    ) {
        (self.path, self.format, self.size, self.sha256) = (path, format, size, sha256)
        (self.keyCount, self.modifiedAt) = (keyCount, modifiedAt)
    }
}

/// The outcome of one legacy key.
public struct LedgerLine: Sendable, Codable {
    /// The key.
    public var key: String
    /// The outcome.
    public var bucket: KeyOutcome
    /// The file with the value; nil for a default.
    public var source: String?
    /// The target as `Entity.column`.
    public var into: String?
    /// The reason in a few words; never a value.
    public var note: String?
    /// The legacy value, only with `--verbose`; `note` has the types of a converted value.
    public var from: String?
    /// The stored value, only with `--verbose`.
    public var to: String?
    /// For a list: number of items by outcome.
    public var items: [String: Int]?

    /// A line of the key list.
    public init(
        key: String, bucket: KeyOutcome, source: String? = nil, into: String? = nil, note: String? = nil,
        from: String? = nil, to: String? = nil, items: [String: Int]? = nil
    ) {
        (self.key, self.bucket, self.source, self.into) = (key, bucket, source, into)
        (self.note, self.from, self.to, self.items) = (note, from, to, items)
    }
}

/// The outcome of a legacy key.
public enum KeyOutcome: String, Sendable, Codable, CaseIterable {
    /// Its value is in the store, unchanged.
    case migrated
    /// No file has the key; the manifest's default was stored.
    case defaulted
    /// Its value was stored with another type or spelling.
    case coerced
    /// The store already had a record; nothing was written.
    case alreadyPresent
    /// It stays in the preferences on purpose.
    case localOnly
    /// A value of its type cannot be stored in the target column.
    case unsupported
    /// Its value is not in the value map, or contradicts another value.
    case conflict
    /// The manifest does not mention it.
    case unmapped
}
