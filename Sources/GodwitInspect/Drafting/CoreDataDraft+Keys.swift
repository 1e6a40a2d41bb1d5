internal import GodwitCoreData
internal import GodwitModel

/// The shared facts of entities with one table: their key, and their external data.
extension CoreDataDraft {
    /// The key of an entity; the same for all entities with its table, because a reference may name any of them.
    func key(of entity: CoreDataEntity) -> Key {
        let family = zip(model.entities, store.tables).filter { $0.0.table == entity.table && entity.table != nil }
        let filled = family.filter { $0.0.count > 0 }
        let members = filled.isEmpty ? family : filled
        let choices = Set(members.map { $0.1.entity.keyEvidence == .rowNumber ? nil : $0.1.entity.key })
        guard choices.count == 1, let name = choices.first.flatMap(\.self),
            let attribute = entity.attributes.first(where: { $0.name == name }),
            let found = members.first?.1.entity, let evidence = found.keyEvidence, !isAmbiguous(entity.table)
        else { return Key(path: "Z_PK", type: "INTEGER", isUUID: false, attribute: nil, evidence: .rowNumber) }
        let isUUID =
            members.contains { member in
                member.1.entity.columns.contains { $0.name == name && $0.kind == .uuid }
            } && attribute.declaredType.isSameName(as: "BLOB") || attribute.kind == .uuid
        return Key(
            path: path(of: attribute, in: entity), type: isUUID ? "TEXT" : Self.type(attribute.declaredType),
            isUUID: isUUID, attribute: attribute, evidence: evidence)
    }

    /// Whether a reference may name several entities of a table whose key values are repeated between entities.
    private func isAmbiguous(_ table: String?) -> Bool {
        guard let table, store.tablesWithRepeatedKeys.contains(table.foldedName) else { return false }
        let targets = model.entities.flatMap(\.relations).map(\.target) + model.joins.flatMap(\.ends).map(\.entity)
        return targets.contains { target in
            let kinds = target.map(model.family) ?? []
            return kinds.count { $0.count > 0 && $0.table?.isSameName(as: table) == true } > 1
        }
    }

    /// Whether Core Data keeps some data of an attribute in files, also for another entity with the same column.
    func isExternal(_ attribute: CoreDataAttribute, of entity: CoreDataEntity) -> Bool {
        zip(model.entities, store.tables).contains { kind, table in
            kind.table == entity.table
                && table.entity.columns.contains { ($0.column ?? $0.name) == attribute.column && $0.isExternal }
        }
    }
}
