/// Draws a page over the page before it on a terminal.
///
/// It clears no text before it writes the new text, so the screen does not flicker.
///
/// Source of the sequences: ECMA-48 (CUP, EL, ED); xterm's control sequences for the alternate screen (1049), the
/// cursor (25) and synchronized output (2026), which terminals without support ignore.
package enum TerminalFrame {
    /// Begins watching: a screen of its own, without a cursor.
    package static let enter = "\u{1b}[?1049h\u{1b}[?25l"
    /// Ends it: the cursor is back, and the screen as it was.
    package static let leave = "\u{1b}[?2026l\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"

    /// The lines from the top of the screen on and the footer below them, each cut at the last column.
    ///
    /// Where lines don't fit, the footer says how many.
    ///
    /// - Parameters:
    ///   - lines: the text; of escape sequences only colors (`ESC [ … m`).
    ///   - footer: what is in the last row that is used.
    ///   - columns: of the window.
    ///   - rows: of the window.
    package static func drawing(_ lines: [String], footer: String, columns: Int, rows: Int) -> String {
        let (columns, room) = (max(1, columns), max(0, rows - 1))
        let shown = lines.prefix(room)
        let hidden = lines.count - shown.count
        let last = hidden > 0 ? "… \(hidden) more \(hidden == 1 ? "line" : "lines") below; \(footer)" : footer
        var text = "\u{1b}[?2026h\u{1b}[H"
        for line in shown { text += row(line, columns) + "\r\n" }
        text += row("\u{1b}[2m" + last + "\u{1b}[0m", columns)
        // Clears the rest of an earlier, longer page.
        return text + "\u{1b}[J\u{1b}[?2026l"
    }

    /// One line; if it is shorter than the row, the rest of the row is cleared.
    ///
    /// In a full row the cursor stays on the last column, and clearing the rest would clear that column.
    private static func row(_ line: String, _ columns: Int) -> String {
        let (text, width) = cut(line, to: columns)
        return width < columns ? text + "\u{1b}[K" : text
    }

    /// The beginning of a line that fits; if it was cut, its colors are switched off at the end.
    static func cut(_ line: String, to columns: Int) -> (text: String, width: Int) {
        var (text, width) = ("", 0)
        var sequence = ""
        for character in line {
            if !sequence.isEmpty || character == "\u{1b}" {
                sequence.append(character)
                guard character == "m" else { continue }
                text += sequence
                sequence = ""
                continue
            }
            let more = String(character).displayWidth
            guard width + more <= columns else { return (text + "\u{1b}[0m", width) }
            text.append(character)
            width += more
        }
        return (text, width)
    }
}
