internal import GodwitModel
internal import GodwitSQLite

/// Checks of a table that its own records break: older records, or written with checks turned off.
package struct BrokenChecks: Sendable, Equatable {
    /// The words of each check, as `TableText` reads them.
    package var checks: [[String]] = []
    /// Number of records that break a check.
    package var records: Int64 = 0

    package init() {}
}

/// Inserts each record of a table into an empty in-memory table that has only the checks, and deletes it again.
///
/// Only checks with comparisons or simple SQLite functions are tried, so that other code of a foreign store never runs.
struct CheckTrial {
    let connection: SQLiteConnection
    let table: TableShape
    let made: SchemaStatement
    let limits: InspectionLimits

    /// Functions that always finish soon with a small result: <https://sqlite.org/lang_corefunc.html>.
    ///
    /// `instr` is not one of them: it compares one text at each offset of the other.
    private static let plainFunctions: Set<String> = [
        "length", "typeof", "lower", "upper", "abs", "substr", "coalesce", "ifnull", "nullif", "round", "date", "time",
        "datetime", "julianday", "strftime", "json_valid", "unicode",
    ]
    /// Functions that finish soon only with one argument, when they remove spaces.
    private static let trims: Set<String> = ["trim", "ltrim", "rtrim"]

    /// Whether every function in a check finishes soon.
    private static func isPlain(_ words: [String]) -> Bool {
        SQLTokens.functions(in: words).subtracting(trims).isSubset(of: plainFunctions)
            && words.indices.allSatisfy { !trims.contains(words[$0]) || !hasSeveralArguments(words[($0 + 1)...]) }
    }

    /// Whether the parentheses at the start have a comma: then every character is compared with a second text.
    private static func hasSeveralArguments(_ words: ArraySlice<String>) -> Bool {
        var depth = 0
        for word in words {
            if word == "(" { depth += 1 }
            if word == ")" { depth -= 1 }
            if depth <= 0 { return false }
            if depth == 1, word == "," { return true }
        }
        return false
    }

    func brokenChecks() throws(GodwitError) -> BrokenChecks {
        let text = TableText(made.sql)
        let checks = text.constraints.filter { constraint in
            guard case .check(let words) = constraint.kind else { return false }
            return Self.isPlain(words)
        }
        guard !checks.isEmpty, !table.columns.contains(where: \.isGenerated) else { return BrokenChecks() }
        var broken = BrokenChecks()
        broken.records = try countRefused(text, by: checks)
        guard broken.records > 0 else { return broken }
        for check in checks where try countRefused(text, by: [check]) > 0 {
            if case .check(let words) = check.kind { broken.checks.append(words) }
        }
        return broken
    }

    /// Number of records that a table with only these constraints rejects; 0 if no such table can be created.
    private func countRefused(
        _ text: TableText, by kept: [TableText.Constraint]
    ) throws(GodwitError) -> Int64 {
        let memory = try MemoryStore(stage: .inspect)
        let sql = text.without(text.constraints.filter { !kept.contains($0) })
        guard memory.takes(made.with(sql: sql)) else { return 0 }
        let columns = table.storedColumns.map { quoted($0.name) }.joined(separator: ", ")
        let placeholders = table.storedColumns.map { _ in "?" }.joined(separator: ", ")
        let source = try connection.prepare(
            "SELECT \(columns) FROM \(connection.source(table.name)) LIMIT \(limits.records)")
        let insertion = try memory.connection.prepare(
            "INSERT INTO \(quoted(table.name))(\(columns)) VALUES (\(placeholders))")
        let removal = try memory.connection.prepare("DELETE FROM \(quoted(table.name))")
        var refused: Int64 = 0
        while try source.step() {
            for index in table.storedColumns.indices { try insertion.bind(column: index, of: source, at: index + 1) }
            do throws(GodwitError) {
                try insertion.run()
                try removal.run()
            } catch {
                guard error.code == .data else { throw error }
                refused += 1
                insertion.reset()
            }
        }
        return refused
    }
}
