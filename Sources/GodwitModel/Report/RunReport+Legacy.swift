extension RunReport {
    /// The result of the legacy stage: the key list, with one line for each key.
    public struct Legacy: Sendable, Codable {
        /// The outcome of the stage.
        public var outcome: Outcome
        /// The files that were read, in manifest order.
        public var sources: [RunReport.Legacy.Source]
        /// Each key of the files once, then each mapped key that no file has and that took its default.
        public var ledger: [RunReport.Legacy.Key]
        /// Number of lines by outcome; the sum is `ledger.count`.
        public var buckets: [String: Int]
        /// Number of inserted records by entity.
        public var inserted: [String: Int]
        /// The earlier import that makes this one unnecessary; nil if there is none or its receipt has no details.
        package var earlier: RunReport.Legacy.Earlier?

        /// A report from its key list, with the lines counted by outcome.
        package init(
            outcome: Outcome = .nothingToDo, sources: [RunReport.Legacy.Source] = [],
            ledger: [RunReport.Legacy.Key] = [],
            inserted: [String: Int] = [:]
        ) {
            (self.outcome, self.sources, self.ledger, self.inserted) = (outcome, sources, ledger, inserted)
            buckets = ledger.reduce(into: [:]) { $0[$1.bucket.rawValue, default: 0] += 1 }
        }

        /// The number of keys with an outcome.
        public func count(_ outcome: KeyOutcome) -> Int { buckets[outcome.rawValue] ?? 0 }
    }
}

extension RunReport.Legacy {
    /// The receipt of an earlier import.
    package struct Earlier: Sendable, Codable, Hashable {
        /// When it completed.
        package var completedAt: Instant
        /// Number of lines of its key list by outcome.
        package var buckets: [String: Int]

        /// An earlier import.
        package init(completedAt: Instant, buckets: [String: Int]) {
            (self.completedAt, self.buckets) = (completedAt, buckets)
        }

        /// Number of values that did not arrive: their outcome is `conflict` or `unsupported`.
        package var lost: Int { (buckets["conflict"] ?? 0) + (buckets["unsupported"] ?? 0) }

        /// `the import of 2026-11-21 06:00:00 UTC left 2 values behind (conflict, unsupported)`; nil if all arrived.
        package var lostWords: String? {
            guard lost > 0 else { return nil }
            let date = completedAt.iso8601
            return "the import of \(date.prefix(10)) \(date.dropFirst(11).prefix(8)) UTC left "
                + "\(lost.counted("value")) behind (conflict, unsupported)"
        }
    }
}

extension RunReport.Legacy {
    /// A legacy file as it was read.
    public struct Source: Sendable, Codable {
        /// Path inside the container.
        public var path: String
        /// nil if the file does not exist.
        package var format: LegacyFormat?
        /// Size in bytes.
        public var size: Int64
        /// SHA-256 of the bytes, lower-case hex.
        public var sha256: String?
        /// Number of top-level keys.
        public var keyCount: Int
        /// The file's modification time.
        public var modifiedAt: Instant?

        /// A source; everything except the path is optional.
        package init(
            path: String, format: LegacyFormat? = nil, size: Int64 = 0, sha256: String? = nil, keyCount: Int = 0,
            modifiedAt: Instant? = nil
        ) {
            (self.path, self.format, self.size, self.sha256) = (path, format, size, sha256)
            (self.keyCount, self.modifiedAt) = (keyCount, modifiedAt)
        }
    }
}

extension RunReport.Legacy {
    /// The outcome of one legacy key.
    public struct Key: Sendable, Codable {
        /// The key.
        public var key: String
        /// The outcome.
        public var bucket: RunReport.Legacy.KeyOutcome
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
        package init(
            key: String, bucket: RunReport.Legacy.KeyOutcome, source: String? = nil, into: String? = nil,
            note: String? = nil,
            from: String? = nil, to: String? = nil, items: [String: Int]? = nil
        ) {
            (self.key, self.bucket, self.source, self.into) = (key, bucket, source, into)
            (self.note, self.from, self.to, self.items) = (note, from, to, items)
        }
    }
}

extension RunReport.Legacy {
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
        /// Its value is not in the value map, contradicts another value, or is left behind by a record without one.
        case conflict
        /// The manifest does not mention it.
        case unmapped
    }
}
