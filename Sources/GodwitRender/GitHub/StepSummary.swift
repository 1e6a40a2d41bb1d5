package import GodwitModel

/// A report as a part of the page that GitHub shows for a step: a headline, the stages as a table, what was not as it
/// should be, numbers, what to do next.
///
/// GitHub takes at most 1 MiB from a step, and nothing at all of more. A part has at most 40 rows to a table and 160
/// characters to a cell, and so stays well below that whatever the report holds.
package enum StepSummary {
    private static let rows = 40
    private static let cell = 160

    /// The part as Markdown, UTF-8, an empty line at its end; nil for a report that is only shown as text and JSON.
    package static func bytes(of report: some ReadableReport, setting: ReportSetting) -> [UInt8]? {
        (report as? any CheckedReport).map { Array(markdown($0.findings(setting)).utf8) }
    }

    /// The part for an error.
    package static func bytes(of error: GodwitError, setting: ReportSetting) -> [UInt8] {
        Array(markdown(error.findings(setting)).utf8)
    }

    static func markdown(_ findings: Findings) -> String {
        var parts = ["## \(findings.symbol.emoji) \(text(findings.title)): \(text(findings.app))"]
        if let container = findings.container { parts.append("Container: \(text(container))") }
        if let clock = findings.clock { parts.append("Clock set to \(text(clock.value))") }
        if !findings.conclusion.isEmpty { parts.append("**\(text(findings.conclusion))**") }
        parts.append(stages(findings))
        parts += unsound(findings)
        parts += findings.tables.map(numbers)
        if !findings.warnings.isEmpty {
            parts.append("### Warnings")
            let words = findings.warnings.prefix(rows).map { warning in
                [warning.positioned, warning.hint].compactMap(\.self).joined(separator: " ")
            }
            parts.append(list(words, of: findings.warnings.count))
        }
        if !findings.nextSteps.isEmpty {
            parts.append("### Next")
            parts.append(list(Array(findings.nextSteps.prefix(rows)), of: findings.nextSteps.count))
        }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n\n"
    }

    private static func stages(_ findings: Findings) -> String {
        var stages = Array(findings.suites.dropFirst(findings.suites.count > 1 ? 1 : 0))
        let count = stages.count
        // A fleet has thousands: what is wrong must be among those that are shown.
        if count > rows { stages = stages.filter { !$0.symbol.isCalm } + stages.filter(\.symbol.isCalm) }
        return table(
            ["", "Stage", "Result"], alignments: [":-:", ":--", ":--"],
            rows: stages.prefix(rows).map { [$0.symbol.emoji, text($0.name), text($0.headline)] }, of: count)
    }

    /// What failed, then what did not arrive, then what should be known; each with its place.
    private static func unsound(_ findings: Findings) -> [String] {
        let titles: [(String, (FindingVerdict) -> Bool)] = [
            ("Failed", \.isFailure), ("Not as it should be", { $0 == .doubtful }), ("To know", { $0 == .noticed }),
        ]
        return titles.flatMap { title, belongs -> [String] in
            let found = findings.suites.flatMap { suite in
                suite.findings.filter { belongs($0.verdict) }.map { (suite.name, $0) }
            }
            guard !found.isEmpty else { return [] }
            let rows = found.prefix(self.rows).map { suite, finding in
                [
                    text(suite), text(finding.name),
                    lines("\(finding.kind): \(finding.detail)"),
                    text(finding.place?.text ?? ""),
                ]
            }
            return [
                "### \(title) (\(found.map(\.1).things.grouped))",
                table(
                    ["Stage", "What", "Why", "Where"], alignments: [":--", ":--", ":--", ":--"], rows: rows,
                    of: found.map(\.1).things),
            ]
        }
    }

    private static func numbers(_ table: FindingTable) -> String {
        let rows = table.rows.prefix(self.rows).map { [text($0.name)] + $0.numbers.map(\.grouped) }
        return "### \(table.title)\n\n"
            + self.table(
                table.columns, alignments: [":--"] + table.columns.dropFirst().map { _ in "--:" }, rows: rows,
                of: table.rows.count)
    }

    private static func table(
        _ columns: [String], alignments: [String], rows: [[String]], of count: Int? = nil
    ) -> String {
        guard !rows.isEmpty else { return "" }
        var lines = [columns, alignments] + rows
        let rest = (count ?? rows.count) - rows.count
        if rest > 0 { lines.append(["", "and \(rest.grouped) more"] + columns.dropFirst(2).map { _ in "" }) }
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    private static func list(_ items: [String], of count: Int) -> String {
        var lines = items.map { "- \(text($0))" }
        if count > items.count { lines.append("- and \((count - items.count).grouped) more") }
        return lines.joined(separator: "\n")
    }

    /// The lines of a text, in one cell of a table.
    private static func lines(_ foreign: String) -> String {
        foreign.shortened(to: cell).split(separator: "\n").map { text(String($0)) }.joined(separator: "<br>")
    }

    /// Text that Markdown takes for text: everything that has a meaning in GitHub's dialect as a reference.
    static func text(_ foreign: String) -> String {
        var safe = ""
        for scalar in foreign.escapingControls.shortened(to: cell).unicodeScalars {
            switch scalar {
            case "&", "<", ">", "\\", "`", "*", "_", "[", "]", "|", "~", "@", "$", "#", "\"", "'":
                safe += "&#\(scalar.value);"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }
}

extension Symbol {
    /// Whether nothing is wrong where it stands.
    fileprivate var isCalm: Bool { self != .bad && self != .caution }

    /// The sign as GitHub shows it best: in colour.
    fileprivate var emoji: String {
        switch self {
        case .good: "✅"
        case .item: "➖"
        case .caution: "⚠️"
        case .bad: "❌"
        case .pointer: "➡️"
        }
    }
}
