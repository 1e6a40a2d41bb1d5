import GodwitModel

extension Manifest {
    /// A manifest of an invented app, with the parts that the stages read.
    static func sample(_ entities: [Entity], legacy: LegacyRules = LegacyRules()) -> Manifest {
        Manifest(
            app: "Notes", file: "godwit.yaml", sha256: "feed",
            container: ContainerPaths(
                preferences: ["Notes.plist"], local: "Notes.store", cloud: "Cloud.store", syncEvents: nil),
            schemaDirectory: "Migrations/notes", entities: entities, legacy: legacy, copy: CopyRules(),
            export: ExportRules(), historyKept: 10, positions: [:])
    }
}

/// Settings and favourites of an invented app, with plans as the legacy reader makes them.
enum LegacySamples {
    static let schema = """
        CREATE TABLE Settings(id TEXT NOT NULL, unit TEXT, updatedAt TEXT);
        CREATE TABLE Favorite(name TEXT NOT NULL, createdAt TEXT);
        """

    static let manifest = Manifest.sample(
        [
            Entity(
                name: "Settings", key: "id", modified: ModifiedColumn(column: "updatedAt"), singleton: "singleton"),
            Entity(name: "Favorite", key: "name", modified: ModifiedColumn(column: "createdAt")),
            Entity(name: "Other", key: "id"),
        ],
        legacy: LegacyRules(
            settings: [SettingRule(key: "unit", entity: "Settings", column: "unit")],
            favorites: [FavoritesRule(key: "favorites", entity: "Favorite", column: "name")]))

    static let settings = PlannedRecord(
        entity: "Settings", columns: ["id", "unit", "updatedAt"],
        values: [.string("singleton"), .string("lb"), .string("2026-05-01T00:00:00.000Z")])

    static func favorite(_ name: String) -> PlannedRecord {
        PlannedRecord(entity: "Favorite", columns: ["name"], values: [.string(name)])
    }

    /// A plan in which both keys were found.
    static func plan(_ records: [PlannedRecord] = [settings, favorite("squat"), favorite("row")]) -> LegacyImportPlan {
        var plan = LegacyImportPlan()
        plan.hasMappedKeys = true
        plan.records = records
        plan.sources = [
            RunReport.Legacy.Source(
                path: "Library/Preferences/\"odd\"\n.plist", format: nil, size: 321, sha256: "abcd", keyCount: 3),
            RunReport.Legacy.Source(path: "Library/Preferences/gone.plist"),
        ]
        plan.ledger = [
            RunReport.Legacy.Key(key: "unit", bucket: .migrated),
            RunReport.Legacy.Key(key: "favorites", bucket: .migrated),
            RunReport.Legacy.Key(key: "seen", bucket: .unmapped),
        ]
        return plan
    }
}
