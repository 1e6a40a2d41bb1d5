/// One store and its contents.
package struct InspectedStore: Sendable, Codable {
    /// Path inside the container, or as given.
    package var file: String
    /// Bytes of the store and its `-wal` file.
    package var size: Int64
    /// When it was last changed.
    package var modifiedAt: Instant?
    /// The layout of its records.
    package var layout: InspectedStoreLayout
    /// The journal mode: `wal` or `rollback`.
    package var journal: String?
    /// Whether Core Data mirrors the store to CloudKit: it has `ANSCK…` tables.
    package var isMirrored: Bool
    /// SQLite's `user_version`, in which many apps keep the version of their own schema.
    package var userVersion: Int?
    /// SQLite's `application_id`.
    package var applicationID: Int?
    /// The schema version in Godwit's history; nil without one.
    package var schemaVersion: Int?
    /// Facts about a Core Data store; nil for other stores.
    package var coreData: CoreDataFacts?
    /// The tables with records, or the entities of Core Data.
    package var entities: [InspectedEntity]
    /// Tables without records of the app: of Core Data, of Godwit, of a full-text index.
    package var otherTables: [String]
    /// Names of views.
    package var views: [String]
    /// Names of triggers.
    package var triggers: [String]
    /// Risks of the store.
    package var risks: [Warning]

    /// A store that is not read yet.
    package init(
        file: String, size: Int64 = 0, modifiedAt: Instant? = nil, layout: InspectedStoreLayout = .unread,
        journal: String? = nil, isMirrored: Bool = false, userVersion: Int? = nil, applicationID: Int? = nil,
        schemaVersion: Int? = nil, coreData: CoreDataFacts? = nil, entities: [InspectedEntity] = [],
        otherTables: [String] = [], views: [String] = [], triggers: [String] = [], risks: [Warning] = []
    ) {
        (self.file, self.size, self.modifiedAt, self.layout) = (file, size, modifiedAt, layout)
        (self.journal, self.isMirrored, self.userVersion) = (journal, isMirrored, userVersion)
        (self.applicationID, self.schemaVersion, self.coreData) = (applicationID, schemaVersion, coreData)
        (self.entities, self.otherTables, self.views, self.triggers) = (entities, otherTables, views, triggers)
        self.risks = risks
    }
}

/// The layout of a store's records.
package enum InspectedStoreLayout: String, Sendable, Codable, CaseIterable {
    /// Ordinary tables of the app.
    case tables
    /// Core Data's or SwiftData's tables.
    case coreData
    /// No tables.
    case empty
    /// The store was not read; its risks say why.
    case unread
}

/// Facts about a Core Data store.
package struct CoreDataFacts: Sendable, Codable, Equatable {
    /// The values of `Z_METADATA` that may be shown, as text; the others may be secrets.
    package var metadata: [String: String]
    /// Whether the model is in `Z_MODELCACHE`.
    package var hasModelCache: Bool
    /// Whether persistent history is kept.
    package var hasHistory: Bool
    /// Number of keys of `Z_METADATA` that are not shown.
    package var hiddenMetadata: Int

    /// Facts.
    package init(metadata: [String: String], hasModelCache: Bool, hasHistory: Bool, hiddenMetadata: Int) {
        (self.metadata, self.hasModelCache, self.hasHistory) = (metadata, hasModelCache, hasHistory)
        self.hiddenMetadata = hiddenMetadata
    }
}
