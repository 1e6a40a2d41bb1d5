package import GodwitModel

/// The positions of entities, legacy keys and schema files in the files that people edit.
package struct ReportPositions: Sendable {
    /// The manifest; nil if no manifest was read.
    let manifest: String?
    /// The manifest's app.
    let app: String?
    /// Positions of the legacy rules, by legacy key.
    private let keys: [String: SourcePosition]
    /// Positions of the entities, by name.
    private let entities: [String: SourcePosition]
    /// Position of the legacy rules as a whole.
    private let rules: SourcePosition?
    private let schemaFolder: String?

    /// No positions.
    package init() {
        (manifest, app) = (nil, nil)
        (keys, entities) = ([:], [:])
        rules = nil
        schemaFolder = nil
    }

    /// The positions in a manifest.
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

    /// The position of the rule for a legacy key; that of all rules for a key without a rule.
    func position(ofLegacyKey key: String) -> GodwitError.Position? { position(keys[key] ?? rules) }

    /// The position of the rules for legacy keys.
    var positionOfLegacyRules: GodwitError.Position? { position(rules) }

    /// The position of an entity.
    func position(ofEntity name: String) -> GodwitError.Position? { position(entities[name]) }

    /// The schema file of a version.
    func position(of migration: RunReport.Schema.Version) -> GodwitError.Position? {
        schemaFolder.map { folder in
            let name = "\(RunReport.Schema.label(migration.version))__\(migration.name).sql"
            return GodwitError.Position(file: folder.hasSuffix("/") ? folder + name : folder + "/" + name, line: 1)
        }
    }

    private func position(_ position: SourcePosition?) -> GodwitError.Position? {
        guard let manifest, let position else { return nil }
        return GodwitError.Position(file: manifest, line: position.line, column: position.column)
    }
}
