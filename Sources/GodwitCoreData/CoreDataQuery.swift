package import GodwitModel
internal import GodwitSQLite

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
    /// Columns of that table which fields read, be it to follow them.
    package let read: Set<String>

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
    /// Columns of the records' own table that are read.
    private(set) var read: Set<String> = []
    private var watched: [(name: String, key: String, found: String)] = []

    init(rows: CoreDataRows, model: CoreDataModel) {
        self.rows = rows
        self.model = model
    }

    /// A column of the records' own table, as SQL.
    mutating func own(_ column: String) -> String {
        read.insert(column)
        return "s." + quoted(column)
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
