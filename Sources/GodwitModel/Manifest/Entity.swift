/// A table that the manifest names, the column that is its key, and the rules that choose a winner.
package struct Entity: Sendable {
    package let name: String
    /// The column that identifies a record in both stores.
    package let key: String
    /// The column with the date of the last change; without one, all records have the same age.
    package let modified: ModifiedColumn?
    /// The columns that name parent records.
    package var belongsTo: [Reference]
    package let conflict: ConflictRule
    /// The fixed key of a singleton, an entity with one record; nil for all other entities.
    package let singleton: String?
    /// The Core Data entity that supplies the records; nil if there is none, or if the local store has its own tables.
    package var source: RecordSource?

    package init(
        name: String, key: String, modified: ModifiedColumn? = nil, belongsTo: [Reference] = [],
        conflict: ConflictRule = .keepNewest, singleton: String? = nil, source: RecordSource? = nil
    ) {
        (self.name, self.key, self.modified, self.belongsTo) = (name, key, modified, belongsTo)
        (self.conflict, self.singleton, self.source) = (conflict, singleton, source)
    }
}

/// The column with the date of a record's last change, and the encoding of its dates.
package struct ModifiedColumn: Sendable, Hashable {
    package let column: String
    /// nil: text is ISO 8601, and a number is Unix seconds.
    package let encoding: InstantEncoding?

    package init(column: String, encoding: InstantEncoding? = nil) {
        (self.column, self.encoding) = (column, encoding)
    }
}

/// A column whose value names a record of another entity.
package struct Reference: Sendable, Hashable {
    package let column: String
    package let parent: String
    /// The parent's column whose value is stored here; nil for the parent's key.
    package var by: String?
    /// How a copy treats an orphan.
    package var missing: MissingParent

    package init(column: String, parent: String, by: String? = nil, missing: MissingParent = .refuse) {
        (self.column, self.parent, self.by, self.missing) = (column, parent, by, missing)
    }
}

/// How a copy treats an orphan, a record whose parent does not exist.
package enum MissingParent: String, Sendable, Codable, CaseIterable {
    /// The run ends with exit code 65 before its first write.
    case refuse
    /// The record is copied as it is.
    case keep
    /// The record is copied with NULL in that column; `godwit_changed` keeps the old value.
    case setNull
    /// The record is not copied; `godwit_removed` keeps all of its columns.
    case setAside

    /// Whether the copy changes the record or leaves it out.
    package var changesRecords: Bool { self == .setNull || self == .setAside }
}

/// Which of two records with the same key stays.
package enum ConflictRule: String, Sendable, Codable, CaseIterable {
    /// The later `modified` date wins.
    case keepNewest
    /// The earlier `modified` date wins.
    case keepEarliest
    /// The record of the cloud store stays.
    case keepCloud
    /// The record of the local store stays.
    case keepLocal
}
