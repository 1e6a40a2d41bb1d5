package import GodwitModel

extension SQLiteConnection {
    /// The tables of the store, sorted by name, and the names of everything that is not a plain table.
    ///
    /// Omits tables of SQLite and Godwit. Reads only the schema and runs nothing of it.
    package func readShape() throws(GodwitError) -> SchemaShape {
        var shape = SchemaShape()
        let rows = try rows("SELECT type, name, sql, rootpage, tbl_name FROM sqlite_schema ORDER BY name")
        var virtual: [(name: String, sql: String)] = []
        for row in rows {
            let (type, name, sql, table) = (row[0].readable, row[1].readable, row[2].readable, row[4].readable)
            let isPlain = row[3] != .integer(0)
            // Triggers and views with such names are included, because neither SQLite nor Godwit makes any.
            if isPlain, name.hasPrefix("sqlite_") || table.lowercased().hasPrefix(ReservedNames.tablePrefix) {
                continue
            }
            switch type {
            case "trigger":
                shape.triggers.append(name)
                let text = SQLTokens(sql).words.joined(separator: " ")
                shape.code.insert(SchemaCode(.trigger, name: name, table: table, text: text))
            case "view": shape.views.append(name)
            // A virtual table has no page of its own.
            case "table" where !isPlain:
                shape.virtualTables.append(name)
                virtual.append((name, sql))
            case "table":
                shape.tables.append(try readTable(name, options: Self.options(of: sql)))
                for text in SQLTokens(sql).tableCode {
                    shape.code.insert(SchemaCode(.table, name: name, table: name, text: text))
                }
            case "index":
                guard let text = SQLTokens(sql).indexCode else { continue }
                shape.code.insert(SchemaCode(.index, name: name, table: table, text: text))
            default: break
            }
        }
        if virtual.contains(where: { !VirtualModule(of: $0.sql).isPresent }) {
            shape.extensions = try ShadowTables(of: virtual, among: shape.tables.map(\.name), self).extensions
        }
        return shape
    }

    /// Whether a plain table of this name exists.
    package func hasTable(_ name: String) throws(GodwitError) -> Bool {
        try first(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [.string(name)]) != nil
    }

    /// The words after a table's last parenthesis, in lower case: `strict`, `without`, `rowid`.
    ///
    /// `PRAGMA table_list` returns the same, but first it opens every virtual table of the store, runs their modules,
    /// and fails if one is missing: <https://sqlite.org/pragma.html#pragma_table_list>.
    private static func options(of sql: String) -> [String] {
        let end = sql.utf8.lastIndex(of: 0x29).map { sql[$0...] } ?? ""
        return end.split { !$0.isLetter }.map { $0.lowercased() }
    }

    private func readTable(_ name: String, options: [String]) throws(GodwitError) -> TableShape {
        let columns = try rows("PRAGMA table_xinfo(\(quoted(name)))").map { row in
            ColumnShape(
                name: row[1].readable, type: row[2] == .null ? "" : row[2].readable, isNotNull: row[3] == .integer(1),
                defaultSQL: row[4] == .null ? nil : row[4].readable, primaryKeyIndex: Int(row[5].readable) ?? 0,
                isGenerated: row[6] == .integer(2) || row[6] == .integer(3), isVirtual: row[6] == .integer(2))
        }
        return TableShape(
            name: name, columns: columns, isWithoutRowid: options.contains("rowid"),
            isStrict: options.contains("strict"))
    }

    /// The number of records by any index, which may be wrong: for progress, and for the size of a search.
    package func estimateRecords(of table: String) throws(GodwitError) -> Int64 {
        do throws(GodwitError) {
            if case .integer(let count)? = try first("SELECT count(*) FROM \(quoted(table))") { return count }
            // It may be an index in an order that only the app knows.
        } catch  where error.isFinding {}
        return try countRecords(of: table)
    }

    package func countRecords(of table: String) throws(GodwitError) -> Int64 {
        let access = try access(to: table)
        // For `count(*)`, SQLite may read any index of a table WITHOUT ROWID.
        let function = access.hasPrefix(" INDEXED") ? "count(1)" : "count(*)"
        guard case .integer(let count)? = try first("SELECT \(function) FROM \(quoted(table))\(access)") else {
            return 0
        }
        return count
    }
}
