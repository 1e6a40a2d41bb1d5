internal import GodwitModel

/// Lines of text under construction: wrapped to the style's width, with hanging indents, without trailing space.
///
/// Invariant: text enters a line only as `Painted`, which escapes it; the only escape sequences are those of the style.
struct TextPage {
    let style: TextStyle
    private(set) var lines: [String] = []

    /// A page without lines.
    init(_ style: TextStyle) { self.style = style }

    /// All lines, each with its newline.
    var text: String { lines.map { $0 + "\n" }.joined() }

    /// Adds an empty line, but never two and none at the top.
    mutating func addGap() {
        guard let last = lines.last, !last.isEmpty else { return }
        lines.append("")
    }

    /// Takes away the empty line at the end.
    mutating func trimGap() {
        if lines.last?.isEmpty == true { lines.removeLast() }
    }

    mutating func add(_ lines: [TextLine]) {
        for line in lines { add(line) }
    }

    /// Adds a line; if it is too long, its body continues in the next line under its beginning.
    mutating func add(_ line: TextLine) {
        let start = String(repeating: " ", count: line.indent) + line.renderedHead(color: style.color)
        let hang = line.headColumns
        guard !line.body.text.isEmpty else {
            lines.append(start)
            return
        }
        let isCramped = style.width - hang < 30 && hang > line.indent + 4
        if isCramped, hang + line.body.text.displayWidth > style.width {
            lines.append(line.withoutBody(color: style.color))
            add(
                body: line.body, isWhole: line.isWhole, hang: line.indent + 4,
                start: String(repeating: " ", count: line.indent + 4))
        } else {
            add(
                body: line.body, isWhole: line.isWhole, hang: hang, start: line.head.isEmpty ? start : start + " ")
        }
    }

    private mutating func add(body: Painted, isWhole: Bool, hang: Int, start: String) {
        let rows = isWhole ? [body.text] : body.text.wrapped(to: max(16, style.width - hang))
        for (index, row) in rows.enumerated() {
            let piece = Painted(row, body.paint).rendered(color: style.color)
            lines.append((index == 0 ? start : String(repeating: " ", count: hang)) + piece)
        }
    }
}

/// One line before it is laid out: pieces that stay together, then a body that may be wrapped.
struct TextLine: Sendable {
    var indent: Int
    var head: [Painted]
    var body: Painted
    /// Whether the body stays on one line however wide it is: paths, so that they can be copied.
    var isWhole = false

    /// A line; without a body its last piece must not be padded.
    init(indent: Int = 0, _ head: [Painted] = [], _ body: String = "", _ paint: Paint = .plain) {
        (self.indent, self.head) = (indent, head)
        self.body = Painted(body, paint)
    }

    /// A line with a sign and a sentence.
    init(indent: Int = 0, _ symbol: Symbol, _ body: String, _ paint: Paint = .plain) {
        self.init(indent: indent, [symbol.painted], body, paint)
    }

    /// A line that holds a path and nothing else.
    static func path(indent: Int = 0, _ path: String, _ paint: Paint = .faint) -> TextLine {
        var line = TextLine(indent: indent, [], path, paint)
        line.isWhole = true
        return line
    }

    /// Columns in front of the body.
    var headColumns: Int {
        indent + head.reduce(0) { $0 + $1.text.displayWidth + 1 }
    }

    /// The pieces in front of the body, one space between them.
    func renderedHead(color: Bool) -> String {
        head.map { $0.rendered(color: color) }.joined(separator: " ")
    }

    /// Only the line's beginning, without the padding that would align a body.
    func withoutBody(color: Bool) -> String {
        var line = self
        if let last = line.head.popLast() {
            let bare = String(last.text.reversed().drop { $0 == " " }.reversed())
            line.head.append(Painted(bare, last.paint))
        }
        return String(repeating: " ", count: indent) + line.renderedHead(color: color)
    }
}

extension TextPage {
    /// Adds what a person should know though nothing failed, each with what to do about it.
    mutating func add(warnings: [Warning]) {
        for warning in warnings {
            add(TextLine(.caution, style.verbose ? "\(warning.positioned) [\(warning.code)]" : warning.positioned))
            if let hint = warning.hint { add(TextLine(indent: 2, .pointer, hint)) }
        }
        addGap()
    }

    /// Adds what is left behind, each with what to do about it.
    mutating func add(leftBehind: [RunReport.LeftBehind]) {
        var hint: String?
        for item in leftBehind {
            add(TextLine(indent: 2, .item, item.message))
            if let next = item.hint, next != hint { add(TextLine(indent: 4, .pointer, next)) }
            hint = item.hint
        }
        addGap()
    }

    /// Adds what is good to know.
    mutating func add(notes: [RunReport.Note]) {
        for note in notes {
            add(TextLine(.item, style.verbose ? "\(note.message) [\(note.code)]" : note.message))
            if let hint = note.hint { add(TextLine(indent: 2, .pointer, hint)) }
        }
        addGap()
    }

    /// Adds the same, of each kind no more than the style lists: a table with a fault is seldom the only one.
    mutating func add(manyWarnings warnings: [Warning]) {
        let most = 3
        var kinds: [String] = []
        var byKind: [String: [Warning]] = [:]
        for warning in warnings {
            if byKind[warning.code] == nil { kinds.append(warning.code) }
            byKind[warning.code, default: []].append(warning)
        }
        for kind in kinds {
            let alike = byKind[kind] ?? []
            let shown = style.listed(most, of: alike.count)
            var hint: String?
            for warning in alike.prefix(shown) {
                add(TextLine(.caution, style.verbose ? "\(warning.positioned) [\(kind)]" : warning.positioned))
                // Does not repeat the hint of the line above.
                if let next = warning.hint, next != hint { add(TextLine(indent: 2, .pointer, next)) }
                hint = warning.hint
            }
            guard alike.count > shown else { continue }
            add(TextLine(.caution, "and \((alike.count - shown).grouped) more like it; --verbose lists them all"))
        }
        addGap()
    }

    /// Adds what to do next, in order.
    mutating func add(nextSteps: [String]) {
        guard !nextSteps.isEmpty else { return }
        add(TextLine([Painted("Next", .strong)]))
        for step in nextSteps {
            // A command or a path stays on one line, so that it can be copied.
            let last = step.firstRange(of: ": ")
            let isCommand = last.map { step[$0.upperBound...].hasPrefix("godwit ") } ?? false
            guard isCommand || !step.hasSuffix("."), let end = last else {
                add(TextLine(indent: 2, .pointer, step))
                continue
            }
            add(TextLine(indent: 2, .pointer, step[..<end.lowerBound] + ":"))
            add(TextLine.path(indent: 6, String(step[end.upperBound...]), .plain))
        }
        addGap()
    }
}
