internal import GodwitFiles
internal import GodwitJSON
package import GodwitModel

/// What an app's own migrator records in a store: its tables, and `user_version`.
///
/// If both Godwit's schema files and that migrator change a store, the migrator repeats every change that it has no
/// record of.
package struct MigratorNotes: Sendable, Equatable {
    /// A hash of all rows, for each table that has rows.
    private var tables: [String: String] = [:]
    private let userVersion: Int32

    package init(of store: SQLiteConnection) throws(GodwitError) {
        userVersion = try store.readMarks().userVersion
        for table in try store.readShape().tables where table.isMigratorsOwn {
            let columns = table.columnsInFile.map { quoted($0.name) }.joined(separator: ", ")
            let rows = try store.prepare("SELECT \(columns) FROM \(store.source(table.name))")
            while try rows.step() {
                var json = JSONBuffer(capacity: 256)
                json.append(string: tables[table.name] ?? "")
                for value in rows.row() { json.append(value) }
                tables[table.name] = sha256Hex(json.bytes)
            }
        }
    }

    /// Names for users: tables, and `user_version` if it is not 0.
    package var names: [String] { tables.keys.sorted() + (userVersion == 0 ? [] : ["user_version"]) }
}

extension SQLiteConnection {
    /// Copies the tables of the app's migrator to a new store, so that the migrator continues there.
    ///
    /// Omits a table that computes, checks or refers to something.
    ///
    /// - Parameter entities: tables in the manifest, which are copied as entities.
    package func carryMigratorTables(
        from source: SQLiteConnection, besides entities: [Entity]
    ) throws(GodwitError) {
        for table in try source.readShape().tables
        where table.isMigratorsOwn && !entities.contains(where: { $0.name.isSameName(as: table.name) }) {
            if try !hasTable(table.name) {
                guard let statements = try source.statements(toMake: table) else { continue }
                for statement in statements { try execute(statement) }
            }
            try carryRows(of: table, from: source)
        }
    }

    private func carryRows(of table: TableShape, from source: SQLiteConnection) throws(GodwitError) {
        guard let own = try readShape().table(named: table.name) else { return }
        // Rows that the schema files inserted are not records of the app's migrator.
        let made = "main." + quoted(table.name)
        try execute("DELETE FROM \(made)")
        let columns = table.columnsInFile.map(\.name).filter { own.column(named: $0)?.isGenerated == false }
        let list = columns.map(quoted).joined(separator: ", ")
        let order = table.rowidName.map { " ORDER BY \($0)" } ?? ""
        let rows = try source.prepare("SELECT \(list) FROM \(source.source(table.name))\(order)")
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
