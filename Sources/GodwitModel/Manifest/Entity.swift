/// A kind of record: one table, the column that identifies a record across stores, and the rules that pick a winner.
package struct Entity: Sendable {
    /// The table's name.
    package let name: String
    /// The column that identifies a record across stores.
    package let key: String
    /// The column that dates a record; without one all records are equally old.
    package let modified: ModifiedColumn?
    /// Which column names a record of which parent.
    package var belongsTo: [Reference]
    package let conflict: ConflictRule
    /// The fixed key of an entity with one record; nil for all others.
    package let singleton: String?
    /// Where its records come from in a local store of Core Data's; nil for one that has none there, and for all entities
    /// where the local store has their own tables.
    package var source: RecordSource?

    package init(
        name: String, key: String, modified: ModifiedColumn? = nil, belongsTo: [Reference] = [],
        conflict: ConflictRule = .keepNewest, singleton: String? = nil, source: RecordSource? = nil
    ) {
        self.name = name
        self.key = key
        self.modified = modified
        self.belongsTo = belongsTo
        self.conflict = conflict
        self.singleton = singleton
        self.source = source
    }
}

/// The column that dates a record, and how it writes points in time.
package struct ModifiedColumn: Sendable, Hashable {
    package let column: String
    /// Nil: text is ISO 8601, a number is Unix seconds.
    package let encoding: InstantEncoding?

    package init(column: String, encoding: InstantEncoding? = nil) {
        self.column = column
        self.encoding = encoding
    }
}

/// A column whose value names a record of another entity.
package struct Reference: Sendable, Hashable {
    package let column: String
    package let parent: String
    /// The parent's column that the column holds; nil for the parent's key.
    package var by: String?
    /// What a copy does with a record whose parent does not exist.
    package let missing: MissingParent

    package init(column: String, parent: String, by: String? = nil, missing: MissingParent = .refuse) {
        self.column = column
        self.parent = parent
        self.by = by
        self.missing = missing
    }
}

/// What a copy does with a record whose parent does not exist.
public enum MissingParent: String, Sendable, Codable, CaseIterable {
    /// The run ends (65) ahead of its first write.
    case refuse
    /// The record is copied as it is.
    case keep
    /// The record is copied with NULL in that column; the old value is kept in `godwit_changed`.
    case setNull
    /// The record is not copied; it is kept whole in `godwit_removed`.
    case setAside

    /// Whether the record is copied otherwise than it is, or not at all.
    package var changesRecords: Bool { self == .setNull || self == .setAside }
}

/// Which of two records with one key stays.
public enum ConflictRule: String, Sendable, Codable, CaseIterable {
    /// Last writer wins, by `modified`.
    case keepNewest
    /// First writer wins.
    case keepEarliest
    /// What the cloud holds stays.
    case keepCloud
    /// What this device holds stays.
    case keepLocal
}
