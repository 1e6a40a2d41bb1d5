package import GodwitModel
internal import CSQLiteShim

/// Inserts rows into one table, or updates one, in the presence of the app's conflict clauses.
///
/// The clause of a statement overrides those of its table, and those of all statements in triggers that it fires:
/// <https://sqlite.org/lang_createtrigger.html>.
/// Invariants: the clause of a trigger's own statement is effective. No row is deleted or omitted because a constraint
/// of the table says REPLACE or IGNORE; such a conflict is an error, as for every other table.
package struct ConflictClauses: Sendable {
    private let table: TableShape
    /// Whether the table has triggers; without triggers, each statement has the clause `OR ABORT`.
    private let hasTriggers: Bool
    /// Whether the table has triggers and its constraints have clauses, so that each conflict must be detected before.
    private let isGuarded: Bool
    /// If it is guarded: the columns of each unique constraint, each with its collation.
    private let uniqueColumns: [[(name: String, collation: String)]]

    package init(of table: TableShape, in connection: SQLiteConnection) throws(GodwitError) {
        self.table = table
        hasTriggers = try connection.hasTriggers(on: table.name)
        isGuarded = hasTriggers ? try connection.hasConflictClauses(table.name) : false
        uniqueColumns = try isGuarded ? connection.uniqueColumns(of: table) : []
    }

    /// An INSERT of one row.
    package func insertion(of columns: [String], into name: String) -> String {
        let values = columns.map { _ in "?" }.joined(separator: ", ")
        let text = "\(name)(\(columns.joined(separator: ", "))) VALUES (\(values))"
        guard hasTriggers else { return "INSERT OR ABORT INTO " + text }
        // An upsert clause is not the conflict clause of the statement, and precedes REPLACE:
        // <https://sqlite.org/lang_upsert.html>.
        return "INSERT INTO " + text + (isGuarded ? " ON CONFLICT DO NOTHING" : "")
    }

    /// Throws (65) if the last insertion omitted its row.
    package func requireInserted(by connection: SQLiteConnection) throws(GodwitError) {
        guard isGuarded, connection.changedRows == 0 else { return }
        throw conflict("UNIQUE constraint failed: \(table.name), or a trigger left the row out", connection)
    }

    /// Updates one row.
    ///
    /// - Parameters:
    ///   - columns: names of the columns that get the values.
    ///   - condition: identifies the row, with one parameter for each value of `identity`.
    package func update(
        _ columns: [String], to values: [Value], where condition: String, _ identity: [Value],
        in connection: SQLiteConnection
    ) throws(GodwitError) {
        let assignments = columns.map { "\(quoted($0)) = ?" }.joined(separator: ", ")
        for unique in uniqueColumns {
            try requireFree(unique, columns, values, where: condition, identity, connection)
        }
        try connection.execute(
            "UPDATE \(hasTriggers ? "" : "OR ABORT ")\(quoted(table.name)) SET \(assignments) WHERE \(condition)",
            values + identity)
        guard isGuarded, connection.changedRows == 0 else { return }
        throw conflict("constraint failed: a clause of \(table.name), or a trigger, left the row as it was", connection)
    }

    /// Throws (65) if another row already has the new values.
    private func requireFree(
        _ unique: [(name: String, collation: String)], _ columns: [String], _ values: [Value],
        where condition: String, _ identity: [Value], _ connection: SQLiteConnection
    ) throws(GodwitError) {
        var terms: [String] = []
        var bound: [Value] = []
        var isChanged = false
        for (name, collation) in unique {
            let column = quoted(name)
            if let index = columns.firstIndex(where: { $0.isSameName(as: name) }) {
                isChanged = true
                terms.append("\(column) = ? COLLATE \(quoted(collation))")
                bound.append(values[index])
            } else {
                let current = "SELECT \(column) FROM \(try connection.source(table.name)) WHERE \(condition)"
                terms.append("\(column) = (\(current)) COLLATE \(quoted(collation))")
                bound += identity
            }
        }
        guard isChanged else { return }
        let other = try connection.first(
            "SELECT 1 FROM \(connection.source(table.name)) WHERE \(terms.joined(separator: " AND ")) AND NOT (\(condition))",
            bound + identity)
        guard other != nil else { return }
        let names = unique.map { "\(table.name).\($0.name)" }.joined(separator: ", ")
        throw conflict("UNIQUE constraint failed: \(names)", connection)
    }

    private func conflict(_ text: String, _ connection: SQLiteConnection) -> GodwitError {
        .sqlite(SQLITE_CONSTRAINT, text, name: connection.name, stage: connection.stage)
    }
}

extension SQLiteConnection {
    fileprivate func hasTriggers(on table: String) throws(GodwitError) -> Bool {
        for schema in isOfApp ? ["main.sqlite_master", "sqlite_temp_master"] : ["main.sqlite_master"] {
            let found = try first(
                "SELECT 1 FROM \(schema) WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE", [.string(table)])
            if found != nil { return true }
        }
        return false
    }

    fileprivate func hasConflictClauses(_ table: String) throws(GodwitError) -> Bool {
        let sql = try first(
            "SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE", [.string(table)])
        let words = SQLTokens(sql?.readable ?? "").words
        return zip(words, words.dropFirst()).contains { $0 == "on" && $1 == "conflict" }
    }

    /// The columns of each unique constraint of a table.
    ///
    /// Indexes that CREATE INDEX made have no conflict clauses, so they are not included.
    fileprivate func uniqueColumns(
        of table: TableShape
    ) throws(GodwitError) -> [[(name: String, collation: String)]] {
        var found: [[(name: String, collation: String)]] = []
        // seq, name, unique, origin, partial: https://sqlite.org/pragma.html#pragma_index_list
        let indexes = try rows("PRAGMA index_list(\(quoted(table.name)))").filter { $0[2] == .integer(1) }
        for index in indexes where index[3] != .string("c") {
            // seqno, cid, name, desc, coll, key: https://sqlite.org/pragma.html#pragma_index_xinfo
            found.append(
                try rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))").filter { $0[5] == .integer(1) }
                    .map { ($0[2].readable, $0[4].readable) })
        }
        // A column that is the rowid has no index.
        let key = table.columns.filter { $0.primaryKeyIndex > 0 }
        if key.count == 1, !indexes.contains(where: { $0[3] == .string("pk") }) {
            found.append([(key[0].name, "BINARY")])
        }
        return found
    }
}
