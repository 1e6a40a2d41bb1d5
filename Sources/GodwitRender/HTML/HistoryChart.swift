internal import GodwitModel

/// Past runs as bars, oldest on the left, each as high as it took long; then the same as a table.
struct HistoryChart: Sendable {
    /// Newest first.
    var runs: [HistoryEntry]
    /// Bars: more would be lines.
    private static let bars = 40
    /// Lines of the table.
    private static let listed = 100

    init(runs: [HistoryEntry]) { self.runs = runs }

    /// The chart, the table behind a click.
    var section: PageSection {
        PageSection(
            "history", "Run history", lead: lead,
            chart + "<details><summary>The same as a table</summary>\n\(table)</details>\n")
    }

    /// The chart and the table.
    var wholeSection: PageSection { PageSection("history", "Run history", lead: lead, chart + table) }

    private var lead: String {
        let failed = runs.count { $0.outcome == .failed }
        let tail = failed > 0 ? ", \(failed.grouped) of them failed" : ""
        return "\(runs.count.counted("recorded run"))\(tail). The height of a bar is the duration of the run."
    }

    private var chart: Markup {
        let shown = Array(runs.prefix(Self.bars).reversed())
        guard let first = shown.first, let last = shown.last else { return "" }
        let longest = max(1, shown.map(\.durationMilliseconds).max() ?? 1)
        let time = TimePhrase.duration(milliseconds: longest)
        // Few bars need little room.
        var svg: Markup = "<figure style=\"max-width: \(max(22, min(shown.count * 4, 66)))rem\">\n"
        svg += "<p class=\"axis\"><span>\(time)</span></p>\n<div class=\"bars\">"
        svg +=
            "<svg viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"\(alternative)\">\n"
        let step = 1000 / shown.count
        for (index, run) in shown.enumerated() {
            let share = Double(max(0, run.durationMilliseconds)) / Double(longest)
            let height = max(3, Int((share * 98).rounded()))
            svg += "<rect class=\"\(run.outcome.bar)\" x=\"\(index * step + 2)\" y=\"\(100 - height)\""
            svg += " width=\"\(max(4, step - 6))\" height=\"\(height)\"/>\n"
        }
        svg += "</svg></div>\n<p class=\"axis\"><span>\(first.startedAt.readable)</span>"
        if shown.count > 1 { svg += "<span>\(last.startedAt.readable)</span>" }
        return svg + "</p>\n\(legend)</figure>\n"
    }

    private var legend: Markup {
        let kinds: [(Markup, String, [Outcome])] = [
            ("done", "changed something", [.done, .healed]), ("caution", "partly done", [.partial]),
            ("idle", "nothing to do", [.nothingToDo, .alreadyDone]), ("failed", "failed", [.failed]),
        ]
        let items = kinds.compactMap { kind, words, outcomes -> Markup? in
            let count = runs.prefix(Self.bars).count { outcomes.contains($0.outcome) }
            guard count > 0 else { return nil }
            let swatch: Markup =
                "<svg class=\"swatch\" viewBox=\"0 0 12 12\" aria-hidden=\"true\"><rect class=\"\(kind)\" x=\"1\" y=\"1\" width=\"10\" height=\"10\"/></svg>"
            return "<li class=\"chip bars-key\">\(swatch)\(words) <b>\(count.grouped)</b></li>"
        }
        return "<ul class=\"legend\">\n\(items.joined("\n"))\n</ul>\n"
    }

    private var alternative: String {
        let shown = runs.prefix(Self.bars)
        let counts = [Outcome.done, .healed, .partial, .nothingToDo, .alreadyDone, .failed].compactMap { outcome in
            let count = shown.count { $0.outcome == outcome }
            return count > 0 ? "\(count) \(outcome.phrase)" : nil
        }
        return "\(shown.count.counted("run")) by duration, oldest first: \(counts.joined(separator: ", "))"
    }

    private var table: Markup {
        let rows = runs.prefix(Self.listed).map { run -> [Markup] in
            [
                run.outcome.symbol(planned: false).mark, Markup.date(run.startedAt), "\(run.command)",
                "\(TimePhrase.duration(milliseconds: run.durationMilliseconds))", "\(run.shownSummary)",
                "<code>\(String(run.id.prefix(8)))</code>",
            ]
        }
        return PageTable(
            caption: "Recorded runs, newest first", width: "wider",
            columns: [
                .silent("Outcome"), .text("Began"), .text("Command"), .number("Took"), .text("What was done"),
                .text("Run"),
            ], rows: rows
        ).markup + Markup.rest(runs.count - rows.count, "more run", "more runs")
    }
}

extension Outcome {
    /// The class of its bar.
    fileprivate var bar: Markup {
        switch self {
        case .done, .healed: "done"
        case .partial: "caution"
        case .nothingToDo, .alreadyDone: "idle"
        case .failed: "failed"
        }
    }
}
