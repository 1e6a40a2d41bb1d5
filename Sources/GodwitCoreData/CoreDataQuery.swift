package import GodwitModel
internal import GodwitSQLite

/// A query for the records of one entity in a Core Data store: one SELECT, and the meaning of its columns.
package struct CoreDataQuery: Sendable {
    package let entity: Entity
    /// Nil if the store has no table for the entity, and so no records.
    let sql: String?
    let columns: [Column]
    let relations: [Relation]
    /// The Core Data entity, or the relation of a join, in messages.
    package let origin: String
    /// The table of the records, if there is one.
    package let tables: [String]
    /// Columns of that table that fields read, directly or to follow a relation.
    package let read: Set<String>

    /// One column of the manifest's entity.
    struct Column: Sendable {
        let field: SourceField
        /// Indexes of its values in a row of the result.
        let places: Range<Int>
    }

    /// A relation in a path; used to find references to missing records.
    struct Relation: Sendable {
        let name: String
        /// Index of the `Z_PK` in the record.
        let named: Int
        /// Index of the same `Z_PK` in the other table; its value is NULL if that record is missing.
        let found: Int
    }
}

/// A join table, from the view of one of its sides.
struct CoreDataPairs {
    let table: TableShape
    let source: CoreDataJoinEnd
    let target: CoreDataJoinEnd
}

/// The kind of rows that a query returns.
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

/// A SELECT statement that is being built.
struct CoreDataSelection {
    let rows: CoreDataRows
    let model: CoreDataModel
    var expressions: [String] = []
    /// Columns of the records' own table that are read.
    private(set) var read: Set<String> = []
    private var watched: [(name: String, key: String, found: String)] = []

    init(rows: CoreDataRows, model: CoreDataModel) {
        (self.rows, self.model) = (rows, model)
    }

    mutating func own(_ column: String) -> String {
        read.insert(column)
        return "s." + quoted(column)
    }

    /// Adds a relation to check, once for any number of fields that follow it.
    mutating func watch(_ name: String, key: String, found: String) {
        if !watched.contains(where: { $0.key == key && $0.found == found }) { watched.append((name, key, found)) }
    }

    /// The statement, with the relations to check after the fields.
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
            return ("SELECT \(list) FROM \(quoted(join.table.name)) s NOT INDEXED ORDER BY \(order)", relations)
        case .records(let entity, let table, let includesSubentities):
            var sql = "SELECT \(list) FROM \(quoted(table?.name ?? "")) s NOT INDEXED"
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
