internal import GodwitModel

/// The names in the app's model for the columns of one table.
private struct CoreDataTableNames {
    enum Meaning {
        case attribute(CoreDataArchivedModel.Attribute)
        case relation(CoreDataArchivedModel.Relation)
    }

    struct Property {
        let owner: String
        let meaning: Meaning
    }

    /// Properties that need a column of this table, by upper-case name.
    private var properties: [String: [Property]] = [:]
    /// Names of several properties, each with the same name plus a number.
    private(set) var contested: [(namesakes: CoreDataNamesakes, properties: [Property])] = []
    /// Owners of columns, found from the rows.
    private var owners: [String: Property] = [:]

    init(_ known: CoreDataArchivedModel, _ model: CoreDataModel, owners: [CoreDataEntity]) {
        let byName = Dictionary(owners.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for (owner, entity) in byName.sorted(by: { $0.key < $1.key }) {
            guard let found = known.entities[owner] else { continue }
            // The archive may repeat inherited properties for each descendant.
            let parents = Set(known.line(of: owner) + model.ancestors(of: entity).map(\.name)).subtracting([owner])
            let above = parents.compactMap { known.entities[$0] }
            let inherited = Set(above.flatMap { $0.attributes.map(\.name) + $0.relations.map(\.name) })
            for attribute in found.storedAttributes where !inherited.contains(attribute.name) {
                let property = Property(owner: owner, meaning: .attribute(attribute))
                properties[attribute.columnStem.uppercased(), default: []].append(property)
            }
            for relation in found.relations where !inherited.contains(relation.name) && !relation.isToMany {
                let property = Property(owner: owner, meaning: .relation(relation))
                properties[relation.name.uppercased(), default: []].append(property)
            }
        }
        if let entity = owners.first { findNamesakes(model, entity, isShared: owners.count > 1) }
    }

    private mutating func findNamesakes(_ model: CoreDataModel, _ entity: CoreDataEntity, isShared: Bool) {
        var columns = entity.attributes.map {
            CoreDataNamesakes.Column(name: $0.column, declaredType: $0.declaredType, target: nil)
        }
        columns += entity.relations.filter { !$0.isHiddenInverse }.map {
            .init(name: $0.column, declaredType: "INTEGER", target: $0.target)
        }
        let numbered = isShared ? Self.numberedNames(columns.map(\.name)) : []
        var taken: Set<String> = []
        for (name, several) in properties.sorted(by: { $0.key < $1.key })
        where (several.count > 1 || numbered.contains(name)) && !taken.contains(name) {
            let names = properties.keys.filter { $0.isSameName(asNumbered: name) }.sorted()
            let namesakes = names.flatMap { properties[$0] ?? [] }
            // The cache may lack a property: in a table of several entities, a number shows that there is another one.
            guard several.count > 1 || namesakes.count == 1 else { continue }
            taken.formUnion(names)
            contested.append(
                (
                    CoreDataNamesakes(
                        name: name, properties: namesakes.map { Self.claim($0, model) },
                        columns: columns.filter { Self.key($0.name).isSameName(asNumbered: name) }),
                    namesakes
                ))
        }
    }

    /// The names of columns that end with a number, without that number.
    private static func numberedNames(_ columns: [String]) -> Set<String> {
        var names: Set<String> = []
        for column in columns {
            var name = Substring(key(column))
            while let last = name.utf8.last, (0x30...0x39).contains(last) {
                name.removeLast()
                names.insert(String(name))
            }
        }
        return names
    }

    private static func claim(_ property: Property, _ model: CoreDataModel) -> CoreDataNamesakes.Property {
        let family = Set(model.family(of: property.owner).map(\.number))
        switch property.meaning {
        case .attribute(let attribute):
            return .init(
                owner: property.owner, family: family, declaredType: attribute.kind?.declaredType, target: nil)
        case .relation(let relation):
            return .init(owner: property.owner, family: family, declaredType: "INTEGER", target: relation.target)
        }
    }

    /// Assigns columns with the same name to properties, by the rows.
    mutating func assign(users: [String: Set<Int64>]) {
        for (namesakes, properties) in contested {
            for (column, index) in namesakes.owners(users: users) { owners[column] = properties[index] }
        }
    }

    /// Columns whose property the rows do not show.
    var untold: [String] {
        contested.flatMap { $0.namesakes.columns.map(\.name) }.filter { owners[$0] == nil }.sorted()
    }

    /// The meaning of a column for an entity.
    enum Answer {
        case known(Meaning)
        /// It belongs to another entity.
        case notIts
        /// The archive does not contain it, or not its owner.
        case unknown
    }

    /// - Parameter line: the entity and its ancestors.
    func meaning(of column: String, for line: Set<String>) -> Answer {
        if let property = owners[column] { return line.contains(property.owner) ? .known(property.meaning) : .notIts }
        if let (namesakes, all) = contested.first(where: { $0.namesakes.columns.contains { $0.name == column } }) {
            // If there are more columns than properties in the cache, this one may belong to any entity.
            if all.count == 1 { return .unknown }
            let settled = namesakes.columns.compactMap { owners[$0.name] }.count { line.contains($0.owner) }
            return all.count { line.contains($0.owner) } > settled ? .unknown : .notIts
        }
        guard let found = properties[Self.key(column)], found.count == 1 else { return .unknown }
        return line.contains(found[0].owner) ? .known(found[0].meaning) : .notIts
    }

    /// A column's name without its `Z`.
    static func key(_ column: String) -> String { CoreDataColumn.text(column.utf8.dropFirst()) }
}

extension CoreDataModel {
    /// Columns whose names several properties share, by table; the rows show the owners.
    func contestedColumns(by known: CoreDataArchivedModel) -> [String: [String]] {
        tableNames(by: known).mapValues { $0.contested.flatMap { $0.namesakes.columns.map(\.name) } }
    }

    private func tableNames(by known: CoreDataArchivedModel) -> [String: CoreDataTableNames] {
        Dictionary(grouping: entities.filter { $0.table != nil }, by: { $0.table ?? "" })
            .mapValues { CoreDataTableNames(known, self, owners: $0) }
    }

    /// The same model with the names, types and targets of the app's own model.
    ///
    /// - Parameters:
    ///   - known: a model that uses the entity names in the store.
    ///   - users: for each contested column of a table, the numbers of entities whose records have a value in it.
    func naming(
        by known: CoreDataArchivedModel, users: [String: [String: Set<Int64>]] = [:]
    ) -> CoreDataModel {
        guard entities.contains(where: { known.entities[$0.name] != nil }) else { return self }
        var model = self
        model.isModelKnown = true
        model.uncertainNames = known.uncertainNames
        var tables = tableNames(by: known)
        for (table, users) in users { tables[table]?.assign(users: users) }
        model.untoldColumns = tables.mapValues(\.untold).filter { !$0.value.isEmpty }
        model.entities = entities.map { entity in
            guard let names = entity.table.flatMap({ tables[$0] }) else { return entity }
            return entity.naming(by: names, line: Set([entity.name] + ancestors(of: entity).map(\.name)))
        }
        let names = known.entities.values.flatMap { $0.relations.map(\.name) }
        let byFolded = Dictionary(names.map { ($0.uppercased(), $0) }, uniquingKeysWith: { min($0, $1) })
        func named(_ end: CoreDataJoinEnd) -> CoreDataJoinEnd {
            let folded = end.relation.uppercased()
            let plain = String(folded.reversed().drop(while: \.isNumber).reversed())
            guard let name = byFolded[folded] ?? byFolded[plain] else { return end }
            return CoreDataJoinEnd(
                column: end.column, entity: end.entity, relation: name, orderColumn: end.orderColumn)
        }
        model.joins = joins.map {
            CoreDataJoin(table: $0.table, first: named($0.first), second: named($0.second), count: $0.count)
        }
        return model
    }
}

extension CoreDataEntity {
    fileprivate func naming(by names: CoreDataTableNames, line: Set<String>) -> CoreDataEntity {
        var attributes: [CoreDataAttribute] = []
        var relations: [CoreDataRelation] = []
        let columns =
            self.attributes.map { ($0.name, $0.column, $0.declaredType) }
            + self.relations.filter { !$0.isHiddenInverse }.map { ($0.name, $0.column, "INTEGER") }
        let known = Dictionary(self.relations.map { ($0.column, $0) }, uniquingKeysWith: { first, _ in first })
        for (name, column, declaredType) in columns {
            let found = known[column]
            switch names.meaning(of: column, for: line) {
            case .notIts: continue
            case .known(.attribute(let named)):
                // Columns that only a relation has are right, and the cache is older.
                if let found, found.evidence == .columns {
                    relations.append(found.naming(named.name))
                } else {
                    attributes.append(CoreDataAttribute(named, column: column, declaredType: declaredType))
                }
            case .known(.relation(let named)):
                guard declaredType.isEmpty || declaredType.isSameName(as: "INTEGER") else {
                    attributes.append(
                        CoreDataAttribute(
                            name: named.name, column: column, declaredType: declaredType, kind: .undefined))
                    continue
                }
                relations.append(
                    CoreDataRelation(
                        name: named.name, column: column, target: named.target ?? found?.target,
                        targetNumberColumn: found?.targetNumberColumn, orderColumn: found?.orderColumn,
                        evidence: .model))
            case .unknown:
                if let found {
                    relations.append(found)
                } else {
                    attributes.append(CoreDataAttribute(name: name, column: column, declaredType: declaredType))
                }
            }
        }
        relations += self.relations.filter(\.isHiddenInverse)
        return CoreDataEntity(
            name: name, number: number, superNumber: superNumber, superName: superName, table: table, count: count,
            highestKey: highestKey, attributes: attributes, relations: relations)
    }
}

extension CoreDataAttribute {
    /// An attribute with its name in the archive.
    ///
    /// If the column has another type, the column is right and the cache is older.
    fileprivate init(_ named: CoreDataArchivedModel.Attribute, column: String, declaredType: String) {
        let made = named.kind?.declaredType
        let fits = declaredType.isEmpty || made.map { declaredType.isSameName(as: $0) } ?? true
        self.init(
            name: named.name, column: column, declaredType: declaredType, kind: fits ? named.kind : .undefined)
    }
}

extension CoreDataRelation {
    fileprivate func naming(_ name: String) -> CoreDataRelation {
        CoreDataRelation(
            name: name, column: column, target: target, targetNumberColumn: targetNumberColumn,
            orderColumn: orderColumn, isHiddenInverse: isHiddenInverse, evidence: evidence)
    }
}
