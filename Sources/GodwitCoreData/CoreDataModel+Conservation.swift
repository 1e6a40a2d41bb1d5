internal import GodwitModel
internal import GodwitSQLite

/// Keeps all columns with data: names come from a cache that may be older than the store, but the data does not.
///
/// Invariant: every column with a value in a record of an entity is one of its attributes or relations, or the order of
/// one, if necessary under the column's own name. So data that a manifest does not read is reported by name as left
/// behind.
extension CoreDataModel {
    /// By table: the columns that at least one of its entities has no property for.
    func columnsWithoutProperty(in shape: SchemaShape) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for (name, kinds) in Dictionary(grouping: entities, by: \.table) {
            guard let name, let table = shape.table(named: name) else { continue }
            let had = kinds.map { Set($0.columns.map(\.column)) }
            let columns = table.columnsInFile.filter { column in
                column.holdsData && had.contains { !$0.contains(column.name) }
            }
            if !columns.isEmpty { found[name] = columns.map(\.name) }
        }
        return found
    }

    /// The same model with an attribute for each used column that an entity has no property for.
    ///
    /// - Parameter users: for each column of a table, the numbers of entities whose records have a value in it.
    func conserving(_ users: [String: [String: Set<Int64>]], in shape: SchemaShape) -> CoreDataModel {
        var model = self
        model.entities = entities.map { entity in
            guard let name = entity.table, let users = users[name], let table = shape.table(named: name) else {
                return entity.withoutRepeatedNames
            }
            let had = Set(entity.columns.map(\.column))
            let missing = table.columnsInFile.filter { column in
                !had.contains(column.name) && users[column.name]?.contains(entity.number) == true
            }
            return entity.adding(missing, named: missing.isEmpty ? [:] : namesOfColumns(in: name)).withoutRepeatedNames
        }
        return model
    }

    /// The names that other entities of a table give its columns.
    private func namesOfColumns(in table: String) -> [String: String] {
        let named = entities.filter { $0.table == table }.flatMap { entity in
            entity.attributes.filter { $0.kind != nil }.map { ($0.column, $0.name) }
                + entity.relations.filter { $0.evidence == .model }.map { ($0.column, $0.name) }
        }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }
}

extension CoreDataEntity {
    /// The name of an attribute without a property: SQLite permits a column without a name, a report does not.
    private static func name(of column: String) -> String { column.isEmpty ? "(no name)" : column }

    /// The same entity with columns as attributes of unknown kind, by the names of the columns.
    fileprivate func adding(_ columns: [ColumnShape], named names: [String: String]) -> CoreDataEntity {
        var all = attributes
        for column in columns {
            let name = names[column.name] ?? CoreDataColumn(column.name).attributeName ?? Self.name(of: column.name)
            all.append(CoreDataAttribute(name: name, column: column.name, declaredType: column.type))
        }
        return CoreDataEntity(
            name: self.name, number: number, superNumber: superNumber, superName: superName, table: table, count: count,
            highestKey: highestKey, attributes: all, relations: relations)
    }

    /// The same entity with unique property names: if a name is repeated, attributes that are known only by their
    /// column get the column's name.
    var withoutRepeatedNames: CoreDataEntity {
        var taken = Set(attributes.filter { $0.kind != nil }.map(\.name.foldedName))
        taken.formUnion(relations.filter { $0.evidence == .model }.map(\.name.foldedName))
        let unique = attributes.map { attribute in
            guard attribute.kind == nil, !taken.insert(attribute.name.foldedName).inserted else { return attribute }
            return CoreDataAttribute(
                name: Self.name(of: attribute.column), column: attribute.column, declaredType: attribute.declaredType)
        }
        return CoreDataEntity(
            name: name, number: number, superNumber: superNumber, superName: superName, table: table, count: count,
            highestKey: highestKey, attributes: unique, relations: relations)
    }
}

extension ColumnShape {
    /// Whether a column of an entity's table may contain data of the app; the others are Core Data's own numbers.
    fileprivate var holdsData: Bool {
        guard !isGenerated else { return false }
        switch CoreDataColumn(name) {
        case .recordKey, .entityNumber, .changeCount, .targetNumber: return false
        case .order, .hiddenInverse, .property, .foreign: return true
        }
    }
}

extension CoreDataColumn {
    /// The name of an attribute that is known only by its column.
    fileprivate var attributeName: String? {
        switch self {
        case .property(let name): name.lowercased()
        case .order(let name): "fok_" + name.lowercased()
        default: nil
        }
    }
}

extension SQLiteConnection {
    /// Adds properties for columns with data that the model has no property for.
    func conserving(_ model: CoreDataModel, _ shape: SchemaShape) throws(GodwitError) -> CoreDataModel {
        var users: [String: [String: Set<Int64>]] = [:]
        for (name, columns) in model.columnsWithoutProperty(in: shape) {
            if shape.table(named: name)?.column(named: "Z_ENT") != nil {
                users[name] = try readUsers(of: columns, in: name)
                continue
            }
            // A table without entity numbers belongs to one entity.
            let owners = Set(model.entities.filter { $0.table == name && $0.count > 0 }.map(\.number))
            let values = try rows("SELECT \(Self.presence(of: columns)) FROM \(source(name))").first ?? []
            users[name] = Dictionary(
                zip(columns, values).filter { $0.1 == .integer(1) }.map { ($0.0, owners) },
                uniquingKeysWith: { first, _ in first })
        }
        return model.conserving(users, in: shape)
    }
}
