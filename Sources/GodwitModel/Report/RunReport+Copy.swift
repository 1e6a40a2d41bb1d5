extension RunReport {
    /// The result of the copy from the local store to the cloud store.
    public struct Copy: Sendable, Codable {
        /// `done`, `alreadyDone`, `healed` or `nothingToDo`.
        public var outcome: Outcome
        /// Whether this copy created the cloud store.
        public var createdStore: Bool
        /// The entities that this copy was limited to, because the manifest did not have them at the time of the first
        /// copy; otherwise nil.
        public var added: [String]?
        /// The time of the earlier copy, if only records written to the local store since then were copied; otherwise nil.
        public var since: Instant?
        /// The CloudKit environment that the manifest names; nil if it names none, or if nothing was copied.
        public var environment: Manifest.Environment?
        /// The schema files that were applied to an existing cloud store.
        public var schema: RunReport.Schema?
        /// Duplicates found in an existing cloud store.
        public var dedupe: RunReport.Dedupe?
        /// Each entity, parents first.
        public var entities: [RunReport.Copy.Entity]
        /// Number of orphans by `Entity.column`.
        public var orphans: [String: Int]
        /// Number of references of the cloud store, by `Entity.column`, that an earlier run changed and that got the
        /// value of the local store again; nil for none.
        public var referencesTakenBack: [String: Int]?
        /// Triggers of a new cloud store that did not run for the copied records; nil for none.
        ///
        /// The triggers are in the new store. Their effects on other records are already in the copied data, because they
        /// ran in the local store.
        public var triggersHeldBack: [String]?
        /// The completion flag after the run.
        public var flag: RunReport.Flag?
        /// Unreliable dates that took part in choosing winners.
        package var dates = DateFindings()

        /// Columns that seem to hold primary keys of merged records, though no rule names them as references; nil for none.
        package private(set) var unnamedReferences: [UnnamedReference]?

        /// The same findings about the private copy of the local store as those of a dedupe; nil for none.
        package var unlikeDuplicates: [UnlikeDuplicates]?

        /// Adds columns, each only once.
        package mutating func add(_ references: [UnnamedReference]) {
            let new = references.filter { unnamedReferences?.contains($0) != true }
            if !new.isEmpty { unnamedReferences = (unnamedReferences ?? []) + new }
        }

        /// The entity of this name; nil if none was copied.
        public subscript(name: String) -> Entity? { entities.first { $0.name == name } }

        /// Whether everything was copied, not only later records or entities.
        package var isWhole: Bool { added == nil && since == nil }

        /// A report of a copy that found nothing to do.
        package init(
            outcome: Outcome = .nothingToDo, createdStore: Bool = false, schema: RunReport.Schema? = nil,
            dedupe: RunReport.Dedupe? = nil, entities: [RunReport.Copy.Entity] = [], orphans: [String: Int] = [:],
            flag: RunReport.Flag? = nil
        ) {
            (self.outcome, self.createdStore, self.schema, self.dedupe) = (outcome, createdStore, schema, dedupe)
            (self.entities, self.orphans, self.flag) = (entities, orphans, flag)
        }
    }
}

extension RunReport.Copy {
    /// The outcomes of the local records of an entity: `local` is the sum of the five counts after it.
    public struct Entity: Sendable, Codable, Hashable {
        /// The entity.
        public var name: String
        /// Records in the local store.
        public var local: Int64
        /// Records that were not in the cloud store.
        public var inserted: Int64 = 0
        /// Records in both stores whose local record won; `godwit_removed` keeps the old columns of the cloud record.
        public var updated: Int64 = 0
        /// Records in both stores with equal columns.
        public var equal: Int64 = 0
        /// Records in both stores whose cloud record won; the local record stays in the local store.
        public var cloudKept: Int64 = 0
        /// Number of `cloudKept` records whose dates are equal; only in the receipt, for a later `verify`.
        package var sameDate: Int64 = 0
        /// Duplicates inside the local store; `godwit_removed` in the cloud store keeps all of their columns.
        public var duplicates: Int64 = 0
        /// Records in the cloud store before the copy, without duplicates.
        public var cloudBefore: Int64 = 0
        /// Records in the cloud store after the copy.
        public var cloudAfter: Int64 = 0

        private enum CodingKeys: String, CodingKey {
            case name, local, inserted, updated, equal, cloudKept, duplicates, cloudBefore, cloudAfter
        }

        /// An entity of which nothing is copied yet.
        package init(name: String, local: Int64 = 0) {
            (self.name, self.local) = (name, local)
        }
    }
}

extension RunReport {
    /// The completion flag in the preferences.
    public struct Flag: Sendable, Codable, Hashable {
        /// The preferences file inside the container.
        public var file: String
        /// The key.
        public var key: String
        /// Whether it is set to true.
        public var isSet: Bool

        /// A flag's state.
        package init(file: String, key: String, isSet: Bool) {
            (self.file, self.key, self.isSet) = (file, key, isSet)
        }
    }
}
