package import GodwitModel

/// How the records of one entity of the manifest are read from a Core Data store: one SELECT, and what its columns are.
package struct CoreDataQuery: Sendable {
    package let entity: Entity
    /// Nil where the store has no table for the entity, and so no records.
    let sql: String?
    let columns: [Column]
    let relations: [Relation]
    /// The Core Data entity, or the relation of a join, as messages name it.
    package let origin: String
    /// The table that the records are read from, if there is one.
    package let tables: [String]

    /// One column of the manifest's entity.
    struct Column: Sendable {
        let field: SourceField
        /// The places of its paths' values in a row of the result.
        let places: Range<Int>
    }

    /// A relation that a path leads over, to find those that lead nowhere.
    struct Relation: Sendable {
        let name: String
        /// The place of the `Z_PK` that the record names.
        let named: Int
        /// The place of the same `Z_PK` as the other table has it; NULL where it has none.
        let found: Int
    }
}

/// Turns the manifest's words for a Core Data store into queries; pure.
///
/// Names are those of the store's own tables and columns, quoted; of the manifest's text nothing gets into SQL.
package struct CoreDataResolver {
    private let manifest: Manifest
    private let model: CoreDataModel
    private let shape: SchemaShape

    package init(manifest: Manifest, model: CoreDataModel, shape: SchemaShape) {
        self.manifest = manifest
        self.model = model
        self.shape = shape
    }

    /// The queries of all entities that have a source, in the manifest's order; 78 for a name the store does not have.
    package func queries() throws(GodwitError) -> [CoreDataQuery] {
        var queries: [CoreDataQuery] = []
        for entity in manifest.entities {
            guard let source = entity.source else { continue }
            queries.append(try query(entity, source))
        }
        return queries
    }

    private func query(_ entity: Entity, _ source: RecordSource) throws(GodwitError) -> CoreDataQuery {
        let path = "entities.\(entity.name).source"
        let rows: CoreDataRows
        let origin: String
        switch source.origin {
        case .entity(let name, let includesSubentities):
            guard let found = model.entity(named: name) else { throw unknownEntity(name, at: path + ".entity") }
            rows = .records(found, table: found.table.flatMap { shape.table(named: $0) }, includesSubentities)
            origin = name
        case .join(let name, let relation):
            guard let owner = model.entity(named: name) else { throw unknownEntity(name, at: path + ".join") }
            rows = try pairs(owner, relation, at: path + ".join")
            origin = "\(name).\(relation)"
        }
        var selection = CoreDataSelection(rows: rows, model: model)
        var columns: [CoreDataQuery.Column] = []
        for field in source.fields where rows.hasTable {
            let first = selection.expressions.count
            let place = "\(path).fields.\(field.column)"
            for (number, part) in field.paths.enumerated() {
                let from = positionPath(place, number, of: field)
                selection.expressions.append(try expression(part, field, rows, at: from, &selection))
            }
            columns.append(.init(field: field, places: first..<selection.expressions.count))
        }
        let (sql, relations) = selection.statement
        return CoreDataQuery(
            entity: entity, sql: rows.hasTable ? sql : nil, columns: columns, relations: relations, origin: origin,
            tables: rows.tables)
    }

    private func positionPath(_ place: String, _ number: Int, of field: SourceField) -> String {
        if field.paths.count > 1 { return "\(place).from[\(number)]" }
        return manifest.positions["\(place).from"] == nil ? place : "\(place).from"
    }

    // MARK: Paths

    private func expression(
        _ path: SourcePath, _ field: SourceField, _ rows: CoreDataRows, at place: String,
        _ selection: inout CoreDataSelection
    ) throws(GodwitError) -> String {
        switch rows {
        case .pairs(let join):
            return try expression(path, join, at: place, &selection)
        case .records(let entity, let table, _):
            guard let table else { return "NULL" }
            if path.parts.count == 1 { return "s." + quoted(try column(path.parts[0], entity, table, at: place)) }
            let relation = try relation(path, entity, table, at: place)
            let target = try target(of: relation, field, at: place)
            let last = path.parts[path.parts.count - 1]
            return try behind(
                "s." + quoted(relation.column), target, last, relation.name, at: place, &selection)
        }
    }

    /// What lies behind a `Z_PK`: a column of the record that has it.
    private func behind(
        _ key: String, _ target: CoreDataEntity, _ name: String, _ relation: String, at place: String,
        _ selection: inout CoreDataSelection
    ) throws(GodwitError) -> String {
        guard let table = target.table.flatMap({ shape.table(named: $0) }) else {
            selection.watch(relation, key: key, found: "NULL")
            return "NULL"
        }
        let column = try column(name, target, table, at: place)
        func select(_ column: String) -> String {
            "(SELECT t.\(quoted(column)) FROM \(quoted(table.name)) t WHERE t.\"Z_PK\" = \(key) LIMIT 1)"
        }
        selection.watch(relation, key: key, found: select("Z_PK"))
        return select(column)
    }

    private func expression(
        _ path: SourcePath, _ join: CoreDataPairs, at place: String, _ selection: inout CoreDataSelection
    ) throws(GodwitError) -> String {
        let first = path.parts[0]
        if path.parts.count == 1 {
            let order: String? = first == "order" ? join.target.orderColumn : join.source.orderColumn
            if first == "order" || first == "inverseOrder" {
                guard let order else {
                    throw manifest.refusal(
                        of: place, "\(named(join.table.name)) keeps no order.", hint: "Leave this field out.")
                }
                return "s." + quoted(order)
            }
            if let column = join.table.columnsInFile.first(where: { $0.name.isSameName(as: first) }) {
                return "s." + quoted(column.name)
            }
        } else if path.parts.count == 2, let end = ["source": join.source, "target": join.target][first] {
            guard let entity = end.entity.flatMap({ model.entity(named: $0) }) else {
                throw manifest.refusal(of: place, "The store does not say of which entity \(named(end.column)) is.")
            }
            return try behind(
                "s." + quoted(end.column), entity, path.parts[1], "\(join.table.name) \(first)", at: place, &selection)
        }
        throw manifest.refusal(
            of: place, "\(named(path.text)) can't be read from pairs.",
            hint: "Write `source.` or `target.` and an attribute, `order`, or a column of \(named(join.table.name)).")
    }

    private func target(
        of relation: CoreDataRelation, _ field: SourceField, at place: String
    ) throws(GodwitError) -> CoreDataEntity {
        if let name = field.target {
            guard let entity = model.entity(named: name) else {
                throw unknownEntity(name, at: place.hasSuffix(".from") ? String(place.dropLast(5)) + ".entity" : place)
            }
            return entity
        }
        if let entity = relation.target.flatMap({ model.entity(named: $0) }) { return entity }
        let namesakes = model.entities.filter { $0.name.isSameName(as: relation.name) }
        if namesakes.count == 1 { return namesakes[0] }
        throw manifest.refusal(
            of: place, "The store does not say where the relation \(named(relation.name)) leads.",
            hint: "Name the entity, as in `{ from: \(relation.name).id, entity: Workout }`.")
    }

    private func relation(
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
                of: place, "\(named(entity.name)) has no column for the relation \(named(path.parts[0] + "." + name)).",
                hint: "Such a path is for a to-many relation whose model has no relation back.")
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
            of: place, "\(named(entity.name)) has no to-one relation \(named(name)) in this store.",
            hint: hidden.isEmpty
                ? NearestName.hint(for: name, among: names) : "Several entities have one; write `Entity.\(name).…`.")
    }

    /// The column of an attribute, a relation, or by its own name, as `Z_PK` and `Z_FOK_PARENT` are.
    private func column(
        _ name: String, _ entity: CoreDataEntity, _ table: TableShape, at place: String
    ) throws(GodwitError) -> String {
        let columns = table.columnsInFile
        if name.utf8.first == UInt8(ascii: "Z"), let found = columns.first(where: { $0.name.isSameName(as: name) }) {
            return found.name
        }
        var properties: [(name: String, column: String, isSure: Bool)] = []
        for attribute in entity.attributes {
            properties.append((attribute.name, attribute.column, attribute.kind != nil))
        }
        for relation in entity.relations where !relation.isHiddenInverse {
            properties.append((relation.name, relation.column, relation.evidence == .model))
        }
        let found =
            properties.first { $0.name.utf8.elementsEqual(name.utf8) }
            ?? properties.first { $0.name.isSameName(as: name) || $0.column.isSameName(as: name.coreDataName) }
        guard let found else {
            throw manifest.refusal(
                of: place, "\(named(entity.name)) has no attribute \(named(name)) in this store.",
                hint: NearestName.hint(for: name, among: properties.map(\.name))
                    ?? "It has \(properties.prefix(10).map { named($0.name) }.joined(separator: ", ")).")
        }
        // In a table that several entities share, properties of one name have numbers, and nothing says whose is which.
        let isShared = model.entities.filter { $0.table == entity.table }.count > 1
        let namesakes = columns.map(\.name).filter { $0.isSameName(asNumbered: found.column) }
        guard found.isSure || !isShared || namesakes.count == 1 else {
            throw manifest.refusal(
                of: place, "\(named(name)) of \(named(entity.name)) may be any of \(list(namesakes)).",
                hint: "Write the column itself, as in `from: \(namesakes[0])`.")
        }
        return found.column
    }

    // MARK: Pairs

    private func pairs(
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
                    ? "\(named(owner.name)) has no many-to-many relation \(named(relation)) in this store."
                    : "\(named(owner.name + "." + relation)) may be any of \(list(chosen.map(\.table.name))).",
                hint: NearestName.hint(for: "\(owner.name).\(relation)", among: known)
                    ?? (known.isEmpty ? "The store has none." : "The store has \(list(known))."))
        }
        return .pairs(chosen[0])
    }

    private func list(_ names: [String]) -> String { names.prefix(10).map { named($0) }.joined(separator: ", ") }

    private func unknownEntity(_ name: String, at place: String) -> GodwitError {
        let names = model.entities.map(\.name)
        return manifest.refusal(
            of: place, "The Core Data store has no entity \(named(name)).",
            hint: NearestName.hint(for: name, among: names) ?? "It has \(list(names)).")
    }
}

/// A join table, seen from one of its sides.
struct CoreDataPairs {
    let table: TableShape
    let source: CoreDataJoinEnd
    let target: CoreDataJoinEnd
}

/// What the rows of a query are.
enum CoreDataRows {
    case records(CoreDataEntity, table: TableShape?, Bool)
    case pairs(CoreDataPairs)

    var tables: [String] {
        switch self {
        case .records(_, let table, _): table.map { [$0.name] } ?? []
        case .pairs(let join): [join.table.name]
        }
    }

    var hasTable: Bool {
        if case .records(_, nil, _) = self { return false }
        return true
    }
}

/// A SELECT in the making.
struct CoreDataSelection {
    let rows: CoreDataRows
    let model: CoreDataModel
    var expressions: [String] = []
    private var watched: [(name: String, key: String, found: String)] = []

    init(rows: CoreDataRows, model: CoreDataModel) {
        self.rows = rows
        self.model = model
    }

    /// Has a relation looked at, once, however many fields lead over it.
    mutating func watch(_ name: String, key: String, found: String) {
        if !watched.contains(where: { $0.key == key && $0.found == found }) { watched.append((name, key, found)) }
    }

    /// The statement, with the relations that are looked at behind the fields.
    var statement: (sql: String, relations: [CoreDataQuery.Relation]) {
        var all = expressions
        var relations: [CoreDataQuery.Relation] = []
        for watched in watched {
            relations.append(.init(name: watched.name, named: all.count, found: all.count + 1))
            all += [watched.key, watched.found]
        }
        let list = all.joined(separator: ", ")
        switch rows {
        case .pairs(let join):
            let order = [join.source.column, join.target.column].map { "s." + quoted($0) }.joined(separator: ", ")
            return ("SELECT \(list) FROM \(quoted(join.table.name)) s ORDER BY \(order)", relations)
        case .records(let entity, let table, let includesSubentities):
            var sql = "SELECT \(list) FROM \(quoted(table?.name ?? "")) s"
            if table?.column(named: "Z_ENT") != nil {
                let numbers =
                    includesSubentities
                    ? model.family(of: entity.name).map(\.number)
                    : model.entities.filter { $0.name == entity.name }.map(\.number)
                sql += " WHERE s.\"Z_ENT\" IN (\(numbers.map { "\($0)" }.joined(separator: ", ")))"
            }
            if table?.column(named: "Z_PK") != nil { sql += " ORDER BY s.\"Z_PK\"" }
            return (sql, relations)
        }
    }
}
