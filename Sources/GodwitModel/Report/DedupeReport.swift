/// Which records were found twice, which stayed, and why.
public struct DedupeReport: Sendable, Codable {
    /// What became of the stage.
    public var outcome: Outcome
    /// Which store.
    public var store: StoreRole?
    /// The first groups found (at most 1,000), in manifest and key order.
    public var groups: [DedupeGroup]
    /// All groups, also those not listed.
    public var groupCount: Int
    /// Losers moved to `godwit_removed`, by entity.
    public var removed: [String: Int]
    /// Child columns re-pointed from a loser to its winner.
    public var repointed: Int
    /// Dates that took part in the choices though they say little.
    public var dates = DateFindings()
    /// Columns that seem to hold primary keys of removed records though nothing names them as references; nil if there are
    /// none.
    public var unnamedReferences: [UnnamedReference]?

    /// A report of a stage that found no duplicates.
    public init(
        outcome: Outcome = .nothingToDo, store: StoreRole? = nil, groups: [DedupeGroup] = [], groupCount: Int = 0,
        removed: [String: Int] = [:], repointed: Int = 0
    ) {
        self.outcome = outcome
        self.store = store
        self.groups = groups
        self.groupCount = groupCount
        self.removed = removed
        self.repointed = repointed
    }
}

/// Records of one entity that stand for one thing.
public struct DedupeGroup: Sendable, Codable {
    /// The entity.
    public var entity: String
    /// The key that stays.
    public var key: String
    /// The record that stays.
    public var winner: DuplicateRecord
    /// The records that were moved to `godwit_removed`.
    public var losers: [DuplicateRecord]
    /// Why the winner won.
    public var reason: WinnerReason
    /// Whether the winner's key was changed to the singleton's fixed key.
    public var rekeyed: Bool

    /// A group.
    public init(
        entity: String, key: String, winner: DuplicateRecord, losers: [DuplicateRecord], reason: WinnerReason,
        rekeyed: Bool
    ) {
        self.entity = entity
        self.key = key
        self.winner = winner
        self.losers = losers
        self.reason = reason
        self.rekeyed = rekeyed
    }
}

/// One record of a group: its own key and date.
public struct DuplicateRecord: Sendable, Codable, Hashable {
    /// The key it had.
    public var key: String
    /// Its date; nil where NULL or unreadable.
    public var modifiedAt: Instant?

    /// A contender.
    public init(key: String, modifiedAt: Instant?) {
        self.key = key
        self.modifiedAt = modifiedAt
    }
}

/// Why one record of several stays.
public enum WinnerReason: String, Sendable, Codable {
    /// It alone is left: all others equal it in every column.
    case identical
    /// It is the newest.
    case newest
    /// It is the earliest.
    case earliest
    /// Dates tie; its key is smaller.
    case smallerKey
    /// Dates and keys tie; its columns compare smaller.
    case smallerColumns
    /// It alone, but it had to take the fixed key.
    case onlyOne
    /// The rule says that the cloud's record stays.
    case cloudKept
    /// The rule says that the local record stays.
    case localKept
    /// Dates tie between the stores: the cloud's stays.
    case tieCloud
}
