internal import GodwitModel

extension ExpectationReport {
    /// A suite with a finding for each part that differs, or one for the whole.
    func suite(_ style: TextStyle) -> FindingSuite {
        var page = TextPage(TextStyle(width: style.width, verbose: style.verbose))
        for line in lines(style) { page.add(line) }
        return FindingSuite(name: "expect", headline: headline, symbol: symbol, findings: findings, text: page.lines)
    }

    /// Each part that differs, with its lines; what is not compared is skipped.
    var findings: [Finding] {
        let place = FilePosition(file: file)
        var found: [Finding] = []
        if verdict == .differs {
            found = parts.map { part, lines in
                let changed = lines.count { $0.kind != .same }
                let shown = lines.prefix(Self.listed).map { "\($0.sign) \($0.text)" }
                return Finding(
                    "expectation", part.isEmpty ? "the whole" : part, .failed,
                    ([changed.counted("line differs", "lines differ")] + shown).joined(separator: "\n"), at: place)
            }
            if found.isEmpty { found = [Finding("expectation", "the whole", .failed, headline, at: place)] }
        } else {
            found = [Finding("expectation", "as expected", .passed, headline)]
        }
        return found + notCompared.map { Finding("expectation", $0, .skipped, "the import was done by an earlier run") }
    }

    /// Lines of one part in a finding.
    private static let listed = 200

    /// The lines that differ, part by part, in their order.
    private var parts: [(name: String, lines: [ExpectedLine])] {
        differences.reduce(into: []) { parts, line in
            if parts.last?.name == line.part {
                parts[parts.count - 1].lines.append(line)
            } else {
                parts.append((line.part, [line]))
            }
        }
    }
}

extension ExpectedLine {
    /// As in any difference: what is gone, what is new.
    var sign: String {
        switch kind {
        case .same: " "
        case .expected: "-"
        case .found: "+"
        }
    }
}
