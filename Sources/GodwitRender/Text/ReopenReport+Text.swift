internal import GodwitModel

extension ReopenReport {
    /// `the copy of 2026-11-21 06:00:00 UTC is pending again`, then the flag.
    func stageText(planned: Bool, _ style: TextStyle) -> StageText {
        let details = flag.map { flag in
            [TextLine(indent: 4, .item, "flag \(flag.key): \(flag.isSet ? "set" : "not set")")]
        }
        return StageText(
            .reopen, outcome.symbol(planned: planned), headline(Tense(planned: planned)), details: details ?? [])
    }

    func headline(_ tense: Tense) -> String {
        guard outcome.hasChanges else { return "the copy is pending already" }
        let which = copiedAt.map { "the copy of \($0.readable)" } ?? "the copy"
        let what = all ? "; the next run copies every record again" : ""
        return "\(which) \(tense.planned ? "would be" : "is") pending again\(what)"
    }

    /// What became of it.
    func findings(_ tense: Tense) -> [Finding] { [Finding("reopen", "copy", .passed, headline(tense))] }
}
