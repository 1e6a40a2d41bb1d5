internal import CSQLiteShim

/// The first SQLite version with a piece of syntax or a function: <https://sqlite.org/changes.html>.
package struct SyntaxVersion: Sendable, Comparable, CustomStringConvertible {
    private let major: Int
    private let minor: Int
    private let patch: Int

    private init(_ minor: Int, _ patch: Int = 0) { (major, self.minor, self.patch) = (3, minor, patch) }

    /// The SQLite of this process.
    package static let current = SyntaxVersion(number: sqlite3_libversion_number())

    /// Reads SQLite's version number: `3040001` for 3.40.1.
    package init(number: Int32) {
        (major, minor, patch) = (Int(number) / 1_000_000, Int(number) / 1000 % 1000, Int(number) % 1000)
    }

    /// For example `3.44` or `3.8.2`.
    package var description: String { "\(major).\(minor)" + (patch > 0 ? ".\(patch)" : "") }

    package static func < (one: SyntaxVersion, other: SyntaxVersion) -> Bool {
        (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
    }

    /// The first version that can read a statement; nil if nothing shows that `current` is too old.
    ///
    /// It includes only what `current` is known to lack: the statement may need a later version for another reason.
    package static func needed(for sql: String, current: SyntaxVersion = .current) -> SyntaxVersion? {
        let text = StatementText(sql)
        let found =
            sequences.filter { text.contains($0.words) }.map(\.version)
            + text.functions.compactMap { functions[$0] } + text.marks
        return found.max().flatMap { $0 > current ? $0 : nil }
    }

    /// The first version with a function of SQLite's own, if `current` lacks it.
    package static func needed(forFunction name: String, current: SyntaxVersion = .current) -> SyntaxVersion? {
        functions[name.lowercased()].flatMap { $0 > current ? $0 : nil }
    }

    /// Keywords in sequence.
    private static let sequences: [(words: [String], version: SyntaxVersion)] = [
        (["without", "rowid"], SyntaxVersion(8, 2)), (["do", "nothing"], SyntaxVersion(24)),
        (["do", "update", "set"], SyntaxVersion(24)), (["over", "("], SyntaxVersion(25)),
        (["nulls", "first"], SyntaxVersion(30)), (["nulls", "last"], SyntaxVersion(30)),
        (["filter", "(", "where"], SyntaxVersion(30)), (["generated", "always", "as"], SyntaxVersion(31)),
        (["as", "materialized", "("], SyntaxVersion(35)), (["not", "materialized", "("], SyntaxVersion(35)),
        (["drop", "column"], SyntaxVersion(35)), (["right", "join"], SyntaxVersion(39)),
        (["right", "outer", "join"], SyntaxVersion(39)), (["full", "join"], SyntaxVersion(39)),
        (["full", "outer", "join"], SyntaxVersion(39)), (["is", "distinct", "from"], SyntaxVersion(39)),
        (["is", "not", "distinct", "from"], SyntaxVersion(39)), (["within", "group", "("], SyntaxVersion(47)),
    ]

    private static let functions: [String: SyntaxVersion] = [
        "iif": SyntaxVersion(32), "unixepoch": SyntaxVersion(38), "format": SyntaxVersion(38),
        "unhex": SyntaxVersion(41), "json_error_position": SyntaxVersion(42), "octet_length": SyntaxVersion(43),
        "timediff": SyntaxVersion(43), "concat": SyntaxVersion(44), "concat_ws": SyntaxVersion(44),
        "string_agg": SyntaxVersion(44), "jsonb": SyntaxVersion(45), "jsonb_array": SyntaxVersion(45),
        "jsonb_extract": SyntaxVersion(45), "jsonb_group_array": SyntaxVersion(45),
        "jsonb_group_object": SyntaxVersion(45), "jsonb_insert": SyntaxVersion(45), "jsonb_object": SyntaxVersion(45),
        "jsonb_patch": SyntaxVersion(45), "jsonb_remove": SyntaxVersion(45), "jsonb_replace": SyntaxVersion(45),
        "jsonb_set": SyntaxVersion(45), "json_pretty": SyntaxVersion(46), "if": SyntaxVersion(48),
        "unistr": SyntaxVersion(50), "unistr_quote": SyntaxVersion(50), "jsonb_each": SyntaxVersion(51),
        "jsonb_tree": SyntaxVersion(51),
    ]

    fileprivate static let strictTables = SyntaxVersion(37)
    fileprivate static let generatedColumns = SyntaxVersion(31)
    fileprivate static let jsonOperators = SyntaxVersion(38)
    fileprivate static let returning = SyntaxVersion(35)
    fileprivate static let orderedAggregates = SyntaxVersion(44)
    fileprivate static let groupedDigits = SyntaxVersion(46)
    fileprivate static let computedRaise = SyntaxVersion(47)
}

/// The words of a statement; names in quotes are not keywords.
private struct StatementText {
    private let words: [String]
    private let ranges: [Range<Int>]

    init(_ sql: String) {
        let tokens = SQLTokens(sql)
        let bytes = Array(sql.utf8)
        words = zip(tokens.words, tokens.places).map { word, range in
            [0x22, 0x5B, 0x60].contains(bytes[range.lowerBound]) ? "\"\(word)\"" : word
        }
        ranges = tokens.places
    }

    func contains(_ sequence: [String]) -> Bool {
        words.indices.contains { words[$0...].starts(with: sequence) }
    }

    var functions: Set<String> { SQLTokens.functions(in: words) }

    /// Versions of syntax that is not a fixed sequence of words.
    var marks: [SyntaxVersion] {
        var found: [SyntaxVersion] = []
        if options.contains("strict") { found.append(.strictTables) }
        if isTable, contains(["as", "("]) { found.append(.generatedColumns) }
        let operators = words.indices.dropLast().filter { words[$0] == "-" && words[$0 + 1] == ">" }
        if operators.contains(where: { ranges[$0].upperBound == ranges[$0 + 1].lowerBound }) {
            found.append(.jsonOperators)
        }
        if contains(["insert"]) || contains(["update"]) || contains(["delete"]), contains(["returning"]) {
            found.append(.returning)
        }
        if ordersArguments { found.append(.orderedAggregates) }
        if words.contains(where: Self.groupsDigits) { found.append(.groupedDigits) }
        if computesRaise { found.append(.computedRaise) }
        return found
    }

    private var isTable: Bool { words.first == "create" && words.prefix(4).contains("table") }

    /// The words after the last parenthesis of a CREATE TABLE.
    private var options: ArraySlice<String> {
        guard isTable, let end = words.lastIndex(of: ")") else { return [] }
        return words[end...]
    }

    /// Whether ORDER BY is among the arguments of a function.
    private var ordersArguments: Bool {
        var isCall: [Bool] = []
        for (index, word) in words.enumerated() {
            switch word {
            case "(": isCall.append(index > 0 && isFunction(words[index - 1]))
            case ")": _ = isCall.popLast()
            case "over" where isCall.last == true, "select" where isCall.last == true: isCall[isCall.count - 1] = false
            case "order" where isCall.last == true && words[index...].starts(with: ["order", "by"]):
                return true
            default: break
            }
        }
        return false
    }

    private func isFunction(_ word: String) -> Bool {
        !SQLTokens.functions(in: [word, "("]).isEmpty && !Self.keywordsBeforeQueries.contains(word)
    }

    /// Further keywords before a parenthesis in which older versions allow ORDER BY.
    private static let keywordsBeforeQueries: Set<String> = [
        "over", "group", "by", "exists", "materialized", "join", "on", "union", "all", "except", "intersect", "select",
        "values", "set", "having", "limit", "offset",
    ]

    /// Whether RAISE has a message that is not a plain string.
    private var computesRaise: Bool {
        words.indices.dropLast(5).contains { index in
            words[index] == "raise" && words[index + 1] == "(" && words[index + 3] == ","
                && (words[index + 5] != ")" || !(words[index + 4].hasPrefix("'") || words[index + 4].hasPrefix("\"")))
        }
    }

    /// Whether a word is a number like `1_000`.
    private static func groupsDigits(_ word: String) -> Bool {
        word.utf8.first.map { (0x30...0x39).contains($0) } == true && word.contains("_")
    }
}
