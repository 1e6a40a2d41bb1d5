package import GodwitModel

/// A report as a part of the page that GitHub shows for a step: the conclusion, the stages, the items that did not pass,
/// the numbers, the warnings, the next steps.
///
/// GitHub rejects more than 1 MiB of a step. A part stays well below: a table has at most 40 rows, a name 160 characters,
/// a sentence 320. A sentence that is longer ends after a whole word, and never inside a command.
package enum StepSummary {
    private static let maxRows = 40
    private static let maxCharacters = 160
    private static let maxSentence = 320
    private static let maxSteps = 10
    /// A step ends with a command, which is of use only as a whole.
    private static let maxStep = 1_000

    /// The part as Markdown in UTF-8, with an empty line at its end; nil for a report without verdicts.
    package static func bytes(of report: some ReadableReport, setting: ReportSetting) -> [UInt8]? {
        (report as? any CheckedReport).map { Array(markdown($0.outline(setting)).utf8) }
    }

    /// The part for an error.
    package static func bytes(of error: GodwitError, setting: ReportSetting) -> [UInt8] {
        Array(markdown(error.outline(setting)).utf8)
    }

    static func markdown(_ outline: ReportOutline) -> String {
        var parts = ["## \(outline.symbol.emoji) \(text(outline.title)): \(text(outline.app))"]
        if let container = outline.container { parts.append("Container: \(text(container))") }
        if let clock = outline.clock { parts.append("Clock set to \(text(clock.value))") }
        if !outline.conclusion.isEmpty { parts.append("**\(sentence(outline.conclusion))**") }
        parts.append(stages(outline))
        parts += unsound(outline)
        parts += outline.sections.compactMap(\.table).map(numbers)
        if !outline.warnings.isEmpty {
            parts.append("### Warnings")
            let words = outline.warnings.prefix(maxRows).map { warning in
                [sentence(warning.positioned), warning.hint.map { "→ \(sentence($0))" }].compactMap(\.self)
                    .joined(separator: "<br>")
            }
            parts.append(list(words, of: outline.warnings.count))
        }
        if !outline.nextSteps.isEmpty {
            parts.append("### Next")
            let steps = outline.nextSteps.prefix(maxSteps).map { sentence($0, maxStep) }
            parts.append(list(steps, of: outline.nextSteps.count))
        }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n\n"
    }

    private static func stages(_ outline: ReportOutline) -> String {
        var stages = Array(outline.sections.dropFirst(outline.sections.count > 1 ? 1 : 0))
        let count = stages.count
        // A fleet has thousands: those with a problem must be among those that are shown.
        if count > maxRows { stages = stages.filter { !$0.symbol.isCalm } + stages.filter(\.symbol.isCalm) }
        return table(
            ["", "Stage", "Result"], alignments: [":-:", ":--", ":--"],
            rows: stages.prefix(maxRows).map { [$0.symbol.emoji, text($0.name), sentence($0.headline)] }, of: count)
    }

    /// The items that failed, then the doubtful ones, then the noticed ones; each with its position.
    private static func unsound(_ outline: ReportOutline) -> [String] {
        let titles: [(String, (ItemVerdict) -> Bool)] = [
            ("Failed", \.isFailure), ("To check", { $0 == .doubtful }), ("Notes", { $0 == .noticed }),
        ]
        return titles.flatMap { title, belongs -> [String] in
            let found = outline.sections.flatMap { section in
                section.items.filter { belongs($0.verdict) }.map { (section.name, $0) }
            }
            guard !found.isEmpty else { return [] }
            let rows = found.prefix(maxRows).map { section, item in
                [
                    text(section), text(item.name),
                    lines("\(item.kind): \(item.detail)"),
                    text(item.position?.text ?? ""),
                ]
            }
            return [
                "### \(title) (\(found.map(\.1).total.grouped))",
                table(
                    ["Stage", "What", "Why", "Where"], alignments: [":--", ":--", ":--", ":--"], rows: rows,
                    of: found.map(\.1).total),
            ]
        }
    }

    private static func numbers(_ table: OutlineTable) -> String {
        let rows = table.rows.prefix(maxRows).map { [text($0.name)] + $0.numbers.map(\.grouped) }
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

    /// A list of items that are Markdown already.
    private static func list(_ items: [String], of count: Int) -> String {
        var lines = items.map { "- \($0)" }
        if count > items.count { lines.append("- and \((count - items.count).grouped) more") }
        return lines.joined(separator: "\n")
    }

    /// The lines of a text, in one cell of a table: a message and a hint, each whole.
    private static func lines(_ foreign: String) -> String {
        var room = 2 * maxSentence
        var parts: [String] = []
        for line in foreign.split(separator: "\n") where room > 0 {
            let part = String(line).escapingControls.shortenedAtEnd(to: min(room, maxSentence))
            room -= part.displayWidth
            parts.append(escaped(part))
        }
        return parts.joined(separator: "<br>")
    }

    /// A sentence, or its beginning if it is too long.
    private static func sentence(_ foreign: String, _ columns: Int = maxSentence) -> String {
        escaped(foreign.escapingControls.shortenedAtEnd(to: columns))
    }

    /// A name, without its middle if it is too long.
    static func text(_ foreign: String) -> String { escaped(foreign.escapingControls.shortened(to: maxCharacters)) }

    /// Text in which every character that has a meaning in GitHub's Markdown is a character reference.
    private static func escaped(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
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
    /// Whether it is on lines without a problem.
    fileprivate var isCalm: Bool { self != .bad && self != .caution }

    /// The sign in color, as GitHub shows it.
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
