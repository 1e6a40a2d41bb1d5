internal import GodwitModel

extension RunReport.Undo {
    /// `3 duplicates of run 6F1D2C3B put back`, then each store.
    func section(_ tense: Tense) -> OutlineSection {
        let items = stores.map { store in
            OutlineItem(
                "undo", store.store.phrase, store.kept > 0 ? .noticed : .passed,
                store.outcome.hasChanges ? store.summary(tense) : store.outcome.phrase)
        }
        let none = [OutlineItem("undo", headline(tense), .passed, outcome.phrase)]
        return OutlineSection(
            .dedupe, outcome.symbol(planned: tense.planned), headline(tense),
            lines: stores.filter { $0.outcome.hasChanges }.map { $0.line(tense) }, items: items.isEmpty ? none : items)
    }

    func headline(_ tense: Tense) -> String {
        // Eight digits are enough to find the run in `godwit history`.
        let name = runId.map { "run \($0.prefix(8))" } ?? "any run"
        switch outcome {
        case .failed: return OutlineSection.failed
        case .nothingToDo: return "nothing of \(name) is set aside"
        case .alreadyDone:
            let undoing = stores.lazy.compactMap(\.undoneBy).first.map { " by run \($0.prefix(8))" } ?? ""
            return "\(name) is undone already\(undoing)"
        case .done, .partial, .healed:
            let count = stores.reduce(Int64(0)) { $0 + $1.restored.total }
            return "\(count.counted("duplicate")) of \(name) \(tense.passive("put back"))"
        }
    }
}

extension RunReport.Undo.Store {
    /// `local store: 2 Workout, 1 reference moved back`.
    fileprivate func line(_ tense: Tense) -> TextLine {
        TextLine(indent: 4, .item, "\(store.phrase): \(summary(tense))")
    }

    /// `2 Workout, 1 reference moved back`.
    func summary(_ tense: Tense) -> String {
        var parts = restored.isEmpty ? [] : [restored.listedByName]
        if repointed > 0 { parts.append("\(repointed.counted("reference")) \(tense.passive("moved back"))") }
        if rekeyed > 0 {
            let key = rekeyed == 1 ? "its own key" : "their own keys"
            parts.append("\(rekeyed.counted("record")) \(tense.passive("given")) \(key) again")
        }
        if kept > 0 { parts.append("\(kept.counted("later change")) \(tense.passive("kept"))") }
        return parts.joined(separator: ", ")
    }
}
