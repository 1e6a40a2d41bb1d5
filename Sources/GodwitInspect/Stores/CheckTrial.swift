internal import GodwitModel
internal import GodwitSQLite

/// Checks of a table that its own records break: they were there before it, or SQLite was told to look away.
package struct BrokenChecks: Sendable, Equatable {
    /// The words of each, as `TableText` reads them.
    package var checks: [[String]] = []
    /// Records that break one of them.
    package var records: Int64 = 0

    package init() {}
}

/// Puts each record of a table into an empty one in memory that has its checks and nothing else, and takes it out again.
///
/// Only checks that compare, or call functions which are SQLite's own and do little, are tried: nothing of a foreign
/// store that could do more is run.
struct CheckTrial {
    let connection: SQLiteConnection
    let table: TableShape
    let made: SchemaStatement
    let limits: InspectionLimits

    /// Functions that always come to an end soon and make nothing large: <https://sqlite.org/lang_corefunc.html>.
    ///
    /// `instr` is none of them: it compares the one text at each place of the other.
    private static let plainFunctions: Set<String> = [
        "length", "typeof", "lower", "upper", "abs", "substr", "coalesce", "ifnull", "nullif", "round", "date", "time",
        "datetime", "julianday", "strftime", "json_valid", "unicode",
    ]
    /// Likewise, but only where they take away space.
    private static let trims: Set<String> = ["trim", "ltrim", "rtrim"]

    /// Whether each function in a check always comes to an end soon.
    private static func isPlain(_ words: [String]) -> Bool {
        SQLTokens.functions(in: words).subtracting(trims).isSubset(of: plainFunctions)
            && words.indices.allSatisfy { !trims.contains(words[$0]) || !hasSeveralArguments(words[($0 + 1)...]) }
    }

    /// Whether there is a comma between the parenthesis that words begin with and the one that closes it: what is
    /// trimmed is then compared with every character of a second text.
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

    /// Records that a table with these constraints alone refuses; 0 where none can be made of it.
    private func countRefused(
        _ text: TableText, by kept: [TableText.Constraint]
    ) throws(GodwitError) -> Int64 {
        let memory = try MemoryStore(stage: .inspect)
        let sql = text.without(text.constraints.filter { !kept.contains($0) })
        guard memory.takes(made.with(sql: sql)) else { return 0 }
        let columns = table.storedColumns.map { quoted($0.name) }.joined(separator: ", ")
        let places = table.storedColumns.map { _ in "?" }.joined(separator: ", ")
        let source = try connection.prepare("SELECT \(columns) FROM \(quoted(table.name)) LIMIT \(limits.records)")
        let insertion = try memory.connection.prepare(
            "INSERT INTO \(quoted(table.name))(\(columns)) VALUES (\(places))")
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
