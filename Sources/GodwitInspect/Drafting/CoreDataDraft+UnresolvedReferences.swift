internal import GodwitCoreData
internal import GodwitModel

/// References whose target the store does not say: without the app's model, only some columns show it.
extension CoreDataDraft {
    static let unresolvedCode = "referenceNotResolved"

    static func unresolved(_ relation: CoreDataRelation, of entity: String, _ column: String) -> Warning {
        Warning(
            unresolvedCode,
            "\(entity).\(column) keeps row numbers of this store: the store does not state which entity "
                + "they refer to",
            hint:
                "Write `{ from: \(relation.name).KEY, entity: NAME }` if you know the entity, and give its "
                + "column the type of that key.")
    }

    /// Entities whose records are referred to by row number: a relation or pair refers to an entity without a key that
    /// all its sub-entities share, even if one of them has a key.
    static func numbered(in model: CoreDataModel, _ keys: [String: Key]) -> Set<String> {
        var targets = Set(model.joins.flatMap { $0.ends.compactMap(\.entity) })
        for entity in model.entities where entity.table != nil {
            targets.formUnion(entity.relations.compactMap(\.target))
        }
        var found: Set<String> = []
        for target in targets {
            guard let key = keys[target], key.attribute == nil else { continue }
            found.formUnion(model.family(of: target).map(\.name))
        }
        return found
    }

    static func isUnresolved(_ relation: CoreDataRelation, in model: CoreDataModel) -> Bool {
        relation.target.flatMap { model.entity(named: $0) }?.table == nil
    }
}
