/// A table, a Core Data entity, or a join table.
package struct InspectedEntity: Sendable, Codable {
    /// Its name.
    package var name: String
    /// The table of its records.
    package var table: String
    /// Its parent entity in the Core Data model; nil for others.
    package var superEntity: String?
    /// Number of its records, without those of its sub-entities.
    package var count: Int64
    /// The column that most likely is the key; nil if none is.
    package var key: String?
    /// Why this column was chosen as the key.
    package var keyEvidence: KeyEvidence?
    /// Records that another record's key makes superfluous: all but one of each group; 0 without a key.
    package var duplicates: Int64
    /// The column that most likely has the date of the last change.
    package var modified: String?
    /// Whether it has one record and its name sounds like a singleton: settings, a profile, a state.
    package var isSingleton: Bool
    /// Its columns or attributes.
    package var columns: [InspectedColumn]
    /// Its relations.
    package var relations: [InspectedRelation]

    /// An entity whose records are not read yet.
    package init(
        name: String, table: String, superEntity: String? = nil, count: Int64 = 0, key: String? = nil,
        keyEvidence: KeyEvidence? = nil, duplicates: Int64 = 0, modified: String? = nil, isSingleton: Bool = false,
        columns: [InspectedColumn] = [], relations: [InspectedRelation] = []
    ) {
        (self.name, self.table, self.superEntity, self.count) = (name, table, superEntity, count)
        (self.key, self.keyEvidence, self.duplicates, self.modified) = (key, keyEvidence, duplicates, modified)
        (self.isSingleton, self.columns, self.relations) = (isSingleton, columns, relations)
    }
}

/// Why a column was chosen as the key.
package enum KeyEvidence: String, Sendable, Codable, CaseIterable {
    /// It is the primary key.
    case primaryKey
    /// A unique index or constraint covers only this column.
    case uniqueIndex
    /// Every record has a value, and no two records have the same value.
    case values
    /// Only the name suggests it: some records share a value or have none.
    case name
    /// The row number, which another device assigns independently.
    case rowNumber
}

/// A column or attribute.
package struct InspectedColumn: Sendable, Codable {
    /// Its name.
    package var name: String
    /// The column in the table, if its name differs.
    package var column: String?
    /// The declared type; may be empty.
    package var declaredType: String
    /// The kind of its values.
    package var kind: ValueKind
    /// Records without a value.
    package var missing: Int64
    /// The encoding of its dates; nil if it has none.
    package var encoding: InstantEncoding?
    /// The earliest date.
    package var earliest: Instant?
    /// The latest date.
    package var latest: Instant?
    /// Number of dates later than the clock.
    package var future: Int64?
    /// Bytes of the longest value; only for text and data.
    package var longest: Int64?
    /// Whether the name sounds like a secret, so that values are never shown.
    package var isSecret: Bool
    /// Whether Core Data keeps, or may keep, some of its data in files next to the store.
    package var isExternal: Bool
    /// Some values; only with `--verbose`.
    package var samples: [String]?

    /// A column of a table without records.
    package init(
        name: String, column: String? = nil, declaredType: String, kind: ValueKind = .none, missing: Int64 = 0,
        encoding: InstantEncoding? = nil, earliest: Instant? = nil, latest: Instant? = nil, future: Int64? = nil,
        longest: Int64? = nil, isSecret: Bool = false, isExternal: Bool = false, samples: [String]? = nil
    ) {
        (self.name, self.column, self.declaredType, self.kind) = (name, column, declaredType, kind)
        (self.missing, self.encoding, self.earliest, self.latest) = (missing, encoding, earliest, latest)
        (self.future, self.longest, self.isSecret, self.isExternal) = (future, longest, isSecret, isExternal)
        self.samples = samples
    }
}

/// The kind of the values in a column, judged by their content.
package enum ValueKind: String, Sendable, Codable, CaseIterable {
    /// No record has a value.
    case none
    /// Only 0 and 1, in a column for whole numbers.
    case boolean
    /// Whole numbers.
    case integer
    /// Numbers with a fraction.
    case real
    /// Text.
    case text
    /// UUIDs, as text or as 16 bytes.
    case uuid
    /// Dates.
    case date
    /// JSON in text or data.
    case json
    /// A property list in data.
    case propertyList
    /// A keyed archive in data.
    case keyedArchive
    /// Other bytes.
    case data
    /// Values of several kinds.
    case mixed
}

/// A relation from or to an entity.
package struct InspectedRelation: Sendable, Codable, Equatable {
    /// The column or relationship.
    package var name: String
    /// The related entity; nil if it is not known.
    package var target: String?
    /// `toOne`, `toMany` or `manyToMany`.
    package var kind: String
    /// Whether the order of the related records is kept.
    package var isOrdered: Bool
    /// Number of references that are set.
    package var count: Int64
    /// Number of references to records that do not exist.
    package var orphans: Int64
    /// How the relation was found: `foreignKey`, `coreData` or `names`.
    package var evidence: String
    /// The target's column that is referred to, if it is not the target's likely key.
    package var targetColumn: String?

    /// A relation.
    package init(
        name: String, target: String?, kind: String, isOrdered: Bool = false, count: Int64, orphans: Int64,
        evidence: String, targetColumn: String? = nil
    ) {
        (self.name, self.target, self.kind, self.isOrdered) = (name, target, kind, isOrdered)
        (self.count, self.orphans, self.evidence, self.targetColumn) = (count, orphans, evidence, targetColumn)
    }
}
