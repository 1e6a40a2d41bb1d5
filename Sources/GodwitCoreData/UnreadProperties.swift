package import GodwitModel
package import GodwitSQLite

/// Attributes and relations with values that no field reads, of an entity whose records are copied.
///
/// This finds properties that a newer version of the app's model has added.
package struct UnreadProperties: Sendable, Equatable {
    package let entity: String
    /// Each with the number of records that have a value other than 0, which is Core Data's default.
    package let properties: [Property]

    package struct Property: Sendable, Equatable {
        package let name: String
        package let count: Int64
    }
}

extension SQLiteConnection {
    /// The unread properties of entities that queries read, in the order of their columns.
    package func readUnreadProperties(
        of model: CoreDataModel, in shape: SchemaShape, besides queries: [CoreDataQuery]
    ) throws(GodwitError) -> [UnreadProperties] {
        var found: [UnreadProperties] = []
        for entity in model.entities where entity.count > 0 {
            guard let table = entity.table, let read = Self.columnsRead(of: entity, in: model, by: queries) else {
                continue
            }
            let left = entity.columns.filter { property in !read.contains { $0.isSameName(as: property.column) } }
            guard !left.isEmpty else { continue }
            let counts = left.map { "count(nullif(\(quoted($0.column)), 0))" }.joined(separator: ", ")
            let isNumbered = shape.table(named: table)?.column(named: "Z_ENT") != nil
            let values = try rows(
                "SELECT \(counts) FROM \(source(table))" + (isNumbered ? " WHERE \(quoted("Z_ENT")) = ?" : ""),
                isNumbered ? [.integer(entity.number)] : [])
            let properties = zip(left, values.first ?? []).compactMap { property, value -> UnreadProperties.Property? in
                guard case .integer(let count) = value, count > 0 else { return nil }
                return .init(name: property.name, count: count)
            }
            if !properties.isEmpty { found.append(UnreadProperties(entity: entity.name, properties: properties)) }
        }
        return found
    }

    /// All columns of an entity that queries read; nil if none reads its records.
    private static func columnsRead(
        of entity: CoreDataEntity, in model: CoreDataModel, by queries: [CoreDataQuery]
    ) -> Set<String>? {
        var read: Set<String>?
        for query in queries {
            guard case .entity(let name, let includesSubentities)? = query.entity.source?.origin else { continue }
            let isRead = model.family(of: name).contains {
                $0.number == entity.number && (includesSubentities || $0.name == name)
            }
            if isRead { read = (read ?? []).union(query.read) }
        }
        return read
    }
}

extension CoreDataEntity {
    /// Columns with data of the app, by name: attributes, relations, and indexes in ordered relations.
    var columns: [(name: String, column: String)] {
        attributes.map { ($0.name, $0.column) }
            + relations.flatMap { relation in
                [(relation.name, relation.column)] + (relation.orderColumn.map { [($0, $0)] } ?? [])
            }
    }
}
