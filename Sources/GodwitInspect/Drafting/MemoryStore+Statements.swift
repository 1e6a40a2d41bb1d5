internal import GodwitSQLite
internal import GodwitModel

extension MemoryStore {
    /// Whether this in-memory store accepts a statement that could be in a schema file.
    ///
    /// It must be one CREATE statement with nothing after it, because the schema of a foreign store may have any text.
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
    /// Returns the statement with another text.
    func with(sql: String) -> SchemaStatement {
        SchemaStatement(type: type, name: name, table: table, sql: sql, isVirtual: isVirtual)
    }

    /// The text for a schema file, ended so that following text is not part of it.
    var inFile: String { sql + (SQLTokens(sql).endsInComment ? "\n;" : ";") }
}
