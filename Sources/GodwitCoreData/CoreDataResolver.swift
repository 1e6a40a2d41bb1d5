package import GodwitModel
internal import GodwitSQLite

/// Converts the manifest's description of a Core Data store to queries.
///
/// SQL contains only names of the store's own tables and columns, quoted, and no text of the manifest.
package struct CoreDataResolver {
    let manifest: Manifest
    let model: CoreDataModel
    let shape: SchemaShape

    package init(manifest: Manifest, model: CoreDataModel, shape: SchemaShape) {
        (self.manifest, self.model, self.shape) = (manifest, model, shape)
    }

    /// The queries of all entities with a source, in the order of the manifest; throws 78 for a name that the store
    /// does not have.
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
            tables: rows.tables, read: selection.read)
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
            if path.parts.count == 1 { return selection.own(try column(path.parts[0], entity, table, at: place)) }
            // The name of a part of a composite attribute is `property.part`.
            let part = entity.attributes.first { $0.kind != nil && $0.name.utf8.elementsEqual(path.text.utf8) }
            if let part { return selection.own(part.column) }
            let relation = try relation(path, entity, table, at: place)
            let target = try target(of: relation, field, at: place)
            let last = path.parts[path.parts.count - 1]
            return try behind(
                selection.own(relation.column), target, last, relation.name, at: place, &selection)
        }
    }

    /// A column of the record with a given `Z_PK`.
    private func behind(
        _ key: String, _ target: CoreDataEntity, _ name: String, _ relation: String, at place: String,
        _ selection: inout CoreDataSelection
    ) throws(GodwitError) -> String {
        // A table without `Z_PK`, which only damage leaves, has no record that a reference could name.
        guard let table = target.table.flatMap({ shape.table(named: $0) }), table.column(named: "Z_PK") != nil else {
            selection.watch(relation, key: key, found: "NULL")
            return "NULL"
        }
        let column = try column(name, target, table, at: place)
        // A record that belongs to no entity is not read, so a reference to it counts as missing.
        let isKnown = model.conditionOfKnown(in: table).map { " AND t.\($0)" } ?? ""
        func select(_ column: String) -> String {
            "(SELECT t.\(quoted(column)) FROM \(quoted(table.name)) t NOT INDEXED WHERE t.\"Z_PK\" = \(key)\(isKnown) LIMIT 1)"
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
                        of: place, "\(named(join.table.name)) stores no order", hint: "Remove this field.")
                }
                return "s." + quoted(order)
            }
            if let column = join.table.columnsInFile.first(where: { $0.name.isSameName(as: first) }) {
                return "s." + quoted(column.name)
            }
        } else if path.parts.count == 2, let end = ["source": join.source, "target": join.target][first] {
            guard let entity = end.entity.flatMap({ model.entity(named: $0) }) else {
                throw manifest.refusal(of: place, "the store does not state the entity of \(named(end.column))")
            }
            return try behind(
                "s." + quoted(end.column), entity, path.parts[1], "\(join.table.name) \(first)", at: place, &selection)
        }
        throw manifest.refusal(
            of: place, "\(named(path.text)) can't be read from pairs",
            hint: "Write `source.` or `target.` and an attribute, `order`, or a column of \(named(join.table.name)).")
    }
}
