internal import GodwitModel

/// The app's own model as Core Data keeps it in `Z_MODELCACHE`: a keyed archive of an `NSManagedObjectModel`.
///
/// Only names, types and targets are taken from it, by going once through the list of its objects; nothing is
/// instantiated, no chain of references is followed, and whatever does not fit is left out. Where the columns say
/// otherwise, they are right: the archive only tells what they are called.
struct CoreDataArchivedModel: Equatable {
    struct Attribute: Equatable {
        let name: String
        let kind: CoreDataAttributeKind?
    }

    struct Relation: Equatable {
        let name: String
        let target: String?
        let isToMany: Bool
    }

    struct Entity: Equatable {
        var parent: String?
        var attributes: [Attribute] = []
        var relations: [Relation] = []
    }

    /// By name.
    private(set) var entities: [String: Entity] = [:]

    /// Nil where the property list is no archive of a model.
    init?(_ pairs: [LegacyPair]) {
        let root = LegacyValue.dictionary(pairs)
        guard root["$archiver"] != nil, case .array(let objects)? = root["$objects"] else { return nil }
        let archive = Objects(objects)
        for object in objects where archive.className(of: object) == "NSEntityDescription" {
            guard let name = archive.text(object["NSEntityName"]) else { continue }
            entities[name, default: Entity()].parent = archive.object(object["NSSuperentity"]).flatMap {
                archive.text($0["NSEntityName"])
            }
        }
        guard !entities.isEmpty else { return nil }
        for object in objects { take(object, archive) }
    }

    private mutating func take(_ object: LegacyValue, _ archive: Objects) {
        guard let className = archive.className(of: object), className.hasSuffix("Description"),
            let name = archive.text(object["NSPropertyName"]),
            let owner = archive.object(object["NSEntity"]).flatMap({ archive.text($0["NSEntityName"]) }),
            entities[owner] != nil
        else { return }
        if className == "NSRelationshipDescription" {
            let target =
                archive.text(object["_NSDestinationEntityName"])
                ?? archive.object(object["NSDestinationEntity"]).flatMap { archive.text($0["NSEntityName"]) }
            // 0 stands for "as many as there are".
            let isToMany = object["NSMaxCount"] != .integer(1)
            entities[owner]?.relations.append(Relation(name: name, target: target, isToMany: isToMany))
        } else if case .integer(let number)? = object["NSAttributeType"] {
            entities[owner]?.attributes.append(Attribute(name: name, kind: CoreDataAttributeKind(rawValue: number)))
        }
    }

    /// The names of an entity and of all it inherits from.
    func line(of name: String) -> [String] {
        var line = [name]
        while line.count < CoreDataSurvey.deepestInheritance, let parent = line.last.flatMap({ entities[$0]?.parent }),
            !line.contains(parent)
        { line.append(parent) }
        return line
    }

    /// The objects of an archive, by their places.
    private struct Objects {
        let objects: [LegacyValue]

        init(_ objects: [LegacyValue]) { self.objects = objects }

        /// What a reference leads to; nil for the archive's nil, which is at place 0.
        func object(_ reference: LegacyValue?) -> LegacyValue? {
            guard case .uid(let place)? = reference, place > 0, place < UInt64(objects.count) else { return nil }
            return objects[Int(place)]
        }

        /// Text that lies here or one reference away.
        func text(_ value: LegacyValue?) -> String? {
            guard let value else { return nil }
            let text = value.text ?? object(value)?.text ?? object(value)?["NS.string"]?.text
            return text.flatMap { $0.isEmpty ? nil : $0 }
        }

        func className(of object: LegacyValue) -> String? { self.object(object["$class"])?["$classname"]?.text }
    }
}

/// What the app's model calls the columns of one table, by their names without `Z`.
private struct CoreDataTableNames {
    var attributes: [String: [(owner: String, attribute: CoreDataArchivedModel.Attribute)]] = [:]
    var relations: [String: [(owner: String, relation: CoreDataArchivedModel.Relation)]] = [:]

    /// - Parameter owners: all entities of the table.
    init(_ known: CoreDataArchivedModel, owners: [String]) {
        for owner in Set(owners).sorted() {
            guard let found = known.entities[owner] else { continue }
            // What is inherited may be in the archive once more for the one that inherits it.
            let above = known.line(of: owner).dropFirst().compactMap { known.entities[$0] }
            let inherited = Set(above.flatMap { $0.attributes.map(\.name) + $0.relations.map(\.name) })
            for attribute in found.attributes where !inherited.contains(attribute.name) {
                attributes[attribute.name.uppercased(), default: []].append((owner, attribute))
            }
            for relation in found.relations where !inherited.contains(relation.name) && !relation.isToMany {
                relations[relation.name.uppercased(), default: []].append((owner, relation))
            }
        }
    }
}

extension CoreDataModel {
    /// The same model with the names, types and targets that the app's own model gives its columns.
    ///
    /// Where two properties of one table have the same name, the archive can't tell which column is whose: those keep
    /// what the columns tell.
    func naming(by known: CoreDataArchivedModel) -> CoreDataModel {
        guard entities.contains(where: { known.entities[$0.name] != nil }) else { return self }
        var model = self
        model.isModelKnown = true
        var tables: [String: CoreDataTableNames] = [:]
        for (table, relatives) in Dictionary(grouping: entities, by: { $0.table ?? "" }) {
            tables[table] = CoreDataTableNames(known, owners: relatives.map(\.name))
        }
        model.entities = entities.map { entity in
            guard let names = tables[entity.table ?? ""] else { return entity }
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
            self.attributes.map { ($0.column, $0.declaredType) }
            + self.relations.filter { !$0.isHiddenInverse }.map { ($0.column, "INTEGER") }
        let known = Dictionary(self.relations.map { ($0.column, $0) }, uniquingKeysWith: { first, _ in first })
        for (column, declaredType) in columns {
            let key = CoreDataColumn.text(column.utf8.dropFirst())
            let found = known[column]
            let (asAttribute, asRelation) = (names.attributes[key] ?? [], names.relations[key] ?? [])
            if asAttribute.count == 1, asRelation.isEmpty {
                guard line.contains(asAttribute[0].owner) else { continue }
                let named = asAttribute[0].attribute
                attributes.append(
                    CoreDataAttribute(name: named.name, column: column, declaredType: declaredType, kind: named.kind))
            } else if asRelation.count == 1, asAttribute.isEmpty {
                guard line.contains(asRelation[0].owner) else { continue }
                let named = asRelation[0].relation
                relations.append(
                    CoreDataRelation(
                        name: named.name, column: column, target: named.target ?? found?.target,
                        targetNumberColumn: found?.targetNumberColumn, orderColumn: found?.orderColumn,
                        evidence: .model))
            } else if let found {
                relations.append(found)
            } else {
                attributes.append(
                    CoreDataAttribute(name: key.lowercased(), column: column, declaredType: declaredType))
            }
        }
        relations += self.relations.filter(\.isHiddenInverse)
        return CoreDataEntity(
            name: name, number: number, superNumber: superNumber, superName: superName, table: table, count: count,
            highestKey: highestKey, attributes: attributes, relations: relations)
    }
}
