extension RunReport {
    /// Duplicates that were found, which records stayed, and why.
    public struct Dedupe: Sendable, Codable {
        /// The outcome of the stage.
        public var outcome: Outcome
        /// The store that was changed.
        public var store: StoreRole?
        /// The first 1,000 groups at most, in manifest and key order.
        public var groups: [RunReport.Dedupe.Group]
        /// Number of groups, including those not listed.
        public var groupCount: Int
        /// Number of records moved to `godwit_removed`, by entity.
        public var removed: [String: Int]
        /// Number of references changed from a removed record to its winner.
        public var repointed: Int
        /// Unreliable dates that took part in choosing winners.
        package var dates = DateFindings()
        /// Columns that seem to hold primary keys of removed records, though no rule names them as references; nil for
        /// none.
        package var unnamedReferences: [UnnamedReference]?
        /// Entities whose duplicates hardly resemble the records that stay; nil for none.
        package var unlikeDuplicates: [UnlikeDuplicates]?

        /// A report of a stage that found no duplicates.
        package init(
            outcome: Outcome = .nothingToDo, store: StoreRole? = nil, groups: [RunReport.Dedupe.Group] = [],
            groupCount: Int = 0,
            removed: [String: Int] = [:], repointed: Int = 0
        ) {
            (self.outcome, self.store, self.groups, self.groupCount) = (outcome, store, groups, groupCount)
            (self.removed, self.repointed) = (removed, repointed)
        }
    }
}

extension RunReport.Dedupe {
    /// Records of one entity that are duplicates of each other.
    public struct Group: Sendable, Codable {
        /// The entity.
        public var entity: String
        /// The key of the record that stays.
        public var key: String
        /// The record that stays.
        public var winner: RunReport.Dedupe.Record
        /// The records that were moved to `godwit_removed`.
        public var losers: [RunReport.Dedupe.Record]
        /// Why the winner was chosen.
        package var reason: RunReport.Dedupe.Reason
        /// Whether the winner's key was changed to the singleton's fixed key.
        public var rekeyed: Bool

        /// A group.
        package init(
            entity: String, key: String, winner: RunReport.Dedupe.Record, losers: [RunReport.Dedupe.Record],
            reason: RunReport.Dedupe.Reason,
            rekeyed: Bool
        ) {
            (self.entity, self.key, self.winner, self.losers) = (entity, key, winner, losers)
            (self.reason, self.rekeyed) = (reason, rekeyed)
        }
    }
}

extension RunReport.Dedupe {
    /// One record of a group: its own key and date.
    public struct Record: Sendable, Codable, Hashable {
        /// The key before the dedupe.
        public var key: String
        /// Its date; nil if NULL or unreadable.
        public var modifiedAt: Instant?

        /// A record.
        package init(key: String, modifiedAt: Instant?) {
            (self.key, self.modifiedAt) = (key, modifiedAt)
        }
    }
}

extension RunReport.Dedupe {
    /// Why one of several records stays.
    package enum Reason: String, Sendable, Codable {
        /// All records are equal in every column.
        case identical
        /// It has the latest date.
        case newest
        /// It has the earliest date.
        case earliest
        /// The dates are equal; its key is smaller.
        case smallerKey
        /// Dates and keys are equal; its columns compare smaller.
        case smallerColumns
        /// It is the only record, but its key had to be changed to the fixed key.
        case onlyOne
        /// The rule keeps the cloud record.
        case cloudKept
        /// The rule keeps the local record.
        case localKept
        /// The dates in both stores are equal: the cloud record stays.
        case tieCloud
    }
}
