package import GodwitModel

extension SQLiteConnection {
    /// The tables of the store without SQLite's own and without Godwit's, sorted by name; names of all that is not a
    /// plain table apart. Reads the schema only, so nothing of it is run.
    package func readShape() throws(GodwitError) -> SchemaShape {
        var shape = SchemaShape()
        let rows = try rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
        for row in rows {
            let (type, name, sql) = (row[0].readable, row[1].readable, row[2].readable)
            if name.hasPrefix("sqlite_") || name.hasPrefix(Bookkeeping.prefix) { continue }
            switch type {
            case "trigger": shape.triggers.append(name)
            case "view": shape.views.append(name)
            case "table" where sql.lowercased().hasPrefix("create virtual"): shape.virtualTables.append(name)
            case "table": shape.tables.append(try readTable(name))
            default: break
            }
        }
        return shape
    }

    /// Whether a plain table of this name is there.
    package func hasTable(_ name: String) throws(GodwitError) -> Bool {
        try first("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [.string(name)]) != nil
    }

    private func readTable(_ name: String) throws(GodwitError) -> TableShape {
        let list = try rows("PRAGMA table_list(\(quoted(name)))").first { $0[0] == .string("main") }
        let columns = try rows("PRAGMA table_xinfo(\(quoted(name)))").map { row in
            ColumnShape(
                name: row[1].readable, type: row[2] == .null ? "" : row[2].readable, isNotNull: row[3] == .integer(1),
                defaultSQL: row[4] == .null ? nil : row[4].readable, primaryKeyPlace: Int(row[5].readable) ?? 0,
                isGenerated: row[6] == .integer(2) || row[6] == .integer(3))
        }
        return TableShape(
            name: name, columns: columns, isWithoutRowid: list?[4] == .integer(1), isStrict: list?[5] == .integer(1))
    }

    /// Records of a table.
    package func countRecords(of table: String) throws(GodwitError) -> Int64 {
        guard case .integer(let count)? = try first("SELECT count(*) FROM \(quoted(table))") else { return 0 }
        return count
    }
}
