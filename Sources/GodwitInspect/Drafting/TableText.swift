internal import GodwitSQLite

/// The text of a CREATE TABLE, from which constraints can be removed, so that a cloud store accepts all records of the
/// local store.
///
/// Grammar: <https://sqlite.org/lang_createtable.html>. Text that cannot be recognized with certainty stays.
package struct TableText {
    /// A constraint of the table or of one of its columns.
    package struct Constraint: Equatable {
        package enum Kind: Equatable {
            /// Columns and the table to which they refer, as written except for case.
            case reference(columns: [String], parent: String)
            /// The words between the parentheses.
            case check([String])
        }

        package let kind: Kind
        /// The words of the constraint, including its name.
        fileprivate let words: Range<Int>
    }

    private let sql: String
    private let tokens: SQLTokens
    private let bytes: [UInt8]
    package private(set) var constraints: [Constraint] = []

    package init(_ sql: String) {
        self.sql = sql
        tokens = SQLTokens(sql)
        bytes = Array(sql.utf8)
        readConstraints()
    }

    /// The text without these constraints.
    package func without(_ removed: [Constraint]) -> String {
        var cut = bytes
        for constraint in removed.sorted(by: { $0.words.lowerBound > $1.words.lowerBound }) {
            guard let range = byteRange(of: constraint) else { continue }
            cut.removeSubrange(range)
        }
        return String(decoding: cut, as: UTF8.self)
    }

    /// The bytes of a constraint, with the comma that would remain without it.
    private func byteRange(of constraint: Constraint) -> Range<Int>? {
        guard let last = constraint.words.last else { return nil }
        var start = tokens.places[constraint.words.lowerBound].lowerBound
        let before = constraint.words.lowerBound - 1
        let leavesComma = before >= 0 && isWord(",", before) && (isWord(",", last + 1) || isWord(")", last + 1))
        if leavesComma { start = tokens.places[before].lowerBound }
        return start..<tokens.places[last].upperBound
    }

    // MARK: Reading

    /// Whether a word is this symbol or keyword, not a quoted name.
    private func isWord(_ word: String, _ index: Int) -> Bool {
        guard tokens.words.indices.contains(index), tokens.words[index] == word else { return false }
        return ![0x22, 0x27, 0x5B, 0x60].contains(bytes[tokens.places[index].lowerBound])
    }

    private mutating func readConstraints() {
        guard let open = tokens.words.indices.first(where: { isWord("(", $0) }), let close = end(of: open) else {
            return
        }
        var start = open + 1
        while start < close {
            let end = nextComma(from: start, before: close)
            readPart(start..<end)
            start = end + 1
        }
    }

    /// The parenthesis that closes the one at an index.
    private func end(of open: Int) -> Int? {
        guard isWord("(", open) else { return nil }
        var depth = 0
        for index in tokens.words.indices[open...] {
            if isWord("(", index) { depth += 1 }
            if isWord(")", index) { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private func nextComma(from start: Int, before close: Int) -> Int {
        var index = start
        while index < close, !isWord(",", index) { index = (end(of: index) ?? index) + 1 }
        return min(index, close)
    }

    /// Reads a column with its constraints, or constraints of the table, which may follow each other without a comma.
    private mutating func readPart(_ part: Range<Int>) {
        let ofTable = ["constraint", "primary", "unique", "check", "foreign"].contains { isWord($0, part.lowerBound) }
        var index = ofTable ? part.lowerBound : part.lowerBound + 1
        while index < part.upperBound {
            let named = isWord("constraint", index) && index + 2 < part.upperBound
            let start = named && !isWord("constraint", index + 2) ? index + 2 : index
            if let (kind, end) = read(at: start, part, column: ofTable ? nil : tokens.words[part.lowerBound]) {
                constraints.append(Constraint(kind: kind, words: index..<end))
                index = end
            } else {
                index = start > index ? start : (end(of: index) ?? index) + 1
            }
        }
    }

    private func read(at index: Int, _ part: Range<Int>, column: String?) -> (Constraint.Kind, Int)? {
        if isWord("check", index), let close = end(of: index + 1) {
            return (.check(Array(tokens.words[(index + 2)..<close])), close + 1)
        }
        if isWord("foreign", index), isWord("key", index + 1), let close = end(of: index + 2),
            isWord("references", close + 1)
        {
            let columns = tokens.words[(index + 3)..<close].filter { $0 != "," }
            return reference(from: Array(columns), at: close + 1, part)
        }
        guard let column, isWord("references", index) else { return nil }
        return reference(from: [column], at: index, part)
    }

    private func reference(from columns: [String], at index: Int, _ part: Range<Int>) -> (Constraint.Kind, Int)? {
        guard index + 1 < part.upperBound else { return nil }
        let parent = tokens.words[index + 1]
        var next = index + 2
        if let close = end(of: next) { next = close + 1 }
        while next < part.upperBound {
            if isWord("on", next) {
                // ON DELETE CASCADE, ON UPDATE SET NULL, ON DELETE NO ACTION
                next += isWord("set", next + 2) || isWord("no", next + 2) ? 4 : 3
            } else if isWord("match", next) {
                next += 2
            } else if isWord("deferrable", next) || isWord("not", next) && isWord("deferrable", next + 1) {
                next += isWord("not", next) ? 2 : 1
                if isWord("initially", next) { next += 2 }
            } else {
                break
            }
        }
        return (.reference(columns: columns, parent: parent), min(next, part.upperBound))
    }
}
