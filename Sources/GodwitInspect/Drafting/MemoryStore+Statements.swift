internal import GodwitSQLite
internal import GodwitModel

extension MemoryStore {
    /// Whether this store takes a statement, as a schema file of it alone.
    ///
    /// It must be one CREATE and nothing behind it: what a foreign store keeps as its schema may be anything.
    borrowing func takes(_ statement: SchemaStatement) -> Bool {
        let tokens = SQLTokens(statement.sql)
        guard tokens.words.first == "create", !["temp", "temporary"].contains(tokens.words.dropFirst().first ?? ""),
            statement.sql.utf8.count < 1 << 19, !statement.sql.utf8.contains(0),
            !tokens.endsInComment || !statement.sql.contains("/*")
        else { return false }
        do throws(GodwitError) {
            try connection.execute(statement.sql)
            return true
        } catch {
            return false
        }
    }
}

extension SchemaStatement {
    /// The same with another text.
    func with(sql: String) -> SchemaStatement {
        SchemaStatement(type: type, name: name, table: table, sql: sql, isVirtual: isVirtual)
    }

    /// The text as a schema file has it: nothing that comes after is part of it.
    var inFile: String { sql + (SQLTokens(sql).endsInComment ? "\n;" : ";") }
}
