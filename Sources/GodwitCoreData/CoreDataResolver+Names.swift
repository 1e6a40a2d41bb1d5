internal import GodwitModel

/// Finds entities, columns and relations by the names in a manifest; throws 78 if there is none, or more than one.
extension CoreDataResolver {
    func target(
        of relation: CoreDataRelation, _ field: SourceField, at place: String
    ) throws(GodwitError) -> CoreDataEntity {
        if let name = field.target {
            guard let entity = model.entity(named: name) else {
                throw unknownEntity(name, at: place.hasSuffix(".from") ? String(place.dropLast(5)) + ".entity" : place)
            }
            if let known = relation.target.flatMap({ model.entity(named: $0) }), known.table != entity.table {
                throw manifest.refusal(
                    of: place,
                    "the relation \(named(relation.name)) refers to \(named(known.name)), not to \(named(name))",
                    hint: "Remove `entity`.")
            }
            return entity
        }
        if let entity = relation.target.flatMap({ model.entity(named: $0) }) { return entity }
        let namesakes = model.entities.filter {
            $0.name.isSameName(as: relation.name) && !model.uncertainNames.contains($0.name)
        }
        if namesakes.count == 1 { return namesakes[0] }
        throw manifest.refusal(
            of: place, "the store does not state the target of the relation \(named(relation.name))",
            hint: "Name the entity, as in `{ from: \(relation.name).id, entity: Workout }`.")
    }

    func relation(
        _ path: SourcePath, _ entity: CoreDataEntity, _ table: TableShape, at place: String
    ) throws(GodwitError) -> CoreDataRelation {
        let name = path.parts[path.parts.count - 2]
        let hidden = entity.relations.filter { relation in
            relation.isHiddenInverse && relation.name.isSameName(as: name)
                && (path.parts.count == 2 || relation.target == path.parts[0])
        }
        if path.parts.count == 3 {
            if hidden.count == 1 { return hidden[0] }
            throw manifest.refusal(
                of: place, "\(named(entity.name)) has no column for the relation \(named(path.parts[0] + "." + name))",
                hint: "Use such a path only for a to-many relation whose model has no relation back.")
        }
        let own = entity.relations.filter { !$0.isHiddenInverse }
        if let found = own.first(where: { $0.name == name }) ?? own.first(where: { $0.name.isSameName(as: name) }) {
            return found
        }
        if hidden.count == 1 { return hidden[0] }
        // An old store may not show that a column of numbers is a relation.
        if hidden.isEmpty, let column = try? column(name, entity, table, at: place) {
            if let known = entity.relations.first(where: { $0.column == column }) { return known }
            return CoreDataRelation(name: name, column: column, evidence: .columns)
        }
        let names = entity.relations.map(\.name)
        throw manifest.refusal(
            of: place, "\(named(entity.name)) has no to-one relation \(named(name)) in this store",
            hint: hidden.isEmpty
                ? NearestName.hint(for: name, among: names)
                : "Write `Entity.\(name).…`: several entities have such a relation.")
    }

    /// The column of an attribute or relation, or a column by its own name, such as `Z_PK` and `Z_FOK_PARENT`.
    func column(
        _ name: String, _ entity: CoreDataEntity, _ table: TableShape, at place: String
    ) throws(GodwitError) -> String {
        let columns = table.columnsInFile
        var properties: [(name: String, column: String, isSure: Bool)] = []
        for attribute in entity.attributes {
            // An attribute with the name of its column is that column.
            let isColumn = attribute.name.utf8.elementsEqual(attribute.column.utf8)
            properties.append((attribute.name, attribute.column, attribute.kind != nil || isColumn))
        }
        for relation in entity.relations where !relation.isHiddenInverse {
            properties.append((relation.name, relation.column, relation.evidence == .model))
        }
        let isExact = properties.contains { $0.name.utf8.elementsEqual(name.utf8) }
        // `Zone` may be a property and `ZONE` the column of another one: an exact column name means the column.
        if !isExact, let written = columns.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
            return written.name
        }
        let found =
            properties.first { $0.name.utf8.elementsEqual(name.utf8) }
            ?? properties.first { $0.name.isSameName(as: name) || $0.column.isSameName(as: name.coreDataName) }
        if found == nil, let written = columns.first(where: { $0.name.isSameName(as: name) }) { return written.name }
        guard let found else {
            throw manifest.refusal(
                of: place, "\(named(entity.name)) has no attribute \(named(name)) in this store",
                hint: NearestName.hint(for: name, among: properties.map(\.name))
                    ?? known(
                        "Use one of", properties.map(\.name),
                        none: "Name a column of its table: the entity has no attributes.")
            )
        }
        // In a table of several entities, columns of properties with the same name have numbers, and their owners may
        // be unknown.
        let isShared = model.entities.filter { $0.table == entity.table }.count > 1
        let namesakes = columns.map(\.name).filter { $0.isSameName(asNumbered: found.column) }
        guard found.isSure || !isShared || namesakes.count <= 1 else {
            throw manifest.refusal(
                of: place, "\(named(name)) of \(named(entity.name)) may be any of \(list(namesakes))",
                hint: "Write the column itself, as in `from: \(namesakes[0])`.")
        }
        return found.column
    }

    // MARK: Pairs

    func pairs(
        _ owner: CoreDataEntity, _ relation: String, at place: String
    ) throws(GodwitError) -> CoreDataRows {
        let line = [owner.name] + model.ancestors(of: owner).map(\.name)
        var found: [CoreDataPairs] = []
        for join in model.joins {
            guard let table = shape.table(named: join.table) else { continue }
            for (source, target) in [(join.first, join.second), (join.second, join.first)]
            where source.entity.map(line.contains) == true && target.relation.isSameName(asNumbered: relation) {
                if target.column.isSameName(as: "REFLEXIVE") { continue }
                found.append(CoreDataPairs(table: table, source: source, target: target))
            }
        }
        let exact = found.filter { $0.target.relation.isSameName(as: relation) }
        let chosen = exact.isEmpty ? found : exact
        guard chosen.count == 1 else {
            let known = model.joins.flatMap { join in
                [(join.first, join.second), (join.second, join.first)].map { "\($0.entity ?? "?").\($1.relation)" }
            }
            throw manifest.refusal(
                of: place,
                chosen.isEmpty
                    ? "\(named(owner.name)) has no many-to-many relation \(named(relation)) in this store"
                    : "\(named(owner.name + "." + relation)) may be any of \(list(chosen.map(\.table.name)))",
                hint: NearestName.hint(for: "\(owner.name).\(relation)", among: known)
                    ?? self.known("Use one of", known, none: "Remove it: the store has no such relations."))
        }
        return .pairs(chosen[0])
    }

    /// A hint that lists names, or another text if there are none: never an empty list.
    private func known(_ beginning: String, _ names: [String], none: String) -> String {
        names.isEmpty ? none : "\(beginning) \(list(names))."
    }

    private func list(_ names: [String]) -> String { names.prefix(10).map { named($0) }.joined(separator: ", ") }

    func unknownEntity(_ name: String, at place: String) -> GodwitError {
        let names = model.entities.map(\.name)
        return manifest.refusal(
            of: place, "the Core Data store has no entity \(named(name))",
            hint: NearestName.hint(for: name, among: names)
                ?? known("Use one of", names, none: "Check that this is the app's store: it has no entities."))
    }
}
