internal import GodwitModel

/// What the app's model calls the columns of one table.
private struct CoreDataTableNames {
    enum Meaning {
        case attribute(CoreDataArchivedModel.Attribute)
        case relation(CoreDataArchivedModel.Relation)
    }

    struct Property {
        let owner: String
        let meaning: Meaning
    }

    /// Properties by their names in upper case: those that need a column of this table.
    private var properties: [String: [Property]] = [:]
    /// Names that several properties have, each with those of the same name and a number behind it.
    private(set) var contested: [(namesakes: CoreDataNamesakes, properties: [Property])] = []
    /// What the rows told: whose a column is.
    private var told: [String: Property] = [:]

    /// - Parameter owners: all entities of the table.
    init(_ known: CoreDataArchivedModel, _ model: CoreDataModel, owners: [CoreDataEntity]) {
        for owner in Set(owners.map(\.name)).sorted() {
            guard let found = known.entities[owner] else { continue }
            // What is inherited may be in the archive once more for the one that inherits it.
            let above = known.line(of: owner).dropFirst().compactMap { known.entities[$0] }
            let inherited = Set(above.flatMap { $0.attributes.map(\.name) + $0.relations.map(\.name) })
            for attribute in found.attributes where !inherited.contains(attribute.name) {
                let property = Property(owner: owner, meaning: .attribute(attribute))
                properties[attribute.name.uppercased(), default: []].append(property)
            }
            for relation in found.relations where !inherited.contains(relation.name) && !relation.isToMany {
                let property = Property(owner: owner, meaning: .relation(relation))
                properties[relation.name.uppercased(), default: []].append(property)
            }
        }
        findNamesakes(model, owners.first)
    }

    private mutating func findNamesakes(_ model: CoreDataModel, _ entity: CoreDataEntity?) {
        guard let entity else { return }
        var columns = entity.attributes.map {
            CoreDataNamesakes.Column(name: $0.column, declaredType: $0.declaredType, target: nil)
        }
        columns += entity.relations.filter { !$0.isHiddenInverse }.map {
            .init(name: $0.column, declaredType: "INTEGER", target: $0.target)
        }
        var taken: Set<String> = []
        for (name, several) in properties.sorted(by: { $0.key < $1.key })
        where several.count > 1 && !taken.contains(name) {
            let names = properties.keys.filter { $0.isSameName(asNumbered: name) }.sorted()
            taken.formUnion(names)
            let namesakes = names.flatMap { properties[$0] ?? [] }
            contested.append(
                (
                    CoreDataNamesakes(
                        name: name, properties: namesakes.map { Self.claim($0, model) },
                        columns: columns.filter { Self.key($0.name).isSameName(asNumbered: name) }),
                    namesakes
                ))
        }
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

    /// Takes what the rows tell of columns that share a name.
    mutating func tell(users: [String: Set<Int64>]) {
        for (namesakes, properties) in contested {
            for (column, place) in namesakes.owners(users: users) { told[column] = properties[place] }
        }
    }

    /// Columns of which the rows did not tell whose they are.
    var untold: [String] {
        contested.flatMap { $0.namesakes.columns.map(\.name) }.filter { told[$0] == nil }.sorted()
    }

    /// What a column is for an entity.
    enum Answer {
        case known(Meaning)
        /// It is another entity's.
        case notIts
        /// The archive says nothing of it, or not whose it is.
        case unknown
    }

    /// - Parameter line: the entity and all it inherits from.
    func meaning(of column: String, for line: Set<String>) -> Answer {
        if let property = told[column] { return line.contains(property.owner) ? .known(property.meaning) : .notIts }
        if let (namesakes, all) = contested.first(where: { $0.namesakes.columns.contains { $0.name == column } }) {
            let settled = namesakes.columns.compactMap { told[$0.name] }.count { line.contains($0.owner) }
            return all.count { line.contains($0.owner) } > settled ? .unknown : .notIts
        }
        guard let found = properties[Self.key(column)], found.count == 1 else { return .unknown }
        return line.contains(found[0].owner) ? .known(found[0].meaning) : .notIts
    }

    /// A column's name without its `Z`.
    static func key(_ column: String) -> String { CoreDataColumn.text(column.utf8.dropFirst()) }
}

extension CoreDataModel {
    /// Columns whose names several properties share, by table: the rows tell whose they are.
    func contestedColumns(by known: CoreDataArchivedModel) -> [String: [String]] {
        tableNames(by: known).mapValues { $0.contested.flatMap { $0.namesakes.columns.map(\.name) } }
    }

    private func tableNames(by known: CoreDataArchivedModel) -> [String: CoreDataTableNames] {
        Dictionary(grouping: entities.filter { $0.table != nil }, by: { $0.table ?? "" })
            .mapValues { CoreDataTableNames(known, self, owners: $0) }
    }

    /// The same model with the names, types and targets that the app's own model gives its columns.
    ///
    /// - Parameter users: for each table's contested columns the numbers of entities whose records have a value there.
    func naming(
        by known: CoreDataArchivedModel, users: [String: [String: Set<Int64>]] = [:]
    ) -> CoreDataModel {
        guard entities.contains(where: { known.entities[$0.name] != nil }) else { return self }
        var model = self
        model.isModelKnown = true
        var tables = tableNames(by: known)
        for (table, users) in users { tables[table]?.tell(users: users) }
        model.untoldColumns = tables.mapValues(\.untold).filter { !$0.value.isEmpty }
        model.entities = entities.map { entity in
            guard let names = entity.table.flatMap({ tables[$0] }) else { return entity }
            return entity.naming(by: names, line: Set(known.line(of: entity.name)))
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
    /// - Parameter line: this entity and all it inherits from.
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
                attributes.append(
                    CoreDataAttribute(name: named.name, column: column, declaredType: declaredType, kind: named.kind))
            case .known(.relation(let named)):
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
