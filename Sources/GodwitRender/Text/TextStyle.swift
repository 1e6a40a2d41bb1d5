/// How text is laid out.
package struct TextStyle: Sendable, Hashable {
    /// Whether ANSI colors are used; without them the text has no escape sequence at all.
    package var color: Bool
    /// Columns of the terminal, at least 40; text is wrapped at spaces to fit.
    package var width: Int
    /// Whether everything is listed, values of settings included.
    package var verbose: Bool
    /// Whether times are shown as ISO 8601 instead of how long ago they were.
    package var absolute: Bool

    /// A style; the defaults suit a file or a log.
    package init(color: Bool = false, width: Int = 80, verbose: Bool = false, absolute: Bool = false) {
        self.color = color
        self.width = max(40, width)
        (self.verbose, self.absolute) = (verbose, absolute)
    }

    /// The same layout for a file or a log.
    var withoutColor: TextStyle { TextStyle(width: width, verbose: verbose, absolute: absolute) }

    /// The most lines of one kind that are listed; the rest is counted.
    func listed(_ short: Int) -> Int { verbose ? .max : short }

    /// The same of a known number: a single one is listed instead of being counted.
    func listed(_ short: Int, of count: Int) -> Int { verbose || count <= short + 1 ? count : short }
}

/// The role of a piece of text, which decides its color.
enum Paint: String, Sendable {
    case plain = ""
    case strong = "1"
    case faint = "2"
    case bad = "31"
    case good = "32"
    case caution = "33"
    case pointer = "36"
}

/// The sign a line begins with: one column wide each, so that lines align.
enum Symbol: String, Sendable {
    case good = "✓"
    case item = "•"
    case caution = "!"
    case bad = "✗"
    case pointer = "→"

    /// The sign in its color.
    var painted: Painted {
        switch self {
        case .good: Painted(rawValue, .good)
        case .item: Painted(rawValue, .faint)
        case .caution: Painted(rawValue, .caution)
        case .bad: Painted(rawValue, .bad)
        case .pointer: Painted(rawValue, .pointer)
        }
    }
}

/// A piece of text with its role.
///
/// Invariant: `text` is safe to print. All text that comes in is escaped here, so that nothing a file holds reaches a
/// terminal as a control sequence.
struct Painted: Sendable {
    let text: String
    let paint: Paint

    init(_ text: String, _ paint: Paint = .plain) {
        self.text = text.escapingControls
        self.paint = paint
    }

    /// The text, padded on the right to a number of columns.
    init(_ text: String, _ paint: Paint = .plain, padded columns: Int) {
        let escaped = text.escapingControls
        self.text = escaped + String(repeating: " ", count: max(0, columns - escaped.displayWidth))
        self.paint = paint
    }

    func rendered(color: Bool) -> String {
        guard color, paint != .plain, text.contains(where: { $0 != " " }) else { return text }
        return "\u{1b}[\(paint.rawValue)m\(text)\u{1b}[0m"
    }
}
