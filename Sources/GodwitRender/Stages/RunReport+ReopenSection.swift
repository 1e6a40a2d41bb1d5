internal import GodwitModel

extension RunReport.Reopen {
    /// `the copy of 2026-11-21 06:00:00 UTC is pending again`, then the flag.
    func section(_ tense: Tense) -> OutlineSection {
        OutlineSection(
            .reopen, outcome.symbol(planned: tense.planned), headline(tense),
            lines: flag.map { [$0.line(tense)] } ?? [],
            items: [OutlineItem("reopen", "copy", .passed, headline(tense))])
    }

    func headline(_ tense: Tense) -> String {
        guard outcome.hasChanges else { return "the copy is pending already" }
        let which = copiedAt.map { "the copy of \($0.readable)" } ?? "the copy"
        let what = all ? "; the next run copies every record again" : ""
        return "\(which) \(tense.planned ? "would be" : "is") pending again\(what)"
    }
}
