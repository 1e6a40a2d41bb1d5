/// What the schema stage did to one store.
public struct SchemaReport: Sendable, Codable {
    /// What became of the stage.
    public var outcome: Outcome
    /// Which store; nil where there is none to bring up to date.
    public var store: StoreRole?
    /// The store's path inside the container.
    public var file: String?
    /// Whether the store was made by this stage.
    public var created: Bool
    /// The version at which a store without history was found to stand.
    public var adoptedAt: Int?
    /// Version before; 0 for an empty store.
    public var fromVersion: Int
    /// Version after.
    public var toVersion: Int
    /// The migrations this run applied, in order.
    public var applied: [AppliedMigration]
    /// Notes of the app's own migrator in a store that was there before, of which the applied files changed none: names of
    /// tables, and `user_version`; nil where there are none.
    public var migratorNotes: [String]?

    /// A report of a stage that found nothing to do.
    public init(
        outcome: Outcome = .nothingToDo, store: StoreRole? = nil, file: String? = nil, created: Bool = false,
        adoptedAt: Int? = nil, fromVersion: Int = 0, toVersion: Int = 0, applied: [AppliedMigration] = []
    ) {
        self.outcome = outcome
        self.store = store
        self.file = file
        self.created = created
        self.adoptedAt = adoptedAt
        self.fromVersion = fromVersion
        self.toVersion = toVersion
        self.applied = applied
    }
}

/// One schema file that was applied.
public struct AppliedMigration: Sendable, Codable, Hashable {
    /// From the file name: 3 for `V0003__add_notes.sql`.
    public var version: Int
    /// From the file name: `add_notes`.
    public var name: String
    /// `sha256-v1:` and the hash of the text with line endings normalised.
    public var checksum: String

    /// One applied migration.
    public init(version: Int, name: String, checksum: String) {
        self.version = version
        self.name = name
        self.checksum = checksum
    }
}
