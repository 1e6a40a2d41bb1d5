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
        let uncertain = uncertainEntities(in: model)
        var aligned = self
        aligned.entities = [:]
        aligned.uncertainNames = uncertain
        for (name, entity) in entities {
            var entity = entity
            entity.relations = entity.relations.map { relation in
                // A wrong target would give records another parent without a word; one that is not known is reported.
                let target = relation.target.flatMap { uncertain.contains($0) ? nil : renamed[$0] ?? $0 }
                return Relation(name: relation.name, target: target, isToMany: relation.isToMany)
            }
            entity.parent = entity.parent.map { renamed[$0] ?? $0 }
            aligned.entities[renamed[name] ?? name] = entity
        }
        return aligned
    }

    /// Cached entities whose name may be that of another entity by now: of two that were renamed, one may have got the name of
    /// the other.
    ///
    /// The columns show it: those of a cached entity are in the table of another entity, while its own name's table lacks them,
    /// or has those of an entity whose name is gone. Entities of one table number their records together, so that any of them
    /// leads to the right record.
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
        let wanted = cached.ownStems
        return !wanted.isEmpty && wanted.allSatisfy { columns.contains($0.coreDataName) }
    }
}

extension CoreDataArchivedModel.Entity {
    /// What the names of its columns are made of.
    fileprivate var ownStems: [String] {
        storedAttributes.map(\.columnStem) + relations.filter { !$0.isToMany }.map(\.name)
    }
}
