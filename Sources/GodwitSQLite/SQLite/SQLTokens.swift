/// The words of a statement in SQLite's schema table, so that two statements can be compared in any layout.
///
/// Comments and spaces are removed. Names lose their quotes (ALTER TABLE adds some) and their case. Strings keep their
/// quotes and do not change. Rules: <https://sqlite.org/lang.html>, tokenize.c.
package struct SQLTokens: Sendable {
    package let words: [String]
    /// The range of each word, in bytes of UTF-8 and with its quotes.
    package let places: [Range<Int>]
    /// Whether the text ends inside a comment, which would include any text that is appended.
    package let endsInComment: Bool

    package init(_ sql: String) {
        var scanner = Scanner(rest: Array(sql.utf8)[...])
        var words: [String] = []
        var places: [Range<Int>] = []
        while let word = scanner.next() {
            words.append(word)
            places.append(scanner.start..<scanner.rest.startIndex)
        }
        (self.words, self.places) = (words, places)
        endsInComment = scanner.isInComment
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>
        /// Offset of the last word.
        private(set) var start = 0
        private(set) var isInComment = false

        init(rest: ArraySlice<UInt8>) { self.rest = rest }

        /// The next word; nil at the end.
        mutating func next() -> String? {
            skipSpaceAndComments()
            start = rest.startIndex
            guard let first = rest.first else { return nil }
            switch first {
            case 0x27: return text(quoted(until: 0x27), between: "'")
            case 0x22, 0x60: return text(quoted(until: first)).lowercased()
            case 0x5B: return text(bracketed()).lowercased()
            case _ where Self.isPartOfName(first):
                let name = rest.prefix { Self.isPartOfName($0) }
                rest = rest.dropFirst(name.count)
                return text(Array(name)).lowercased()
            default:
                rest = rest.dropFirst()
                return text([first])
            }
        }

        private mutating func skipSpaceAndComments() {
            while let first = rest.first {
                if first <= 0x20 {
                    rest = rest.dropFirst()
                } else if rest.starts(with: Array("--".utf8)) {
                    rest = rest.drop { $0 != 0x0A }
                    isInComment = rest.isEmpty
                } else if rest.starts(with: Array("/*".utf8)) {
                    rest = rest.dropFirst(2)
                    while !rest.isEmpty, !rest.starts(with: Array("*/".utf8)) { rest = rest.dropFirst() }
                    isInComment = rest.isEmpty
                    rest = rest.dropFirst(2)
                } else {
                    return
                }
            }
        }

        /// The text between quotes; a doubled quote represents one.
        private mutating func quoted(until quote: UInt8) -> [UInt8] {
            var bytes: [UInt8] = []
            rest = rest.dropFirst()
            while let byte = rest.popFirst() {
                if byte == quote {
                    guard rest.first == quote else { return bytes }
                    rest = rest.dropFirst()
                }
                bytes.append(byte)
            }
            return bytes
        }

        private mutating func bracketed() -> [UInt8] {
            let inside = rest.dropFirst().prefix { $0 != 0x5D }
            rest = rest.dropFirst(inside.count + 2)
            return Array(inside)
        }

        private func text(_ bytes: [UInt8], between quote: String = "") -> String {
            quote + String(decoding: bytes, as: UTF8.self) + quote
        }

        private static func isPartOfName(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x80...0xFF: true
            default: false
            }
        }
    }
}
