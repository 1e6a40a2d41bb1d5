/// What the copy from local to cloud did.
public struct CopyReport: Sendable, Codable {
    /// `done`, `alreadyDone`, `healed` or `nothingToDo`.
    public var outcome: Outcome
    /// Whether the cloud store was made by this copy.
    public var createdStore: Bool
    /// The entities that alone were copied, since the manifest did not have them when the copy was made; nil otherwise.
    public var added: [String]?
    /// The earlier copy's time, where only records written to the local store since were copied; nil otherwise.
    public var since: Instant?
    /// The CloudKit environment of the cloud store, as the manifest names it; nil where it does not, or nothing was copied.
    public var environment: CloudEnvironment?
    /// What the schema files did to an existing cloud store.
    public var schema: SchemaReport?
    /// Duplicates found in an existing cloud store.
    public var dedupe: DedupeReport?
    /// Each entity, parents first.
    public var entities: [CopiedEntity]
    /// References that point nowhere, by `Entity.column`.
    public var orphans: [String: Int]
    /// Triggers of a new cloud store that did not run for the copied records; nil where there are none.
    ///
    /// What they do to other records, or refuse, was done in the local store already. They are in the new store.
    public var triggersHeldBack: [String]?
    /// The flag as it stands after the run.
    public var flag: FlagState?
    /// Dates that took part in the choices though they say little.
    public var dates = DateFindings()

    /// Columns that seem to hold primary keys of merged records though nothing names them as references; nil if there are none.
    public private(set) var unnamedReferences: [UnnamedReference]?

    /// Adds such columns, each once.
    package mutating func add(_ references: [UnnamedReference]) {
        let new = references.filter { unnamedReferences?.contains($0) != true }
        if !new.isEmpty { unnamedReferences = (unnamedReferences ?? []) + new }
    }

    /// Whether it was the copy of everything, and not of what came later.
    package var isWhole: Bool { added == nil && since == nil }

    /// A report of a copy that found nothing to do.
    public init(
        outcome: Outcome = .nothingToDo, createdStore: Bool = false, schema: SchemaReport? = nil,
        dedupe: DedupeReport? = nil, entities: [CopiedEntity] = [], orphans: [String: Int] = [:],
        flag: FlagState? = nil
    ) {
        self.outcome = outcome
        self.createdStore = createdStore
        self.schema = schema
        self.dedupe = dedupe
        self.entities = entities
        self.orphans = orphans
        self.flag = flag
    }
}

/// What became of each local record of an entity: `local` is the sum of the five buckets after it.
public struct CopiedEntity: Sendable, Codable, Hashable {
    /// The entity.
    public var name: String
    /// Records in the local store.
    public var local: Int64
    /// Not in the cloud before: inserted.
    public var inserted: Int64 = 0
    /// In the cloud, and the local one won: the cloud's record was updated, its old columns kept in `godwit_removed`.
    public var updated: Int64 = 0
    /// In the cloud already, equal in every column.
    public var equal: Int64 = 0
    /// In the cloud, and the cloud's record won; the local one stays in the local store.
    public var cloudKept: Int64 = 0
    /// Of these, the ones with the date of the local record; in the receipt alone, which a later `verify` asks for it.
    package var sameDate: Int64 = 0
    /// A duplicate inside the local store; kept whole in the cloud store's `godwit_removed`.
    public var duplicates: Int64 = 0
    /// Records in the cloud before, duplicates removed.
    public var cloudBefore: Int64 = 0
    /// Records in the cloud after.
    public var cloudAfter: Int64 = 0

    private enum CodingKeys: String, CodingKey {
        case name, local, inserted, updated, equal, cloudKept, duplicates, cloudBefore, cloudAfter
    }

    /// An entity that nothing became of yet.
    public init(name: String, local: Int64 = 0) {
        self.name = name
        self.local = local
    }
}

/// The completion flag in the preferences.
public struct FlagState: Sendable, Codable, Hashable {
    /// The preferences file inside the container.
    public var file: String
    /// The key.
    public var key: String
    /// Whether it is set to true.
    public var isSet: Bool

    /// A flag's state.
    public init(file: String, key: String, isSet: Bool) {
        self.file = file
        self.key = key
        self.isSet = isSet
    }
}
