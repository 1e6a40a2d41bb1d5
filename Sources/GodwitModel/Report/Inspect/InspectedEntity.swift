/// A table, a Core Data entity, or a join table.
public struct InspectedEntity: Sendable, Codable {
    /// Its name.
    public var name: String
    /// The table of its records.
    public var table: String
    /// Its parent entity in the Core Data model; nil for others.
    public var superEntity: String?
    /// Number of its records, without those of its sub-entities.
    public var count: Int64
    /// The column that most likely is the key; nil if none is.
    public var key: String?
    /// Why this column was chosen as the key.
    public var keyEvidence: KeyEvidence?
    /// Records that another record's key makes superfluous: all but one of each group; 0 without a key.
    public var duplicates: Int64
    /// The column that most likely has the date of the last change.
    public var modified: String?
    /// Whether it has one record and its name sounds like a singleton: settings, a profile, a state.
    public var isSingleton: Bool
    /// Its columns or attributes.
    public var columns: [InspectedColumn]
    /// Its relations.
    public var relations: [InspectedRelation]

    /// An entity whose records are not read yet.
    public init(
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
public enum KeyEvidence: String, Sendable, Codable, CaseIterable {
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
public struct InspectedColumn: Sendable, Codable {
    /// Its name.
    public var name: String
    /// The column in the table, if its name differs.
    public var column: String?
    /// The declared type; may be empty.
    public var declaredType: String
    /// The kind of its values.
    public var kind: ValueKind
    /// Records without a value.
    public var missing: Int64
    /// The encoding of its dates; nil if it has none.
    public var encoding: InstantEncoding?
    /// The earliest date.
    public var earliest: Instant?
    /// The latest date.
    public var latest: Instant?
    /// Number of dates later than the clock.
    public var future: Int64?
    /// Bytes of the longest value; only for text and data.
    public var longest: Int64?
    /// Whether the name sounds like a secret, so that values are never shown.
    public var isSecret: Bool
    /// Whether Core Data keeps, or may keep, some of its data in files next to the store.
    public var isExternal: Bool
    /// Some values; only with `--verbose`.
    public var samples: [String]?

    /// A column of a table without records.
    public init(
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
public enum ValueKind: String, Sendable, Codable, CaseIterable {
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
public struct InspectedRelation: Sendable, Codable, Equatable {
    /// The column or relationship.
    public var name: String
    /// The related entity; nil if it is not known.
    public var target: String?
    /// `toOne`, `toMany` or `manyToMany`.
    public var kind: String
    /// Whether the order of the related records is kept.
    public var isOrdered: Bool
    /// Number of references that are set.
    public var count: Int64
    /// Number of references to records that do not exist.
    public var orphans: Int64
    /// How the relation was found: `foreignKey`, `coreData` or `names`.
    public var evidence: String
    /// The target's column that is referred to, if it is not the target's likely key.
    public var targetColumn: String?

    /// A relation.
    public init(
        name: String, target: String?, kind: String, isOrdered: Bool = false, count: Int64, orphans: Int64,
        evidence: String, targetColumn: String? = nil
    ) {
        (self.name, self.target, self.kind, self.isOrdered) = (name, target, kind, isOrdered)
        (self.count, self.orphans, self.evidence, self.targetColumn) = (count, orphans, evidence, targetColumn)
    }
}
