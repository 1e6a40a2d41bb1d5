internal import GodwitCoreData
internal import GodwitModel

/// Finds the data of a Core Data store that no entity of the manifest reads; pure.
struct CoreDataCoverage {
    let warnings: [Warning]
    let leftBehind: [RunReport.LeftBehind]

    /// - Parameters:
    ///   - manifest: the manifest, whose `ignore` names what is left behind by intent.
    ///   - unread: properties with values that no field reads.
    ///   - foreign: tables that Core Data did not make, with their records.
    init(
        _ model: CoreDataModel, _ manifest: Manifest, queries: [CoreDataQuery], store: String,
        unread: [UnreadProperties],
        foreign: [(name: String, count: Int64)]
    ) {
        let ignore = manifest.ignore
        var behind: [RunReport.LeftBehind] = []
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
        for entity in model.entities
        where entity.count > 0 && !covered.contains(entity.number)
            && !ignore.namesTable(entity.name, entity.table ?? "")
        {
            behind.append(
                RunReport.LeftBehind(
                    .entity, entity.name, count: entity.count,
                    "Core Data's entity `\(entity.name)` (\(entity.count.counted("record"))) is not the "
                        + "source of an entity; it stays in the local store",
                    hint:
                        "Give an entity `source: { entity: \(entity.name), … }` to copy it."
                ))
        }
        for entity in unread {
            let readers = manifest.entities.filter { $0.source?.origin.entity == entity.entity }.map(\.name)
            for property in entity.properties
            where !ignore.namesColumn(property.name, ofAny: readers + [entity.entity]) {
                behind.append(
                    RunReport.LeftBehind(
                        .column, "\(entity.entity).\(property.name)", count: property.count,
                        "no field reads `\(property.name)` of Core Data's entity `\(entity.entity)` "
                            + "(\(property.count.counted("record"))); it stays in the local store",
                        hint: "Add it to the `fields` of the entity's source to copy it."))
            }
        }
        for join in model.joins
        where join.count > 0 && !joined.contains(join.table) && !ignore.namesTable(join.table) {
            let ends = join.ends.map { "\($0.entity ?? "?")" }.joined(separator: " and ")
            behind.append(
                RunReport.LeftBehind(
                    .relation, join.table, count: join.count,
                    "the many-to-many relation of \(ends) in `\(join.table)` (\(join.count.counted("pair"))) "
                        + "is not the source of an entity; it stays in the local store",
                    hint: "Copy it with `join:`, as docs/manifest.md describes it."))
        }
        for table in foreign where !ignore.namesTable(table.name) {
            behind.append(
                RunReport.LeftBehind(
                    .table, table.name, count: table.count,
                    "table `\(table.name)` (\(table.count.counted("record"))) of `\(store)` is not an entity "
                        + "of Core Data; it stays in the local store",
                    hint: "Make it an entity of Core Data in the app to copy it."))
        }
        if model.strayRecords > 0 {
            warnings.append(
                Warning(
                    "recordsOfNoEntity",
                    "`\(store)` has \(model.strayRecords.counted("record")) whose Z_ENT is of no entity; "
                        + "they stay in the local store",
                    hint: "Ignore them: Core Data does not show them to the app either."))
        }
        (self.warnings, leftBehind) = (warnings, behind)
    }
}
