internal import GodwitModel

/// Checks a manifest before the YAML parser, so that the parser gets nothing unsafe.
///
/// Invariant: for any text that libyaml accepts, this scan begins and ends each token where libyaml does (it follows
/// `yaml_parser_fetch_next_token` of libyaml 0.2.5). If libyaml stops with an error, the scan may give any result. So
/// the scan finds every anchor, alias and tag, it counts the nesting that the parser builds, and a text that passes
/// cannot expand (aliases), overflow the stack (nesting) or hide a second document.
///
/// Block scalars (`|`, `>`) are rejected too: no value in a manifest has several lines.
struct ManifestScan {
    private let file: String
    private var cursor: ManifestCursor
    /// The open collections, outermost first.
    private var levels: [Level] = []
    /// The scalar or collection that a following `:` would make a key.
    private var candidate: Key?
    private var hasContent = false
    private var hasEnded = false

    static let maxNesting = 64

    private struct Level {
        enum Kind { case blockList, blockMapping, flowList, flowMapping }
        let kind: Kind
        let start: SourcePosition
        /// The keys so far with their positions.
        var keys: [String: SourcePosition] = [:]

        var isFlow: Bool { kind == .flowList || kind == .flowMapping }
        var isMapping: Bool { kind == .blockMapping || kind == .flowMapping }
    }

    private struct Key {
        let start: SourcePosition
        /// nil for a collection and for text with escapes or several lines; the parser compares those keys.
        let text: String?
    }

    private init(_ text: ManifestText) {
        file = text.file
        cursor = ManifestCursor(text.scalars)
    }

    /// Throws at the first part that is not allowed in a manifest.
    static func check(_ text: ManifestText) throws(GodwitError) {
        var scan = ManifestScan(text)
        while scan.cursor.skipToToken() { try scan.readToken() }
    }

    private var isInFlow: Bool { levels.last?.isFlow ?? false }

    /// The column of the innermost block collection; 0 outside of all.
    private var indentation: Int { levels.last { !$0.isFlow }?.start.column ?? 0 }

    private mutating func readToken() throws(GodwitError) {
        let start = cursor.position
        if !isInFlow {
            while let last = levels.last, last.start.column > start.column { levels.removeLast() }
        }
        if try readDocumentMark() { return }
        guard !hasEnded else { throw secondDocument() }
        hasContent = true
        let isBeforeBlank = cursor.isBlank(after: 1)
        switch cursor.current {
        case "[": try openFlow(.flowList)
        case "{": try openFlow(.flowMapping)
        case "]", "}": closeFlow()
        case ",": pass()
        case "-" where isBeforeBlank:
            try openBlock(.blockList, at: start)
            pass()
        case "?" where isInFlow || isBeforeBlank:
            throw refusal("a key marked with `?` is not allowed", hint: "Write `key: value`.")
        case ":" where isInFlow || isBeforeBlank: try readColon()
        case "*", "&", "!": throw indirection()
        case "|" where !isInFlow, ">" where !isInFlow:
            throw refusal("text of several lines is not allowed", hint: "Write it in one line, in quotes.")
        case "\"", "'": candidate = Key(start: start, text: cursor.readQuoted())
        default:
            let text = cursor.readPlain(indentation: indentation, isInFlow: isInFlow)
            candidate = Key(start: start, text: text)
        }
    }

    /// Skips an indicator; nothing before it can be a key.
    private mutating func pass() {
        candidate = nil
        cursor.advance()
    }

    private mutating func openFlow(_ kind: Level.Kind) throws(GodwitError) {
        try push(Level(kind: kind, start: cursor.position))
        pass()
    }

    private mutating func closeFlow() {
        pass()
        if isInFlow, let closed = levels.popLast() { candidate = Key(start: closed.start, text: nil) }
    }

    /// Opens a block collection if the position is deeper than the enclosing one.
    private mutating func openBlock(_ kind: Level.Kind, at start: SourcePosition) throws(GodwitError) {
        guard !isInFlow, indentation < start.column else { return }
        try push(Level(kind: kind, start: start))
    }

    private mutating func push(_ level: Level) throws(GodwitError) {
        guard levels.count < Self.maxNesting else {
            throw refusal("the manifest is nested deeper than \(Self.maxNesting) levels")
        }
        levels.append(level)
    }

    private mutating func readColon() throws(GodwitError) {
        if let key = candidate, key.start.line == cursor.position.line {
            try openBlock(.blockMapping, at: key.start)
            if let text = key.text, levels.last?.isMapping == true,
                let first = levels[levels.count - 1].keys.updateValue(key.start, forKey: text)
            {
                let level = levels[levels.count - 1]
                let isOpen = level.kind == .flowMapping && level.start.line < key.start.line
                throw .manifest(
                    file, key.start, "the key \(named(text)) is given twice; first in line \(first.line)",
                    hint: isOpen
                        ? "Close the `{` of line \(level.start.line), or remove one of the two keys."
                        : "Remove one of the two keys.")
            }
        }
        pass()
    }

    /// Reads directives, `---` and `...`; returns whether it read a mark.
    private mutating func readDocumentMark() throws(GodwitError) -> Bool {
        if cursor.position.column == 1, cursor.current == "%" {
            throw refusal("a YAML directive (`%`) is not allowed", hint: "Delete this line.")
        }
        guard cursor.isAtDocumentMark else { return false }
        if cursor.current == "." {
            hasEnded = true
        } else {
            guard !hasContent, !hasEnded else { throw secondDocument() }
            hasContent = true
        }
        levels = []
        for _ in 0..<3 { pass() }
        return true
    }
}

// MARK: - Refusals

extension ManifestScan {
    private func refusal(_ message: String, hint: String? = nil) -> GodwitError {
        .manifest(file, cursor.position, message, hint: hint)
    }

    private func secondDocument() -> GodwitError {
        refusal("a second YAML document begins here", hint: "Keep one manifest in one file.")
    }

    private func indirection() -> GodwitError {
        switch cursor.current {
        case "*": refusal("a YAML alias (`*`) is not allowed", hint: "Write the value out, or put the text in quotes.")
        case "&": refusal("a YAML anchor (`&`) is not allowed", hint: "Remove it, or put the text in quotes.")
        default: refusal("a YAML tag (`!`) is not allowed", hint: "Remove it, or put the text in quotes.")
        }
    }
}
