internal import GodwitModel

extension RunReport: CheckedReport {
    /// The command as a whole, then each stage that was part of it, then the comparison with what is expected.
    func outline(_ setting: ReportSetting) -> ReportOutline {
        let closing = closing
        var outline = ReportOutline(
            title: "godwit \(run.command)", app: run.app, container: run.container, conclusion: closing.text,
            symbol: closing.symbol, startedAt: run.startedAt, clock: run.clock, milliseconds: run.durationMilliseconds)
        outline.properties = [
            ("app", run.app), ("command", run.command), ("container", run.container), ("dryRun", "\(run.dryRun)"),
            ("godwitVersion", run.godwitVersion), ("outcome", outcome.rawValue), ("runId", run.id),
        ]
        if let activeStore { outline.properties.append(("activeStore", activeStore.rawValue)) }
        outline.sections = [whole(closing, setting.demands)] + stages(setting)
        if let expectation { outline.sections.append(expectation.section(setting.style)) }
        outline.warnings = warnings
        outline.nextSteps = nextSteps
        return outline
    }

    /// The stages that were part of the command, in their order.
    func stages(_ setting: ReportSetting) -> [OutlineSection] {
        let tense = Tense(planned: run.dryRun)
        var setting = setting
        // In a run that failed, `--strict` is not the reason.
        if outcome != .partial { setting.demands.remove(.everyValue) }
        return [
            rollback?.section(tense), reopen?.section(tense), backup?.section(tense),
            schema?.section(tense, setting), legacy?.section(tense, setting), dedupe?.section(tense, setting),
            undo?.section(tense), copy?.section(tense, setting), verify?.section(tense, setting),
        ].compactMap(\.self)
    }

    /// The command as a whole: it fails if something was demanded that is not so.
    private func whole(_ closing: (symbol: Symbol, text: String), _ demands: ReportDemands) -> OutlineSection {
        var items = [OutlineItem("outcome", "outcome", .passed, closing.text)]
        if demands.contains(.everyValue) {
            items.append(
                OutlineItem(
                    "strict", "no warnings, and every value arrives", isDoubtful ? .failed : .passed,
                    isDoubtful
                        ? "Under --strict: \(doubts)." : "There are no warnings, and every value arrives."))
        }
        if demands.contains(.nothingPending) {
            items.append(
                OutlineItem(
                    "pending", "nothing is pending", outcome.hasChanges ? .failed : .passed,
                    outcome.hasChanges ? "Changes are pending: \(changes)." : "A run would change nothing."))
        }
        if let warning = warnings.first(where: { $0.code == "divergedFromPlan" }) {
            items.append(OutlineItem("plan", "as planned", .failed, warning.message))
        }
        let notes = warnings.map(\.message) + notes.map(\.message) + nextSteps
        return OutlineSection(
            name: run.command, symbol: closing.symbol, headline: closing.text, lines: notes.map { .path($0) },
            items: items)
    }

    /// The stages that have work to do.
    private var changes: String {
        let all: [(String, Outcome?)] = [
            ("schema", schema?.outcome), ("legacy", legacy?.outcome), ("dedupe", dedupe?.outcome),
            ("dedupe", undo?.outcome), ("copy", copy?.outcome), ("rollback", rollback?.outcome),
            ("reopen", reopen?.outcome),
        ]
        return all.filter { $0.1?.hasChanges == true }.map(\.0).joined(separator: ", ")
    }
}

extension GodwitError: CheckedReport {
    /// The stages before the error, and the error in the section of its stage.
    func outline(_ setting: ReportSetting) -> ReportOutline {
        var outline =
            report?.outline(ReportSetting(style: setting.style, positions: setting.positions))
            ?? ReportOutline(title: "godwit", app: "godwit", conclusion: "", symbol: .bad)
        let detail = [messageWithCause, hint.map { "hint: \($0)" }].compactMap(\.self).joined(separator: "\n")
        let broken = OutlineItem("exit \(code.rawValue)", "\(stage.rawValue): \(code)", .broken, detail, at: position)
        if let index = outline.sections.firstIndex(where: { $0.name == stage.rawValue }) {
            outline.sections[index].items.append(broken)
            outline.sections[index].symbol = .bad
        } else {
            outline.sections.append(
                OutlineSection(name: stage.rawValue, symbol: .bad, headline: messageWithCause, items: [broken]))
        }
        outline.properties.append(("exitCode", "\(code.rawValue)"))
        outline.conclusion = messageWithCause
        outline.symbol = .bad
        return outline
    }

    /// The stages before the error, as text; empty if no stage had started.
    func reportText(_ style: TextStyle) -> String {
        report.map { $0.hasCommittedChanges ? $0.text(style) : "" } ?? ""
    }
}
