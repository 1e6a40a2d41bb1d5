package import GodwitModel

/// What an app's own migrator knows of a store: its tables, and `user_version`.
///
/// Where both Godwit's schema files and that migrator change a store, the migrator repeats what it has no note of.
package struct MigratorNotes: Sendable, Equatable {
    /// A hash of the rows of each table that has some.
    private var tables: [String: String] = [:]
    private let userVersion: Int32

    package init(of store: SQLiteConnection) throws(GodwitError) {
        userVersion = try store.readMarks().userVersion
        for table in try store.readShape().tables where table.isMigratorsOwn {
            let columns = table.columnsInFile.map { quoted($0.name) }.joined(separator: ", ")
            let rows = try store.prepare("SELECT \(columns) FROM \(quoted(table.name)) NOT INDEXED")
            while try rows.step() {
                var json = JSONBuffer(capacity: 256)
                json.append(string: tables[table.name] ?? "")
                for value in rows.row() { json.append(value) }
                tables[table.name] = sha256Hex(json.bytes)
            }
        }
    }

    /// What there is, as a person knows it: names of tables, and `user_version` where it is not 0.
    package var names: [String] { tables.keys.sorted() + (userVersion == 0 ? [] : ["user_version"]) }
}

extension SQLiteConnection {
    /// Gives a new store the tables of the app's migrator that another one has, so that the migrator goes on there.
    ///
    /// A table whose statement computes something, checks something or refers to another is left where it is.
    ///
    /// - Parameter entities: tables that the manifest speaks of, which are copied as such.
    package func carryMigratorTables(
        from source: SQLiteConnection, besides entities: [Entity]
    ) throws(GodwitError) {
        for table in try source.readShape().tables
        where table.isMigratorsOwn && !entities.contains(where: { $0.name.isSameName(as: table.name) }) {
            if try !hasTable(table.name) {
                guard try makeTable(like: table, of: source) else { continue }
            }
            try carryRows(of: table, from: source)
        }
    }

    /// Makes the table and its indexes by the statements of another store; false where these do more than that.
    private func makeTable(like table: TableShape, of source: SQLiteConnection) throws(GodwitError) -> Bool {
        let statements = try source.rows(
            """
            SELECT type, sql FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND type IN ('table', 'index')
            AND sql IS NOT NULL ORDER BY type DESC, rowid
            """, [.string(table.name)])
        for (index, statement) in statements.enumerated() {
            let (sql, words) = (statement[1].readable, Set(SQLTokens(statement[1].readable).words))
            let isPlain = words.isDisjoint(with: ["check", "references", "generated", "collate", "where", "select"])
            if index == 0 {
                guard isPlain, statement[0] == .string("table"), !table.columns.contains(where: \.isGenerated) else {
                    return false
                }
            } else if !isPlain || SQLTokens(sql).indexCode != nil {
                continue
            }
            // Runs the first statement of the text, and no other.
            let made = try prepare(sql)
            while try made.step() {}
        }
        return try hasTable(table.name)
    }

    private func carryRows(of table: TableShape, from source: SQLiteConnection) throws(GodwitError) {
        guard let own = try readShape().table(named: table.name) else { return }
        // What the schema files put there is not what the app's migrator has done.
        let made = "main." + quoted(table.name)
        try execute("DELETE FROM \(made)")
        let columns = table.columnsInFile.map(\.name).filter { own.column(named: $0)?.isGenerated == false }
        let list = columns.map(quoted).joined(separator: ", ")
        let order = table.rowidName.map { " ORDER BY \($0)" } ?? ""
        let rows = try source.prepare("SELECT \(list) FROM \(quoted(table.name)) NOT INDEXED\(order)")
        let insertion = try prepare(
            """
            INSERT INTO \(made)(\(list))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """)
        while try rows.step() {
            for index in columns.indices { try insertion.bind(column: index, of: rows, at: index + 1) }
            try insertion.run()
        }
    }
}
