package import GodwitModel

/// Where what a report speaks of stands in the files that people edit: lines of the manifest, schema files.
package struct ReportPositions: Sendable {
    /// The manifest; nil where nothing is known of it.
    let manifest: String?
    /// The manifest's app.
    let app: String?
    /// Places of the legacy rules, by legacy key.
    private let keys: [String: SourcePosition]
    /// Places of the entities, by name.
    private let entities: [String: SourcePosition]
    /// Where the legacy rules as a whole stand.
    private let rules: SourcePosition?
    private let schemaFolder: String?

    /// Nothing is known.
    package init() {
        (manifest, app) = (nil, nil)
        (keys, entities) = ([:], [:])
        rules = nil
        schemaFolder = nil
    }

    /// All that a manifest says.
    package init(_ manifest: Manifest) {
        self.manifest = manifest.file
        app = manifest.app
        var keys: [String: SourcePosition] = [:]
        for (index, rule) in manifest.legacy.settings.enumerated() {
            keys[rule.key] = manifest.position(of: "legacy.settings[\(index)]")
        }
        for (index, rule) in manifest.legacy.favorites.enumerated() {
            keys[rule.key] = manifest.position(of: "legacy.favorites[\(index)]")
        }
        self.keys = keys
        entities = manifest.entities.reduce(into: [:]) {
            $0[$1.name] = manifest.position(of: "entities.\($1.name)#key")
        }
        rules = manifest.positions["legacy#key"]
        schemaFolder = manifest.schemaDirectory
    }

    /// Where the rule for a legacy key stands; for a key without a rule, where all the rules do.
    func place(ofLegacyKey key: String) -> FilePosition? { place(keys[key] ?? rules) }

    /// Where all the rules for legacy keys stand.
    var placeOfLegacyRules: FilePosition? { place(rules) }

    /// Where an entity stands.
    func place(ofEntity name: String) -> FilePosition? { place(entities[name]) }

    /// The file of a migration, named as its version and name say.
    func place(of migration: AppliedMigration) -> FilePosition? {
        schemaFolder.map { folder in
            let name = "\(SchemaReport.label(migration.version))__\(migration.name).sql"
            return FilePosition(file: folder.hasSuffix("/") ? folder + name : folder + "/" + name, line: 1)
        }
    }

    private func place(_ position: SourcePosition?) -> FilePosition? {
        guard let manifest, let position else { return nil }
        return FilePosition(file: manifest, line: position.line, column: position.column)
    }
}
