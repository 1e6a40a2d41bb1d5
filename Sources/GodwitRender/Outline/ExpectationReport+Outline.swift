internal import GodwitModel

extension ExpectationReport {
    /// The comparison, with an item for each part that differs, or one for the whole.
    func section(_ style: TextStyle) -> OutlineSection {
        OutlineSection(name: "expect", symbol: symbol, headline: headline, lines: lines(style), items: items)
    }

    /// Each part that differs, with its lines; what is not compared is skipped.
    var items: [OutlineItem] {
        let position = GodwitError.Position(file: file)
        var found: [OutlineItem] = []
        if verdict == .differs {
            found = parts.map { part, lines in
                let changed = lines.count { $0.kind != .same }
                let shown = lines.prefix(Self.maxListed).map { "\($0.sign) \($0.text)" }
                return OutlineItem(
                    "expectation", part.isEmpty ? "whole file" : part, .failed,
                    ([changed.counted("line differs", "lines differ")] + shown).joined(separator: "\n"), at: position)
            }
            if found.isEmpty { found = [OutlineItem("expectation", "whole file", .failed, headline, at: position)] }
        } else {
            found = [OutlineItem("expectation", "as expected", .passed, headline)]
        }
        return found
            + notCompared.map { OutlineItem("expectation", $0, .skipped, "the import was done by an earlier run") }
    }

    /// Lines of one part in an item.
    private static let maxListed = 200

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
    /// The signs of a difference: `-` for removed, `+` for new.
    var sign: String {
        switch kind {
        case .same: " "
        case .expected: "-"
        case .found: "+"
        }
    }
}
