internal import GodwitModel

extension RunReport: CheckedReport {
    /// The outcome of the whole first, then a suite for each stage that was part of the command.
    func findings(_ setting: ReportSetting) -> Findings {
        let closing = closing
        var findings = Findings(
            title: "godwit \(run.command)", app: run.app, container: run.container, conclusion: closing.text,
            symbol: closing.symbol, startedAt: run.startedAt, milliseconds: run.durationMilliseconds)
        findings.clock = run.clock
        findings.properties = [
            ("app", run.app), ("command", run.command), ("container", run.container), ("dryRun", "\(run.dryRun)"),
            ("godwitVersion", run.godwitVersion), ("outcome", outcome.rawValue), ("runId", run.id),
        ]
        if let activeStore { findings.properties.append(("activeStore", activeStore.rawValue)) }
        findings.suites = [whole(closing, setting.demands)] + stageSuites(setting)
        if let expectation { findings.suites.append(expectation.suite(setting.style)) }
        findings.tables = tables
        findings.warnings = warnings
        findings.nextSteps = nextSteps
        return findings
    }

    /// The command as a whole: it fails where something was demanded that is not so.
    private func whole(_ closing: (symbol: Symbol, text: String), _ demands: ReportDemands) -> FindingSuite {
        var findings = [Finding("outcome", "outcome", .passed, closing.text)]
        if demands.contains(.everyValue) {
            findings.append(
                Finding(
                    "strict", "no warnings, and every value arrives", isDoubtful ? .failed : .passed,
                    isDoubtful
                        ? "Under --strict: \(doubts)." : "There are no warnings, and every value arrives."))
        }
        if demands.contains(.nothingPending) {
            findings.append(
                Finding(
                    "pending", "nothing is pending", outcome.hasChanges ? .failed : .passed,
                    outcome.hasChanges ? "Changes are pending: \(changes)." : "A run would change nothing."))
        }
        if let warning = warnings.first(where: { $0.code == "divergedFromPlan" }) {
            findings.append(Finding("plan", "as planned", .failed, warning.message))
        }
        return FindingSuite(
            name: run.command, headline: closing.text, symbol: closing.symbol, findings: findings,
            text: warnings.map(\.message) + notes.map(\.message) + nextSteps)
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

    private func stageSuites(_ setting: ReportSetting) -> [FindingSuite] {
        let tense = Tense(planned: run.dryRun)
        let isStrict = setting.demands.contains(.everyValue) && outcome == .partial
        let found: [(StageText, [Finding])?] = [
            rollback.map { ($0.stageText(planned: run.dryRun, setting.style), $0.findings(tense)) },
            reopen.map { ($0.stageText(planned: run.dryRun, setting.style), $0.findings(tense)) },
            backup.map { ($0.stageText(planned: run.dryRun, setting.style), $0.findings(tense)) },
            schema.map { ($0.stageText(planned: run.dryRun, setting.style), $0.findings(tense, setting.places)) },
            legacy.map {
                ($0.stageText(planned: run.dryRun, setting.style), $0.findings(tense, isStrict: isStrict, setting))
            },
            dedupe.map { ($0.stageText(planned: run.dryRun, setting.style), $0.findings(tense, setting.places)) },
            undo.map { ($0.stageText(planned: run.dryRun, setting.style), $0.findings(tense)) },
            copy.map { ($0.stageText(planned: run.dryRun, setting.style), $0.findings(tense, setting.places)) },
            verify.map { ($0.stageText(planned: run.dryRun, setting.style), $0.findings(tense)) },
        ]
        return found.compactMap(\.self).map { text, findings in
            var page = TextPage(TextStyle(width: setting.style.width, verbose: setting.style.verbose))
            page.add(text)
            return FindingSuite(
                name: text.stage.rawValue, headline: text.headline, symbol: text.symbol, findings: findings,
                text: page.lines)
        }
    }

    private var tables: [FindingTable] {
        let buckets = KeyOutcome.allCases.compactMap { bucket in
            legacy?.buckets[bucket.rawValue].map { (name: bucket.phrase, numbers: [Int64(clamping: $0)]) }
        }
        let removed = (dedupe?.removed ?? [:]).sorted { $0.key < $1.key }
            .map { (name: $0.key, numbers: [Int64(clamping: $0.value)]) }
        return [
            FindingTable("Legacy keys", "Bucket", NumberTable(columns: ["keys"], rows: buckets)),
            FindingTable("Duplicates", "Entity", NumberTable(columns: ["set aside"], rows: removed)),
            copy.flatMap { FindingTable("Records", "Entity", $0.entityTable(TextStyle(verbose: true))) },
        ].compactMap(\.self)
    }
}

extension GodwitError: CheckedReport {
    /// What had been done before, and the error in the suite of its stage.
    func findings(_ setting: ReportSetting) -> Findings {
        var findings =
            report?.findings(ReportSetting(style: setting.style, places: setting.places))
            ?? Findings(title: "godwit", app: "godwit", conclusion: "", symbol: .bad)
        let detail = [messageWithCause, hint.map { "hint: \($0)" }].compactMap(\.self).joined(separator: "\n")
        let broken = Finding("exit \(code.rawValue)", "\(stage.rawValue): \(code)", .broken, detail, at: place)
        if let index = findings.suites.firstIndex(where: { $0.name == stage.rawValue }) {
            findings.suites[index].findings.append(broken)
            findings.suites[index].symbol = .bad
        } else {
            findings.suites.append(
                FindingSuite(name: stage.rawValue, headline: messageWithCause, symbol: .bad, findings: [broken]))
        }
        findings.properties.append(("exitCode", "\(code.rawValue)"))
        findings.conclusion = messageWithCause
        findings.symbol = .bad
        return findings
    }

    /// What had been done, as text, if anything had.
    func reportText(_ style: TextStyle) -> String {
        report.map { $0.hasCommittedChanges ? $0.text(style) : "" } ?? ""
    }
}
