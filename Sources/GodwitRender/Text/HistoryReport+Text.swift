package import GodwitModel

extension HistoryReport: ReadableReport {
    /// The recorded runs, newest first, each with its identifier and, if it failed, the reason.
    package func text(_ style: TextStyle) -> String {
        var page = TextPage(style)
        page.add(TextLine([Painted("godwit history:", .strong)], "\(app) in \(container)"))
        page.add(clock: clock)
        page.addGap()
        guard !runs.isEmpty else {
            page.add(TextLine([], "No run is recorded in the stores.", .faint))
            return page.text
        }
        let rows = RunTable(runs: runs, times: runs.map(\.startedAt.readable)).lines(indent: 0)
        for (run, row) in zip(runs, rows) {
            page.add(row)
            let version = style.verbose ? ", godwit \(run.godwitVersion)" : ""
            page.add(TextLine(indent: 2, [], run.id + version, .faint))
        }
        return page.text
    }
}

/// Runs as lines with aligned columns: sign, time, command, duration, changes.
struct RunTable: Sendable {
    let runs: [HistoryEntry]
    /// The time of each run, as it is shown.
    let times: [String]

    /// A line for each run.
    func lines(indent: Int) -> [TextLine] {
        let timeColumns = times.map(\.displayWidth).max() ?? 0
        let commandColumns = runs.map(\.command.escapingControls.displayWidth).max() ?? 0
        let durations = runs.map { TimePhrase.duration(milliseconds: $0.durationMilliseconds) }
        let durationColumns = durations.map(\.displayWidth).max() ?? 0
        return runs.indices.map { index in
            let run = runs[index]
            return TextLine(
                indent: indent,
                [
                    run.outcome.symbol(planned: false).painted,
                    Painted(times[index] + " ", padded: timeColumns + 1),
                    Painted(run.command + " ", padded: commandColumns + 1),
                    Painted(durations[index].aligned(right: durationColumns) + " ", .faint),
                ], run.shownSummary)
        }
    }
}

extension HistoryEntry {
    /// The outcome if it says more than the sign, and the summary; for a failed run the reason and its changes.
    var shownSummary: String {
        let word = outcome == .done ? nil : outcome.phrase
        guard let error else {
            return [word, summary.isEmpty ? nil : summary].compactMap(\.self).joined(separator: ": ")
        }
        let start = word.map { "\($0): " } ?? ""
        guard !summary.isEmpty, summary != "no records" else { return start + error }
        return start + (error.hasSuffix(".") ? String(error.dropLast()) : error) + "; before that: \(summary)"
    }
}
