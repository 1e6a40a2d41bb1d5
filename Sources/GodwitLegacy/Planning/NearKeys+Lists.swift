internal import GodwitModel

/// Entities that a list may be meant for: a rule that was left out leaves the list behind.
extension NearKeys {
    /// Entities without a rule, with a list that a rule would take; each key is named once.
    ///
    /// - Parameter reported: paths that were named before.
    func fittingEntities(_ open: inout [Candidate], besides reported: Set<String>) -> [Warning] {
        var entities = unruledEntities.filter { !reported.contains("\($0.name).\($0.key)") }
        var warnings: [Warning] = []
        // A list with the name of an entity may be meant for it although the app made records of its own.
        for isNamedAlike in [true, false] {
            entities.removeAll { entity in
                guard isNamedAlike || emptyEntities.contains(entity.name) else { return false }
                let name = Name(entity.name)
                let index = open.firstIndex { candidate in
                    (!isNamedAlike || Name(candidate.key).sharesWord(with: name))
                        && fits(candidate, FavoritesRule(key: "", entity: entity.name, column: entity.key))
                }
                guard let index else { return false }
                warnings.append(notMapped(open.remove(at: index), "\(entity.name).\(entity.key)"))
                return true
            }
        }
        return warnings
    }

    /// Entities that no rule fills, and that consist of a key and hardly more: a list brings no other column.
    private var unruledEntities: [Entity] {
        let ruled = Set(
            (manifest.legacy.settings.map(\.entity) + manifest.legacy.favorites.map(\.entity)).map(\.foldedName))
        return manifest.entities.filter { entity in
            guard entity.singleton == nil, !ruled.contains(entity.name.foldedName),
                let table = shape.table(named: entity.name)
            else { return false }
            let own = [entity.key, entity.modified?.column].compactMap(\.self).map(\.foldedName)
            let others = table.storedColumns.filter { !own.contains($0.name.foldedName) }
            return others.count <= 2 && others.allSatisfy { !$0.isNotNull || $0.defaultSQL != nil || $0.isRowNumber }
        }
    }
}

extension ColumnShape {
    /// Whether SQLite numbers new rows in this column.
    fileprivate var isRowNumber: Bool { primaryKeyIndex > 0 && type == "INTEGER" }
}
