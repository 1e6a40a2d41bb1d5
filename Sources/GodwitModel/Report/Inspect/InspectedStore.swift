/// One store and what is in it.
public struct InspectedStore: Sendable, Codable {
    /// Path inside the container, or as given.
    public var file: String
    /// Bytes of the store and its log.
    public var size: Int64
    /// When it was last changed.
    public var modifiedAt: Instant?
    /// How its records are laid out.
    public var layout: InspectedStoreLayout
    /// How it is written: `wal` or `rollback`.
    public var journal: String?
    /// Whether Core Data mirrors it to CloudKit: it has `ANSCK…` tables.
    public var isMirrored: Bool
    /// SQLite's `user_version`, in which many apps keep the version of their own migrations.
    public var userVersion: Int?
    /// SQLite's `application_id`.
    public var applicationID: Int?
    /// The version that Godwit's own history gives; nil where there is none.
    public var schemaVersion: Int?
    /// What only a Core Data store has.
    public var coreData: CoreDataFacts?
    /// The tables that hold records, or Core Data's entities.
    public var entities: [InspectedEntity]
    /// Tables that are nobody's records: Core Data's own, Godwit's, those behind a full-text index.
    public var otherTables: [String]
    /// Names of views.
    public var views: [String]
    /// Names of triggers.
    public var triggers: [String]
    /// What would be risky.
    public var risks: [Warning]

    /// A store that was not looked into yet.
    public init(
        file: String, size: Int64 = 0, modifiedAt: Instant? = nil, layout: InspectedStoreLayout = .unread,
        journal: String? = nil, isMirrored: Bool = false, userVersion: Int? = nil, applicationID: Int? = nil,
        schemaVersion: Int? = nil, coreData: CoreDataFacts? = nil, entities: [InspectedEntity] = [],
        otherTables: [String] = [], views: [String] = [], triggers: [String] = [], risks: [Warning] = []
    ) {
        self.file = file
        self.size = size
        self.modifiedAt = modifiedAt
        self.layout = layout
        self.journal = journal
        self.isMirrored = isMirrored
        self.userVersion = userVersion
        self.applicationID = applicationID
        self.schemaVersion = schemaVersion
        self.coreData = coreData
        self.entities = entities
        self.otherTables = otherTables
        self.views = views
        self.triggers = triggers
        self.risks = risks
    }
}

/// How a store lays its records out.
public enum InspectedStoreLayout: String, Sendable, Codable, CaseIterable {
    /// Plain tables of the app's own.
    case tables
    /// Core Data's or SwiftData's tables.
    case coreData
    /// No table at all.
    case empty
    /// It was not looked into; its risks say why.
    case unread
}

/// What only a Core Data store has.
public struct CoreDataFacts: Sendable, Codable, Equatable {
    /// The keys of `Z_METADATA` that may be shown, as text; all others may be secrets.
    public var metadata: [String: String]
    /// Whether the model is kept in `Z_MODELCACHE`.
    public var hasModelCache: Bool
    /// Whether persistent history is kept.
    public var hasHistory: Bool
    /// How many keys of `Z_METADATA` are not shown.
    public var hiddenMetadata: Int

    /// Facts.
    public init(metadata: [String: String], hasModelCache: Bool, hasHistory: Bool, hiddenMetadata: Int) {
        self.metadata = metadata
        self.hasModelCache = hasModelCache
        self.hasHistory = hasHistory
        self.hiddenMetadata = hiddenMetadata
    }
}
