package import GodwitModel

extension RunReport: ReadableReport {
    /// Per stage what happened and how much of it, then warnings, then what to do next, then the outcome.
    package func text(_ style: TextStyle) -> String {
        var page = TextPage(style)
        addHeader(to: &page)
        page.addGap()
        for stage in stages(ReportSetting(style: style)) { page.add(stage.lines) }
        page.add(expectation?.lines(style) ?? [])
        page.addGap()
        page.add(manyWarnings: warnings)
        if style.verbose { page.add(leftBehind: leftBehind ?? []) }
        page.add(notes: notes)
        page.add(nextSteps: nextSteps)
        page.add(TextLine(closing.symbol, closing.text, closing.symbol == .bad ? .bad : .strong))
        if style.verbose { page.add(TextLine(indent: 2, [], "run \(run.id), godwit \(run.godwitVersion)", .faint)) }
        return page.text
    }

    /// The command, the app, the container, and whether it was a dry run.
    private func addHeader(to page: inout TextPage) {
        let title = "godwit \(run.command):"
        let place = "\(run.app) in \(run.container)"
        let note = expectation == nil ? "dry run, nothing was changed" : "dry run, the container was not changed"
        let whole = "\(place): \(note)"
        let fits = "\(title) \(whole)".escapingControls.displayWidth <= page.style.width
        page.add(TextLine([Painted(title, .strong)], run.dryRun && fits ? whole : place))
        if run.dryRun, !fits { page.add(TextLine(indent: 2, [], note)) }
        page.add(clock: run.clock)
    }

    /// The last line: whether an expectation is met, outcome, duration, and the store the app should use.
    var closing: (symbol: Symbol, text: String) {
        let time = run.durationMilliseconds.map { " in \(TimePhrase.duration(milliseconds: $0))" } ?? ""
        let checked = time.isEmpty ? "" : " (checked\(time))"
        let after = run.durationMilliseconds.map { " after \(TimePhrase.duration(milliseconds: $0))" } ?? ""
        if stoppedBy == .strict {
            return (.bad, "Stopped\(after): \(doubts) under --strict. Nothing was written.")
        }
        var sentence: String
        switch (outcome, run.dryRun) {
        case (.failed, true) where run.command == "verify": sentence = "Checks failed\(after)."
        case (.failed, true): sentence = "The dry run failed\(after); a run would fail as well."
        case (.failed, false) where verify?.unmigrated != nil: sentence = "Nothing was changed\(checked)."
        case (.failed, false) where run.command == "verify": sentence = "Checks failed\(after). Nothing was changed."
        case (.failed, false):
            sentence = "Failed\(after).\(hasChanges ? " What is shown as done stays done." : "")"
        case (.done, false) where run.command == "verify": sentence = "Verified\(time)."
        case (.done, false): sentence = "Done\(time)."
        case (.done, true): sentence = "Planned\(time): \(planned) would make these changes."
        case (.healed, false): sentence = "Completed\(time): all was copied before; the flag is set now."
        case (.healed, true): sentence = "Planned\(time): all was copied before; a run would set the flag."
        case (.partial, false): sentence = "Partly done\(time): some values could not be moved (conflict, unsupported)."
        case (.partial, true): sentence = "Planned\(time): some values would stay behind (conflict, unsupported)."
        case (.alreadyDone, false): sentence = "Already done, nothing was changed\(checked)."
        case (.alreadyDone, true): sentence = "Already done: \(planned) would change nothing."
        case (.nothingToDo, false): sentence = "Nothing to do\(checked)."
        case (.nothingToDo, true): sentence = "Nothing to do: \(planned) would change nothing."
        }
        if let undo, undo.outcome.hasChanges, let activeStore,
            !undo.stores.contains(where: { $0.store == activeStore && $0.outcome.hasChanges })
        {
            sentence +=
                " The app \(uses) the \(activeStore.phrase), which \(run.dryRun ? "would not change" : "did not change")."
        } else if outcome != .failed, let activeStore {
            sentence += " The app \(uses) the \(activeStore.phrase)."
        }
        if expectation?.verdict == .differs { return (.bad, "Not as expected. \(sentence)") }
        return (outcome == .nothingToDo ? .good : outcome.symbol(planned: run.dryRun), sentence)
    }

    /// The command that would make the planned changes.
    private var planned: String {
        ["plan", "run", "verify"].contains(run.command) ? "a run" : "`godwit \(run.command)`"
    }

    /// Whether a stage changed something, with any outcome of the run.
    private var hasChanges: Bool {
        stageOutcomes.contains { $0?.hasChanges == true }
    }

    private var uses: String { run.dryRun && outcome.hasChanges ? "would then use" : "should use" }
}
