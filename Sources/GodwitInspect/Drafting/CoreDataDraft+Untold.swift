internal import GodwitCoreData
internal import GodwitModel

/// References of which the store does not tell where they lead: without the app's model in it, only some columns do.
extension CoreDataDraft {
    static let untoldCode = "referenceNotResolved"

    static func untold(_ relation: CoreDataRelation, of entity: String, _ column: String) -> Warning {
        Warning(
            untoldCode,
            "\(entity).\(column) takes over numbers of rows: the store does not tell to which entity they lead.",
            hint:
                "Each record has its own number beside its key, so that nothing is lost; but in another store they mean "
                + "nothing. Where you know it, write `{ from: \(relation.name).KEY, entity: NAME }`, and give its column "
                + "the type of that key.")
    }

    /// Entities whose records something refers to by their numbers: a relation or a pair leads to an entity without a
    /// key that all of its kinds share, though a kind may have one of its own.
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

    static func isUntold(_ relation: CoreDataRelation, in model: CoreDataModel) -> Bool {
        relation.target.flatMap { model.entity(named: $0) }?.table == nil
    }
}
