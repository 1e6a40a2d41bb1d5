internal import GodwitModel

/// The cached model under the names and the inheritance that the store itself has.
///
/// `Z_MODELCACHE` may be older than the store: an entity that the app renamed is there under its old name. Which entity
/// inherits from which is taken from `Z_PRIMARYKEY` alone.
extension CoreDataArchivedModel {
    /// Pairs of entities of one parent that are compared: an app that renamed more at once gets bare names.
    private static let maxPairs = 10_000

    /// The same model with renamed entities under their new names, where it is certain which entity that is.
    func aligned(with model: CoreDataModel) -> CoreDataArchivedModel {
        let renamed = renamedEntities(in: model)
        var aligned = self
        aligned.entities = [:]
        for (name, entity) in entities {
            var entity = entity
            entity.relations = entity.relations.map { relation in
                Relation(
                    name: relation.name, target: relation.target.map { renamed[$0] ?? $0 }, isToMany: relation.isToMany)
            }
            entity.parent = entity.parent.map { renamed[$0] ?? $0 }
            aligned.entities[renamed[name] ?? name] = entity
        }
        return aligned
    }

    /// New names by old ones.
    ///
    /// Certain are a cached entity and one of the store that the other side doesn't know, with the same parent, if the
    /// table has a column for each stored property, and neither fits another one.
    private func renamedEntities(in model: CoreDataModel) -> [String: String] {
        let stored = Set(model.entities.map(\.name))
        var lost = entities.filter { !stored.contains($0.key) }
        guard !lost.isEmpty else { return [:] }
        var unknown = model.entities.filter { entities[$0.name] == nil && $0.table != nil }
        var renamed: [String: String] = [:]
        // An entity's parent may be renamed as well: from the outermost inwards.
        for _ in 0..<CoreDataSurvey.deepestInheritance where !unknown.isEmpty {
            let before = renamed.count
            let byParent = Dictionary(grouping: lost.keys) { lost[$0]?.parent.map { renamed[$0] ?? $0 } ?? "" }
            for (parent, heirs) in Dictionary(grouping: unknown, by: { $0.superName ?? "" }) {
                guard let names = byParent[parent], names.count * heirs.count <= Self.maxPairs else { continue }
                let fitting = heirs.map { heir in
                    names.filter { name in lost[name].map { heir.hasColumns(for: $0) } ?? false }
                }
                for (heir, old) in zip(heirs, fitting)
                where old.count == 1 && fitting.count(where: { $0.contains(old[0]) }) == 1 {
                    renamed[old[0]] = heir.name
                    lost[old[0]] = nil
                    unknown.removeAll { $0.name == heir.name }
                }
            }
            if renamed.count == before { break }
        }
        return renamed
    }
}

extension CoreDataEntity {
    /// Whether the entity's table has a column for each property that a cached entity stores, and there is one.
    fileprivate func hasColumns(for cached: CoreDataArchivedModel.Entity) -> Bool {
        let columns = Set(
            (attributes.map(\.column) + relations.map(\.column)).map { $0.asciiUppercased })
        let wanted =
            cached.storedAttributes.map(\.columnStem) + cached.relations.filter { !$0.isToMany }.map(\.name)
        return !wanted.isEmpty && wanted.allSatisfy { columns.contains($0.coreDataName) }
    }
}
