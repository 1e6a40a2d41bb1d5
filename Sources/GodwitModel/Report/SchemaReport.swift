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
    /// What the applied files took away from a store that was there before; nil where that is nothing.
    public var losses: [SchemaLoss]?

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

/// Data that schema files took away: a table, a column, or records of a table that stays.
public struct SchemaLoss: Sendable, Codable, Hashable {
    /// The table's name, as the store had it.
    public var table: String
    /// The column, where it is one.
    public var column: String?
    /// Values of the column that were not NULL, else records.
    public var count: Int64
    /// Whether the table itself is still there.
    public var tableStays: Bool
    /// The version whose schema file does it; of records the last one that was applied.
    public var version: Int

    /// A column.
    package init(table: String, column: String, count: Int64, version: Int) {
        (self.table, self.column, self.count, tableStays, self.version) = (table, column, count, true, version)
    }

    /// A whole table.
    package init(table: String, count: Int64, version: Int) {
        (self.table, self.count, tableStays, self.version) = (table, count, false, version)
    }

    /// Records of a table that stays.
    package init(table: String, records: Int64, lastVersion: Int) {
        (self.table, count, tableStays, version) = (table, records, true, lastVersion)
    }

    /// What is taken away, in words.
    package var what: String {
        if let column { return "column \(column) of \(table), with \(count.counted("value"))" }
        return tableStays ? "\(count.counted("record")) of \(table)" : "table \(table), with \(count.counted("record"))"
    }
}
