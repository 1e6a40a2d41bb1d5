/// How many columns of a terminal text takes up, and how to make it take up fewer.
extension String {
    /// Columns: CJK and emoji take two, combining marks none, all else one.
    ///
    /// Source: <https://www.unicode.org/reports/tr11/> (wide and full width); ambiguous characters are narrow.
    package var displayWidth: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.displayWidth }
    }

    /// The text, or its beginning and end around `…` if it is wider than the given columns.
    package func shortened(to columns: Int) -> String {
        guard displayWidth > columns else { return self }
        let room = max(0, columns - 1)
        let tail = String(reversed().prefixOfColumns(room / 2).reversed())
        return String(prefixOfColumns(room - room / 2)) + "…" + tail
    }

    /// The text, or its beginning before ` …` if it is wider: whole words, and no part of a command in backquotes.
    func shortenedAtEnd(to columns: Int) -> String {
        guard displayWidth > columns else { return self }
        var kept = String(prefixOfColumns(max(0, columns - 2)))
        if kept.count(where: { $0 == "`" }) % 2 == 1, let quote = kept.lastIndex(of: "`") {
            kept = String(kept[..<quote])
        }
        if let space = kept.lastIndex(of: " ") { kept = String(kept[..<space]) }
        return kept + " …"
    }

    /// The text after as many spaces as right-align it.
    func aligned(right columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - displayWidth)) + self
    }

    /// The words, a number and the word after it being one.
    private var unbreakableWords: [String] {
        split(separator: " ").reduce(into: []) { words, word in
            if let last = words.last, last.allSatisfy({ ("0"..."9").contains($0) || $0 == "," }) {
                words[words.count - 1] = "\(last) \(word)"
            } else {
                words.append(String(word))
            }
        }
    }

    /// The words of the text on lines of at most these columns.
    ///
    /// A word wider than a line has one of its own, whole, so that paths can still be copied. A number is never parted
    /// from what it counts.
    package func wrapped(to columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in unbreakableWords {
            let width = word.displayWidth
            if !line.isEmpty, used + 1 + width > columns {
                lines.append(line)
                (line, used) = ("", 0)
            }
            line += line.isEmpty ? word : " " + word
            used = used == 0 ? width : used + 1 + width
        }
        lines.append(line)
        return lines
    }
}

extension Sequence<Character> {
    /// The longest beginning that fits into the columns.
    fileprivate func prefixOfColumns(_ columns: Int) -> [Character] {
        var used = 0
        return Array(
            prefix { character in
                used += character.displayWidth
                return used <= columns
            })
    }
}

extension Character {
    /// Columns of one character as a reader sees it, however many scalars it is made of.
    fileprivate var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if isEmojiSequence(first) || first.isWide { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return 1
        }
    }

    /// Emoji by default, or made one by a variation selector, a keycap or a pair of regional indicators.
    private func isEmojiSequence(_ first: Unicode.Scalar) -> Bool {
        if first.value >= 0x80, first.properties.isEmojiPresentation { return true }
        guard first.properties.isEmoji else { return false }
        return unicodeScalars.dropFirst().contains { $0.value == 0xFE0F }
    }
}

extension Unicode.Scalar {
    /// East Asian wide or full width, emoji aside.
    fileprivate var isWide: Bool {
        switch value {
        case 0...0x10FF: false
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F: true
        case 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60: true
        case 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD: true
        default: false
        }
    }
}
