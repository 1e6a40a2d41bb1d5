/// A kind of records: a plain table, a Core Data entity, or a join table.
public struct InspectedEntity: Sendable, Codable {
    /// Its name.
    public var name: String
    /// The table its records are in.
    public var table: String
    /// The entity it is a kind of; Core Data alone.
    public var superEntity: String?
    /// Its records, those of its sub-entities not counted.
    public var count: Int64
    /// The column that most likely identifies a record; nil where none does.
    public var key: String?
    /// Why that column.
    public var keyEvidence: KeyEvidence?
    /// Records whose key another one has, all but one of each group counted; 0 without a key.
    public var duplicates: Int64
    /// The column that most likely dates a record.
    public var modified: String?
    /// Whether it has one record and is called like something there is one of: settings, a profile, a state.
    public var isSingleton: Bool
    /// Its columns or attributes.
    public var columns: [InspectedColumn]
    /// Where its columns lead.
    public var relations: [InspectedRelation]

    /// An entity whose records were not looked at yet.
    public init(
        name: String, table: String, superEntity: String? = nil, count: Int64 = 0, key: String? = nil,
        keyEvidence: KeyEvidence? = nil, duplicates: Int64 = 0, modified: String? = nil, isSingleton: Bool = false,
        columns: [InspectedColumn] = [], relations: [InspectedRelation] = []
    ) {
        self.name = name
        self.table = table
        self.superEntity = superEntity
        self.count = count
        self.key = key
        self.keyEvidence = keyEvidence
        self.duplicates = duplicates
        self.modified = modified
        self.isSingleton = isSingleton
        self.columns = columns
        self.relations = relations
    }
}

/// What speaks for a key.
public enum KeyEvidence: String, Sendable, Codable, CaseIterable {
    /// It is the primary key.
    case primaryKey
    /// A unique index or constraint covers it alone.
    case uniqueIndex
    /// No two records have the same value, and none has none.
    case values
    /// It is only called so: some records share a value, or have none.
    case name
    /// The number of the row in this one store: another device counts for itself.
    case rowNumber
}

/// A column or attribute.
public struct InspectedColumn: Sendable, Codable {
    /// Its name.
    public var name: String
    /// The column in the table, where it has another name.
    public var column: String?
    /// The type as declared; may be empty.
    public var declaredType: String
    /// What its values are.
    public var kind: ValueKind
    /// Records that have no value.
    public var missing: Int64
    /// How it writes dates; for dates alone.
    public var encoding: InstantEncoding?
    /// The earliest and the latest date.
    public var earliest: Instant?
    /// The latest date.
    public var latest: Instant?
    /// Dates later than the clock.
    public var future: Int64?
    /// The longest value in bytes; for text and data.
    public var longest: Int64?
    /// Whether it is called like a secret: its values are never shown.
    public var isSecret: Bool
    /// Whether Core Data keeps some of its data in files beside the store, or may.
    public var isExternal: Bool
    /// Some values, with `--verbose`.
    public var samples: [String]?

    /// A column without records.
    public init(
        name: String, column: String? = nil, declaredType: String, kind: ValueKind = .none, missing: Int64 = 0,
        encoding: InstantEncoding? = nil, earliest: Instant? = nil, latest: Instant? = nil, future: Int64? = nil,
        longest: Int64? = nil, isSecret: Bool = false, isExternal: Bool = false, samples: [String]? = nil
    ) {
        self.name = name
        self.column = column
        self.declaredType = declaredType
        self.kind = kind
        self.missing = missing
        self.encoding = encoding
        self.earliest = earliest
        self.latest = latest
        self.future = future
        self.longest = longest
        self.isSecret = isSecret
        self.isExternal = isExternal
        self.samples = samples
    }
}

/// What the values of a column are, by their look.
public enum ValueKind: String, Sendable, Codable, CaseIterable {
    /// No record has a value.
    case none
    /// 0 and 1 alone, in a column for whole numbers.
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

/// Where a column leads, or which others lead here.
public struct InspectedRelation: Sendable, Codable, Equatable {
    /// The column or relationship.
    public var name: String
    /// The entity it leads to; nil where that can't be told.
    public var target: String?
    /// `toOne`, `toMany` or `manyToMany`.
    public var kind: String
    /// Whether the order of what it leads to is kept.
    public var isOrdered: Bool
    /// References that are set.
    public var count: Int64
    /// References that lead to no record.
    public var orphans: Int64
    /// What it was told by: `foreignKey`, `coreData` or `names`.
    public var evidence: String
    /// The column of the target that it names, where that is not the target's likely key.
    public var targetColumn: String?

    /// A relation.
    public init(
        name: String, target: String?, kind: String, isOrdered: Bool = false, count: Int64, orphans: Int64,
        evidence: String, targetColumn: String? = nil
    ) {
        self.name = name
        self.target = target
        self.kind = kind
        self.isOrdered = isOrdered
        self.count = count
        self.orphans = orphans
        self.evidence = evidence
        self.targetColumn = targetColumn
    }
}
