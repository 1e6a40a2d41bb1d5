/// The parts of a schema that SQLite evaluates or runs when records are written.
extension SQLTokens {
    /// In a CREATE TABLE: generated columns, checks and defaults that call a function, and references that cascade
    /// deletions and updates.
    ///
    /// An operator only compares or computes; a function may belong to the app and do anything.
    package var tableCode: [String] {
        var found: [String] = []
        // The table's own name may be any word.
        for index in words.indices.dropFirst(3) {
            switch words[index] {
            case "check", "default", "as":
                guard let inside = parentheses(at: index + 1),
                    words[index] == "as" || Self.callsFunction(inside[...])
                else { continue }
                found.append(words[index] + " " + inside.joined(separator: " "))
            case "references":
                let reference = words[index...].prefix { ![",", "check", "default", "as"].contains($0) }
                let acts = ["cascade", "set"].contains { reference.contains($0) }
                if acts { found.append(reference.joined(separator: " ")) }
            default: break
            }
        }
        return found
    }

    /// In a CREATE INDEX: everything from ON, if it calls a function; nil if it only names columns and compares.
    package var indexCode: String? {
        // `create [unique] index name on table ( … )`: the name may be any word, even `on`.
        guard let index = words.firstIndex(of: "index"), words.count > index + 4,
            words[index + 4] == "("
        else { return words.joined(separator: " ") }
        return Self.callsFunction(words[(index + 4)...]) ? words[(index + 2)...].joined(separator: " ") : nil
    }

    /// Whether a name that is not a keyword is before a parenthesis, or an operator that calls a function of the app.
    private static func callsFunction(_ words: ArraySlice<String>) -> Bool {
        if words.contains("regexp") || words.contains("match") { return true }
        return zip(words, words.dropFirst()).contains { word, next in
            next == "(" && isName(word) && !keywordsBeforeParentheses.contains(word)
        }
    }

    /// Names before a parenthesis, as in a function call, and the operators `regexp` and `match`, which call functions.
    package static func functions(in words: [String]) -> Set<String> {
        var found = Set(words.filter { $0 == "regexp" || $0 == "match" })
        for (word, next) in zip(words, words.dropFirst())
        where next == "(" && isName(word) && !keywordsBeforeParentheses.contains(word) {
            found.insert(word)
        }
        return found
    }

    private static let keywordsBeforeParentheses: Set<String> = [
        "in", "and", "or", "not", "check", "default", "as", "case", "when", "then", "else", "between", "like", "glob",
        "is",
        "escape", "cast", "where", "null", "from", "distinct",
    ]

    /// Quoted names may contain anything; a single symbol is not a name.
    private static func isName(_ word: String) -> Bool {
        word.utf8.contains { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...0xFF: true
            default: false
            }
        } && !word.hasPrefix("'")
    }

    /// The words from an opening parenthesis to the one that closes it; nil if no parenthesis is at this index.
    private func parentheses(at start: Int) -> [String]? {
        guard words.indices.contains(start), words[start] == "(" else { return nil }
        var depth = 0
        for index in words[start...].indices {
            if words[index] == "(" { depth += 1 }
            if words[index] == ")" { depth -= 1 }
            if depth == 0 { return Array(words[start...index]) }
        }
        return Array(words[start...])
    }
}
