package import GodwitModel

extension SQLiteConnection {
    /// The statements that create a migrator's table and its indexes in another store; nil if it does more than store
    /// values.
    ///
    /// They are written only from SQLite's description of the table: text that a store contains is never run. Partial
    /// indexes and indexes on expressions are omitted.
    package func statements(toMake table: TableShape) throws(GodwitError) -> [String]? {
        let text = try rows(
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [.string(table.name)])
        let words = Set(SQLTokens(text.first?[0].readable ?? "").words)
        guard words.isDisjoint(with: Self.wordsOfRules), !table.columns.contains(where: \.isGenerated) else {
            return nil
        }
        let key = table.columns.filter { $0.primaryKeyIndex > 0 }.sorted { $0.primaryKeyIndex < $1.primaryKeyIndex }
        var parts: [String] = []
        for column in table.columns {
            guard var part = Self.declaration(of: column, inStrict: table.isStrict) else { return nil }
            // Only a key of one column, declared with the column, can be the rowid:
            // https://sqlite.org/lang_createtable.html#rowid
            if key == [column] { part += " PRIMARY KEY" + (words.contains("autoincrement") ? " AUTOINCREMENT" : "") }
            parts.append(part)
        }
        if key.count > 1 { parts.append("PRIMARY KEY(\(key.map { quoted($0.name) }.joined(separator: ", ")))") }
        let indexes = try plainIndexes(of: table.name)
        parts += indexes.filter { !$0.hasName }.map { "UNIQUE(\($0.columns))" }
        let options = [table.isStrict ? "STRICT" : nil, table.isWithoutRowid ? "WITHOUT ROWID" : nil].compactMap { $0 }
        let name = quoted(table.name)
        return ["CREATE TABLE \(name)(\(parts.joined(separator: ", ")))\(options.joined(separator: ", "))"]
            + indexes.filter(\.hasName).map {
                "CREATE \($0.isUnique ? "UNIQUE " : "")INDEX \(quoted($0.name)) ON \(name)(\($0.columns))"
            }
    }

    /// Words of rules about rows that the shape of the table does not include.
    private static let wordsOfRules: Set<String> = ["check", "references", "generated", "collate", "conflict", "desc"]

    /// A column without its part in a key; nil if its DEFAULT is an unknown expression.
    private static func declaration(of column: ColumnShape, inStrict isStrict: Bool) -> String? {
        var text = quoted(column.name) + " " + column.plainType(inStrict: isStrict)
        if column.isNotNull { text += " NOT NULL" }
        guard let expression = column.defaultSQL else { return text }
        guard let known = column.constantDefault ?? moment(expression) else { return nil }
        return text + " DEFAULT \(known)"
    }

    /// The known expression of the present time that is equal to a DEFAULT; nil for any other.
    private static func moment(_ text: String) -> String? {
        let words = SQLTokens(text).words.filter { !["(", ")"].contains($0) }
        return moments.first { SQLTokens($0).words.filter { !["(", ")"].contains($0) } == words }
    }

    /// As migrators write them; SQLite accepts functions only in parentheses.
    private static let moments = [
        "CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME", "(datetime('now'))", "(date('now'))", "(unixepoch())",
        "(datetime('now','localtime'))", "(strftime('%s','now'))", "(strftime('%Y-%m-%d %H:%M:%f','now'))",
        "(strftime('%Y-%m-%dT%H:%M:%fZ','now'))", "(CAST(strftime('%s','now') AS INTEGER))",
    ]

    private struct PlainIndex {
        let name: String
        let isUnique: Bool
        /// Whether CREATE INDEX made it; otherwise it is a UNIQUE constraint of the table.
        let hasName: Bool
        /// Quoted, with commas.
        let columns: String
    }

    /// The indexes of whole columns, except the one of the primary key.
    private func plainIndexes(of table: String) throws(GodwitError) -> [PlainIndex] {
        var indexes: [PlainIndex] = []
        // seq, name, unique, origin, partial: https://sqlite.org/pragma.html#pragma_index_list
        for index in try rows("PRAGMA index_list(\(quoted(table)))").reversed() where index[4] == .integer(0) {
            guard index[3] != .string("pk") else { continue }
            // seqno, cid (-2: an expression), name, desc, coll, key: https://sqlite.org/pragma.html#pragma_index_xinfo
            let columns = try rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))").filter { $0[5] == .integer(1) }
            guard columns.allSatisfy({ $0[2] != .null && $0[3] == .integer(0) && $0[4] == .string("BINARY") }) else {
                continue
            }
            indexes.append(
                PlainIndex(
                    name: index[1].readable, isUnique: index[2] == .integer(1), hasName: index[3] == .string("c"),
                    columns: columns.map { quoted($0[2].readable) }.joined(separator: ", ")))
        }
        return indexes
    }
}

extension ColumnShape {
    /// The declared type if it consists of words and lengths; otherwise one of the same affinity.
    fileprivate func plainType(inStrict isStrict: Bool) -> String {
        let isPlain = type.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == UInt8(ascii: "_")
                || " (,)".utf8.contains(byte)
        }
        return isPlain ? type : affinity(inStrict: isStrict).typeName
    }
}
