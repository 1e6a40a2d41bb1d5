internal import GodwitModel

/// Aligns the cached model with the names and the inheritance in the store itself.
///
/// `Z_MODELCACHE` may be older than the store, so an entity that the app renamed may have its old name there.
/// Inheritance is always taken from `Z_PRIMARYKEY`.
extension CoreDataArchivedModel {
    /// Maximum number of pairs to compare; if an app renamed more at once, names come from the columns only.
    private static let maxPairs = 10_000

    /// The same model with the new names of renamed entities, if they are certain.
    func aligned(with model: CoreDataModel) -> CoreDataArchivedModel {
        let renamed = renamedEntities(in: model)
        let uncertain = uncertainEntities(in: model)
        var aligned = self
        aligned.entities = [:]
        aligned.uncertainNames = uncertain
        for (name, entity) in entities {
            var entity = entity
            entity.relations = entity.relations.map { relation in
                // A wrong target would silently give records another parent; an unknown one is reported.
                let target = relation.target.flatMap { uncertain.contains($0) ? nil : renamed[$0] ?? $0 }
                return Relation(name: relation.name, target: target, isToMany: relation.isToMany)
            }
            entity.parent = entity.parent.map { renamed[$0] ?? $0 }
            aligned.entities[renamed[name] ?? name] = entity
        }
        return aligned
    }

    /// Cached entities whose name may belong to another entity now: of two renamed entities, one may have got the
    /// other's old name.
    ///
    /// The columns show it: the columns of a cached entity are in another entity's table, and its own table lacks them
    /// or has those of an entity that no longer exists. Entities in one table share the numbering of records, so a
    /// reference to any of them finds the right record.
    private func uncertainEntities(in model: CoreDataModel) -> Set<String> {
        let stored = Dictionary(
            model.entities.filter { $0.table != nil }.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let lost = entities.filter { stored[$0.key] == nil }
        let changed = Set(
            entities.filter { name, entity in
                stored[name].map { !entity.ownStems.isEmpty && !$0.hasColumns(for: entity) } ?? false
            }.keys)
        let unknown = model.entities.filter { entities[$0.name] == nil && $0.table != nil }
        let others = unknown + model.entities.filter { changed.contains($0.name) && $0.table != nil }
        guard !others.isEmpty, entities.count * others.count <= Self.maxPairs else { return [] }
        var uncertain: Set<String> = []
        for (name, cached) in entities {
            guard let own = stored[name] else { continue }
            let fitting = others.filter { $0.table != own.table && $0.hasColumns(for: cached) }
            if changed.contains(name), !fitting.isEmpty { uncertain.insert(name) }
            guard fitting.contains(where: { entities[$0.name] == nil }) else { continue }
            let former = lost.filter { own.hasColumns(for: $0.value) }.keys
            if !former.isEmpty { uncertain.formUnion(former.map { $0 } + [name]) }
        }
        return uncertain
    }

    /// New names by old ones.
    ///
    /// A pair of a cached and a stored entity is certain if neither exists on the other side, both have the same
    /// parent, the table has a column for each cached property, and neither matches another entity.
    private func renamedEntities(in model: CoreDataModel) -> [String: String] {
        let stored = Set(model.entities.map(\.name))
        var lost = entities.filter { !stored.contains($0.key) }
        guard !lost.isEmpty else { return [:] }
        var unknown = model.entities.filter { entities[$0.name] == nil && $0.table != nil }
        var renamed: [String: String] = [:]
        // Parents may be renamed too, so repeat from the outermost entity inwards.
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
    /// Whether the entity's table has a column for each stored property of a cached entity, and there is at least one.
    fileprivate func hasColumns(for cached: CoreDataArchivedModel.Entity) -> Bool {
        let columns = Set(
            (attributes.map(\.column) + relations.map(\.column)).map { $0.asciiUppercased })
        let wanted = cached.ownStems
        return !wanted.isEmpty && wanted.allSatisfy { columns.contains($0.coreDataName) }
    }
}

extension CoreDataArchivedModel.Entity {
    fileprivate var ownStems: [String] {
        storedAttributes.map(\.columnStem) + relations.filter { !$0.isToMany }.map(\.name)
    }
}
