internal import GodwitModel
internal import GodwitSQLite

/// Properties with the same name in a table that several entities share, and their columns.
///
/// Nothing in the schema shows which of `ZTITLE`, `ZTITLE1`, `ZTITLE2` belongs to which entity, but the rows do: a
/// column with a value in a record of an entity belongs to a property of that entity.
/// Each column belongs to one property, and each property that is not transient has a column. So if all others are
/// known, the last one is known too. If two columns are possible for one property, both stay unassigned, because a
/// wrong name would be worse than a column name.
package struct CoreDataNamesakes: Equatable {
    /// A property that may own any of the columns.
    package struct Property: Equatable {
        /// The entity with the property; its descendants have it too.
        package let owner: String
        /// The numbers of that entity and of its descendants.
        package let family: Set<Int64>
        /// The type of its column in `CREATE TABLE`; nil if the kind is unknown.
        package let declaredType: String?
        /// The target entity of a relation, if the archive contains it.
        package let target: String?

        package init(owner: String, family: Set<Int64>, declaredType: String? = nil, target: String? = nil) {
            (self.owner, self.family, self.declaredType, self.target) = (owner, family, declaredType, target)
        }
    }

    /// A column that one of the properties owns.
    package struct Column: Equatable {
        package let name: String
        package let declaredType: String
        /// The target entity, from the column next to it (`Z7_OWNER1`).
        package let target: String?

        package init(name: String, declaredType: String, target: String? = nil) {
            (self.name, self.declaredType, self.target) = (name, declaredType, target)
        }
    }

    /// The common name, in upper case.
    package let name: String
    package let properties: [Property]
    package let columns: [Column]

    package init(name: String, properties: [Property], columns: [Column]) {
        (self.name, self.properties, self.columns) = (name, properties, columns)
    }

    /// The index in `properties` of each column's owner, by column name; without unknown owners.
    ///
    /// - Parameter users: for each column, the numbers of entities whose records have a value in it.
    package func owners(users: [String: Set<Int64>]) -> [String: Int] {
        // A transient property has no column. If there are more columns than properties, the model does not know all
        // properties.
        guard columns.count <= properties.count else { return properties.count == 1 ? ownerAlone(users: users) : [:] }
        var possible = columns.map { column in
            Set(properties.indices.filter { mayHold(properties[$0], column, users[column.name] ?? []) })
        }
        var found: [String: Int] = [:]
        while let (column, property) = nextCertain(possible) {
            found[columns[column].name] = property
            for other in possible.indices { possible[other].remove(property) }
            possible[column] = []
        }
        // If a column cannot belong to any property, the rows were written with another model.
        let hasContradiction = columns.indices.contains { possible[$0].isEmpty && found[columns[$0].name] == nil }
        return hasContradiction ? [:] : found
    }

    /// The column of the only known property with this name, if there are more columns.
    ///
    /// It is the column with exactly that name, unless rows of other entities have values there; otherwise the only
    /// column with values in records of its entities.
    private func ownerAlone(users: [String: Set<Int64>]) -> [String: Int] {
        let possible = columns.filter { mayHold(properties[0], $0, users[$0.name] ?? []) }
        let exact = possible.first { $0.name.isSameName(as: "Z" + name) }
        let used = possible.filter { users[$0.name]?.isEmpty == false }
        guard let column = exact ?? (used.count == 1 ? used[0] : nil) else { return [:] }
        return [column.name: 0]
    }

    private func mayHold(_ property: Property, _ column: Column, _ users: Set<Int64>) -> Bool {
        guard users.isSubset(of: property.family) else { return false }
        if let target = property.target, let seen = column.target, target != seen { return false }
        return property.declaredType.map { column.declaredType.isSameName(as: $0) } ?? true
    }

    /// A column with only one possible property, or a property with only one possible column.
    private func nextCertain(_ possible: [Set<Int>]) -> (column: Int, property: Int)? {
        for (column, choices) in possible.enumerated() where choices.count == 1 {
            return choices.first.map { (column, $0) }
        }
        guard columns.count == properties.count else { return nil }
        for property in properties.indices {
            let columns = possible.indices.filter { possible[$0].contains(property) }
            if columns.count == 1 { return (columns[0], property) }
        }
        return nil
    }
}

extension CoreDataAttributeKind {
    /// Core Data's type in `CREATE TABLE` for an attribute of this kind; nil if it may vary.
    var declaredType: String? {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: "INTEGER"
        case .decimal: "DECIMAL"
        case .double, .float: "FLOAT"
        case .string, .uri: "VARCHAR"
        case .date: "TIMESTAMP"
        case .binary, .uuid, .transformable: "BLOB"
        case .undefined, .objectID, .composite: nil
        }
    }
}

extension SQLiteConnection {
    /// For each column, the numbers of entities whose records have a value in it.
    func readUsers(of columns: [String], in table: String) throws(GodwitError) -> [String: Set<Int64>] {
        guard !columns.isEmpty else { return [:] }
        let cursor = try prepare(
            "SELECT Z_ENT, \(Self.presence(of: columns)) FROM \(source(table)) GROUP BY Z_ENT")
        var users: [String: Set<Int64>] = [:]
        while try cursor.step() {
            // A record without a number belongs to no entity.
            guard cursor.type(0) == .integer else { continue }
            for (place, column) in columns.enumerated() where cursor.integer(place + 1) > 0 {
                users[column, default: []].insert(cursor.integer(0))
            }
        }
        return users
    }

    /// SQL that is 1 for each column if a row has a value in it; long values are not read.
    static func presence(of columns: [String]) -> String {
        columns.map { "max(\(quoted($0)) IS NOT NULL)" }.joined(separator: ", ")
    }
}
