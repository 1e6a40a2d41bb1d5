import GodwitRender
import Testing

/// Pages drawn over each other on a terminal.
struct TerminalFrameTests {
    /// A terminal that knows what frames are made of, and nothing else.
    private struct Terminal {
        let columns: Int
        var rows: [[Character]]
        var place = (row: 0, column: 0)
        var unknown: [String] = []

        init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = Array(repeating: Array(repeating: "#", count: columns), count: rows)
        }

        var text: [String] { rows.map { String($0) } }

        mutating func obey(_ text: String) {
            // CR and LF together are one Character.
            var scalars = Array(text.unicodeScalars)[...]
            while let scalar = scalars.popFirst() {
                switch scalar {
                case "\r": place.column = 0
                case "\n": place.row += 1
                case "\u{1b}":
                    let end = scalars.firstIndex { ("@"..."~").contains($0) && $0 != "[" } ?? scalars.endIndex - 1
                    obey(sequence: String(String.UnicodeScalarView(scalars[...end])))
                    scalars = scalars[(end + 1)...]
                default:
                    guard rows.indices.contains(place.row), place.column < columns else {
                        unknown.append("beyond the window: \(scalar)")
                        continue
                    }
                    rows[place.row][place.column] = Character(scalar)
                    place.column += 1
                }
            }
        }

        private mutating func obey(sequence: String) {
            switch sequence {
            case "[H": place = (0, 0)
            case "[K": for column in place.column..<columns { rows[place.row][column] = " " }
            case "[J":
                for column in place.column..<columns { rows[place.row][column] = " " }
                for row in (place.row + 1)..<max(place.row + 1, rows.count) {
                    rows[row] = Array(repeating: " ", count: columns)
                }
            case "[?2026h", "[?2026l", "[0m", "[2m", "[32m": break
            default: unknown.append(sequence)
            }
        }
    }

    @Test("a page fills its rows, and nothing of what stood there stays")
    func whole() {
        var terminal = Terminal(columns: 10, rows: 5)
        terminal.obey(
            TerminalFrame.drawing(["one", "", "\u{1b}[32mthree\u{1b}[0m"], footer: "end", columns: 10, rows: 5))
        #expect(terminal.text == ["one       ", "          ", "three     ", "end       ", "          "])
        #expect(terminal.unknown == [])
        terminal.obey(TerminalFrame.drawing(["1"], footer: "e", columns: 10, rows: 5))
        #expect(terminal.text.map { $0.filter { $0 != " " } } == ["1", "e", "", "", ""])
    }

    @Test(
        "what does not fit is cut and counted, at every size of the window", arguments: [1, 2, 3, 7, 20], [1, 2, 3, 9])
    func sizes(columns: Int, rows: Int) {
        let lines = (1...6).map { "\u{1b}[32mline \($0)\u{1b}[0m of several" }
        var terminal = Terminal(columns: columns, rows: rows)
        terminal.obey(TerminalFrame.drawing(lines, footer: "end", columns: columns, rows: rows))
        #expect(terminal.unknown == [])
        #expect(!terminal.text.joined().contains("#"))
        if rows > 1 { #expect(terminal.text[0] == String("line 1 of several   ".prefix(columns))) }
        let footer = rows > 6 ? "end" : "… \(6 - rows + 1) more lines below; end"
        let expected = String(footer.prefix(columns))
        #expect(terminal.text[min(rows - 1, 6)].hasPrefix(expected))
    }

    @Test("a line of wide characters is cut before the last column, never in the middle of one")
    func wide() {
        let frame = TerminalFrame.drawing(["同期中です"], footer: "", columns: 5, rows: 3)
        #expect(frame.contains("\u{1b}[H同期\u{1b}[0m\u{1b}[K\r\n"))
    }

    @Test("colors are switched off at the end of a cut line")
    func colours() {
        let frame = TerminalFrame.drawing(["\u{1b}[31mbroken\u{1b}[0m"], footer: "", columns: 3, rows: 3)
        #expect(frame.contains("\u{1b}[31mbro\u{1b}[0m\r\n"))
    }

    @Test("the screen is never cleared ahead of being drawn, and each frame is whole")
    func noClearing() {
        let frame = TerminalFrame.drawing(["a"], footer: "b", columns: 80, rows: 24)
        for clearing in ["\u{1b}[2J", "\u{1b}[3J", "\u{1b}c", "\u{1b}[1J"] { #expect(!frame.contains(clearing)) }
        #expect(frame.hasPrefix("\u{1b}[?2026h\u{1b}[H") && frame.hasSuffix("\u{1b}[J\u{1b}[?2026l"))
    }

    @Test("what is switched on at the beginning is switched off at the end")
    func leaving() {
        #expect(TerminalFrame.enter == "\u{1b}[?1049h\u{1b}[?25l")
        for part in ["\u{1b}[?25h", "\u{1b}[?1049l", "\u{1b}[?2026l", "\u{1b}[0m"] {
            #expect(TerminalFrame.leave.contains(part))
        }
    }
}
