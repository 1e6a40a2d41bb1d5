extension RunReport {
    /// The result of the schema stage for one store.
    public struct Schema: Sendable, Codable {
        /// The outcome of the stage.
        public var outcome: Outcome
        /// The store; nil if none exists that needs an update.
        public var store: StoreRole?
        /// The store's path inside the container.
        public var file: String?
        /// Whether this stage created the store.
        public var created: Bool
        /// The version that was found for a store without history.
        public var adoptedAt: Int?
        /// Version before the stage; 0 for an empty store.
        public var fromVersion: Int
        /// Version after the stage.
        public var toVersion: Int
        /// The schema files that this run applied, in order.
        public var applied: [RunReport.Schema.Version]
        /// Records of the app's own migrator in an existing store that the applied files did not update: names of tables,
        /// and `user_version`; nil for none.
        public var migratorNotes: [String]?
        /// Data that the applied files removed from an existing store; nil for none.
        package var losses: [RunReport.Schema.Loss]?

        /// A report of a stage that found nothing to do.
        package init(
            outcome: Outcome = .nothingToDo, store: StoreRole? = nil, file: String? = nil, created: Bool = false,
            adoptedAt: Int? = nil, fromVersion: Int = 0, toVersion: Int = 0, applied: [RunReport.Schema.Version] = []
        ) {
            (self.outcome, self.store, self.file, self.created) = (outcome, store, file, created)
            (self.adoptedAt, self.fromVersion, self.toVersion, self.applied) = (
                adoptedAt, fromVersion, toVersion, applied
            )
        }
    }
}

extension RunReport.Schema {
    /// One schema file that was applied.
    public struct Version: Sendable, Codable, Hashable {
        /// From the file name: 3 for `V0003__add_notes.sql`.
        public var version: Int
        /// From the file name: `add_notes`.
        public var name: String
        /// `sha256-v1:` and the hash of the text with normalized line endings.
        public var checksum: String

        /// An applied schema file.
        package init(version: Int, name: String, checksum: String) {
            (self.version, self.name, self.checksum) = (version, name, checksum)
        }
    }
}

extension RunReport.Schema {
    /// Data that schema files removed: a table, a column, records of a table that remains, or values of a column that
    /// remains.
    package struct Loss: Sendable, Codable, Hashable {
        /// The table's name in the store.
        package var table: String
        /// The column, if one was removed or lost values.
        package var column: String?
        /// Number of values in the column that were not NULL; otherwise number of records.
        package var count: Int64
        /// Whether the table still exists.
        package var tableStays: Bool
        /// Whether the column still exists and has NULL instead of values; nil if it was removed.
        package var columnStays: Bool?
        /// The version of the schema file that removed it; for records and values, the last applied version.
        package var version: Int

        package init(table: String, column: String, count: Int64, version: Int) {
            (self.table, self.column, self.count, tableStays, self.version) = (table, column, count, true, version)
        }

        package init(table: String, count: Int64, version: Int) {
            (self.table, self.count, tableStays, self.version) = (table, count, false, version)
        }

        /// Records of a table that stays.
        package init(table: String, records: Int64, lastVersion: Int) {
            (self.table, count, tableStays, version) = (table, records, true, lastVersion)
        }

        /// Values of a column that stays.
        package init(table: String, column: String, values: Int64, lastVersion: Int) {
            (self.table, self.column, count, tableStays) = (table, column, values, true)
            (columnStays, version) = (true, lastVersion)
        }

        /// Whether each of the applied files may have removed it.
        package var isOfAnyVersion: Bool { columnStays == true || column == nil && tableStays }

        package var what: String {
            if let column, columnStays == true { return "\(count.counted("value")) of column \(column) of \(table)" }
            if let column { return "column \(column) of \(table), with \(count.counted("value"))" }
            return tableStays
                ? "\(count.counted("record")) of \(table)" : "table \(table), with \(count.counted("record"))"
        }
    }
}
