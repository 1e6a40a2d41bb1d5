/// What of a schema SQLite computes or carries out when records are written.
extension SQLTokens {
    /// Of a CREATE TABLE: generated columns, checks and defaults that call a function, and references that carry deletes
    /// and updates on.
    ///
    /// An operator does nothing but compare or compute; a function may be anybody's, and do anything.
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

    /// Of a CREATE INDEX: the whole from ON, where it calls a function; nil where it only names columns and compares.
    package var indexCode: String? {
        // `create [unique] index name on table ( … )`: the name may be any word, `on` among them.
        guard let index = words.firstIndex(of: "index"), words.count > index + 4,
            words[index + 4] == "("
        else { return words.joined(separator: " ") }
        return Self.callsFunction(words[(index + 4)...]) ? words[(index + 2)...].joined(separator: " ") : nil
    }

    /// Whether a name stands before a parenthesis and is no keyword that may stand there; two operators are functions
    /// that an app has to bring along.
    private static func callsFunction(_ words: ArraySlice<String>) -> Bool {
        if words.contains("regexp") || words.contains("match") { return true }
        return zip(words, words.dropFirst()).contains { word, next in
            next == "(" && isName(word) && !keywordsBeforeParentheses.contains(word)
        }
    }

    /// Names that stand before a parenthesis, as a function's does; `regexp` and `match` are functions as well.
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

    /// Names may hold anything in quotes; a lone mark that no name needs is no name.
    private static func isName(_ word: String) -> Bool {
        word.utf8.contains { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...0xFF: true
            default: false
            }
        } && !word.hasPrefix("'")
    }

    /// The words from an opening parenthesis to the one that closes it, both included; nil where none opens.
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
