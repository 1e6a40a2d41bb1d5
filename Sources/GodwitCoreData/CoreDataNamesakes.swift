internal import GodwitModel
internal import GodwitSQLite

/// Properties of one name in a table that several entities share, and the columns that hold them.
///
/// `ZTITLE`, `ZTITLE1`, `ZTITLE2`: nothing in a store says which is whose, but the rows do. A column that has a value in a
/// record of an entity is that of a property which the entity has.
///
/// Each column is one property's, and each property but a transient one has a column, so what is left over when all others
/// are told is told too.
/// Where two columns stay possible for one property, both stay nobody's: a wrong name would be worse than a bare one.
package struct CoreDataNamesakes: Equatable {
    /// A property that may have any of the columns.
    package struct Property: Equatable {
        /// The entity whose property it is; those that inherit from it have it too.
        package let owner: String
        /// The numbers of that entity and of all that inherit from it.
        package let family: Set<Int64>
        /// What `CREATE TABLE` says of its column; nil where the kind is not known, and it may be anything.
        package let declaredType: String?
        /// The entity a relation leads to, where the archive says so.
        package let target: String?

        package init(owner: String, family: Set<Int64>, declaredType: String? = nil, target: String? = nil) {
            self.owner = owner
            self.family = family
            self.declaredType = declaredType
            self.target = target
        }
    }

    /// A column that one of the properties has.
    package struct Column: Equatable {
        package let name: String
        package let declaredType: String
        /// Where the column beside it says that its records lead (`Z7_OWNER1`).
        package let target: String?

        package init(name: String, declaredType: String, target: String? = nil) {
            self.name = name
            self.declaredType = declaredType
            self.target = target
        }
    }

    /// The name that the properties share, in upper case.
    package let name: String
    package let properties: [Property]
    package let columns: [Column]

    package init(name: String, properties: [Property], columns: [Column]) {
        self.name = name
        self.properties = properties
        self.columns = columns
    }

    /// The place in `properties` of the one whose column it is, by the column's name; without those that can't be told.
    ///
    /// - Parameter users: for each column the numbers of entities whose records have a value in it.
    package func owners(users: [String: Set<Int64>]) -> [String: Int] {
        // A transient property has no column; more columns than properties are none that the model knows.
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
        // A column that is left without any property: this is not the model that the rows were written by.
        let hasContradiction = columns.indices.contains { possible[$0].isEmpty && found[columns[$0].name] == nil }
        return hasContradiction ? [:] : found
    }

    /// The column of the only property that the model knows by this name, among more of them: its own by name, unless
    /// rows of others have values there, or else the only one in which records of its entities have values.
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

    /// A column that only one property may have, or a property that only one column may be.
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
    /// What Core Data writes in `CREATE TABLE` for an attribute of this kind; nil where that is not settled.
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
    /// For each of some columns the numbers of entities whose records have a value in it.
    func readUsers(of columns: [String], in table: String) throws(GodwitError) -> [String: Set<Int64>] {
        guard !columns.isEmpty else { return [:] }
        let cursor = try prepare(
            "SELECT Z_ENT, \(Self.presence(of: columns)) FROM \(quoted(table)) GROUP BY Z_ENT")
        var users: [String: Set<Int64>] = [:]
        while try cursor.step() {
            // What has no number is no entity's, and tells of none.
            guard cursor.type(0) == .integer else { continue }
            for (place, column) in columns.enumerated() where cursor.integer(place + 1) > 0 {
                users[column, default: []].insert(cursor.integer(0))
            }
        }
        return users
    }

    /// For each column 1 where a row has a value in it, in SQL; long values are not read for that.
    static func presence(of columns: [String]) -> String {
        columns.map { "max(\(quoted($0)) IS NOT NULL)" }.joined(separator: ", ")
    }
}
