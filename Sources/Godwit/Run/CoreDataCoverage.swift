internal import GodwitModel
internal import GodwitStore

/// What of a Core Data store no entity of the manifest speaks of; pure.
struct CoreDataCoverage {
    let warnings: [Warning]

    /// - Parameters:
    ///   - unread: what has values and is read by no field.
    ///   - foreign: tables that are none of Core Data's, with their records.
    init(
        _ model: CoreDataModel, queries: [CoreDataQuery], store: String, unread: [UnreadProperties],
        foreign: [(name: String, count: Int64)]
    ) {
        var covered: Set<Int64> = []
        var joined: Set<String> = []
        for query in queries {
            guard let source = query.entity.source else { continue }
            switch source.origin {
            case .entity(let name, let includesSubentities):
                for entity in model.family(of: name) where includesSubentities || entity.name == name {
                    covered.insert(entity.number)
                }
            case .join: joined.formUnion(query.tables)
            }
        }
        var warnings: [Warning] = []
        for entity in model.entities where entity.count > 0 && !covered.contains(entity.number) {
            warnings.append(
                Warning(
                    "entityNotCopied",
                    "Core Data's entity \(entity.name) (\(entity.count.counted("record"))) is no entity's source.",
                    hint:
                        "It stays in the local store; give an entity `source: { entity: \(entity.name), … }` to copy it."
                ))
        }
        for entity in unread {
            // Each by name: what is left behind must not be hidden in a number.
            let list = entity.properties.map { "\($0.name) (\($0.count.counted("record")))" }.joined(separator: ", ")
            warnings.append(
                Warning(
                    "attributeNotCopied", "Of Core Data's entity \(entity.entity) no field reads \(list).",
                    hint: "It stays in the local store; add it to the `fields` of the entity's source to copy it."))
        }
        for join in model.joins where join.count > 0 && !joined.contains(join.table) {
            let ends = join.ends.map { "\($0.entity ?? "?")" }.joined(separator: " and ")
            warnings.append(
                Warning(
                    "relationNotCopied",
                    "The many-to-many relation of \(ends) in \(join.table) (\(join.count.counted("pair"))) is no entity's source.",
                    hint: "It stays in the local store; see `join:` in docs/manifest.md."))
        }
        for table in foreign {
            warnings.append(
                Warning(
                    "tableNotCopied",
                    "Table \(table.name) (\(table.count.counted("record"))) of \(store) is no entity of Core Data's.",
                    hint: "It stays in the local store: of a Core Data store a manifest reads entities alone."))
        }
        if model.strayRecords > 0 {
            warnings.append(
                Warning(
                    "recordsOfNoEntity",
                    "\(store) has \(model.strayRecords.counted("record")) whose Z_ENT is no entity's.",
                    hint: "Core Data does not show them to the app either; they stay where they are."))
        }
        self.warnings = warnings
    }
}
