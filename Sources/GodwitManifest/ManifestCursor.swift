internal import GodwitModel

/// A position in a manifest's text that moves over blanks, comments and scalars by libyaml's rules.
struct ManifestCursor {
    let text: [Unicode.Scalar]
    private(set) var index = 0
    private(set) var position = SourcePosition.start

    init(_ text: [Unicode.Scalar]) { self.text = text }

    /// The character at the cursor; valid only after `skipToToken` returned true.
    var current: Unicode.Scalar { text[index] }

    mutating func advance() {
        guard index < text.count else { return }
        position.pass(text[index], after: index > 0 ? text[index - 1] : nil)
        index += 1
    }

    /// Whether a blank, a line break or the end is this many characters after the cursor.
    func isBlank(after distance: Int = 0) -> Bool { isBlank(at: index + distance) }

    private func isBlank(at index: Int) -> Bool {
        guard index < text.count else { return true }
        return text[index] == " " || text[index] == "\t" || text[index] == "\n" || text[index] == "\r"
    }

    /// Whether `---` or `...` is at the start of this line, followed by a blank or the end.
    var isAtDocumentMark: Bool {
        guard position.column == 1, index + 2 < text.count, text[index] == "-" || text[index] == "." else {
            return false
        }
        return text[index + 1] == text[index] && text[index + 2] == text[index] && isBlank(after: 3)
    }

    /// Skips blanks, line breaks and comments; false at the end of the text.
    mutating func skipToToken() -> Bool {
        while index < text.count {
            if text[index] == "#" {
                while index < text.count, text[index] != "\n", text[index] != "\r" { advance() }
            } else if isBlank() {
                advance()
            } else {
                return true
            }
        }
        return false
    }

    /// Skips a quoted scalar and returns its text; nil if it has escapes or several lines.
    mutating func readQuoted() -> String? {
        let quote = current
        let line = position.line
        let first = index + 1
        var isPlainToSee = true
        advance()
        while index < text.count {
            if text[index] == "\\", quote == "\"" {
                isPlainToSee = false
                advance()
            } else if text[index] == quote {
                guard quote == "'", index + 1 < text.count, text[index + 1] == "'" else { break }
                isPlainToSee = false
                advance()
            }
            advance()
        }
        let content = isPlainToSee && position.line == line ? string(first..<index) : nil
        advance()
        return content
    }

    /// Skips a plain scalar and returns its text; nil if it, or the blanks after it, have several lines.
    ///
    /// It ends before `: `, before ` #`, in a flow collection before an indicator, and before a line that is not
    /// indented deeper than the enclosing block collection.
    mutating func readPlain(indentation: Int, isInFlow: Bool) -> String? {
        let line = position.line
        let first = index
        advance()
        var end = index
        while index < text.count {
            while index < text.count, !isBlank(), !endsPlain(isInFlow: isInFlow) {
                advance()
                end = index
            }
            guard index < text.count, isBlank() else { break }
            while index < text.count, isBlank() { advance() }
            guard index < text.count, text[index] != "#", !isAtDocumentMark else { break }
            guard isInFlow || position.column > indentation else { break }
        }
        return position.line == line ? string(first..<end) : nil
    }

    private func endsPlain(isInFlow: Bool) -> Bool {
        switch text[index] {
        case ":": isBlank(after: 1)
        case ",", "[", "]", "{", "}": isInFlow
        default: false
        }
    }

    private func string(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: text[range])
        return String(view)
    }
}
