internal import GodwitModel

extension RunReport.Verify {
    /// `12 checks passed`, then each that failed or had nothing to check.
    func section(_ tense: Tense, _ setting: ReportSetting) -> OutlineSection {
        let hasFailed = checks.contains { $0.verdict == .failed }
        let symbol: Symbol = hasFailed ? .bad : outcome.symbol(planned: false)
        return OutlineSection(
            .verify, symbol, headline(planned: tense.planned), lines: details(setting.style), items: items(tense))
    }

    /// Each check; else one item that there is nothing to check.
    private func items(_ tense: Tense) -> [OutlineItem] {
        guard !checks.isEmpty else {
            return [OutlineItem("verify", headline(planned: tense.planned), outcome == .failed ? .failed : .passed, "")]
        }
        var items = checks.map { check in
            let kind = check.name.split(separator: ".").first.map(String.init) ?? check.name
            let count = check.count.map { " (\($0.grouped))" } ?? ""
            return OutlineItem(kind, check.name, check.verdict.itemVerdict, check.detail + count)
        }
        items += (changedInCloud ?? []).map { OutlineItem("changedInCloud", $0.entity, .noticed, $0.sentence) }
        if outcome == .failed, !items.contains(where: { $0.verdict == .failed }) {
            items.append(OutlineItem("verify", "verify", .failed, "failed before the checks were complete"))
        }
        return items
    }

    func headline(planned: Bool) -> String {
        let passed = checks.count { $0.verdict == .passed }
        let failed = checks.count { $0.verdict == .failed }
        let skipped = checks.count { $0.verdict == .skipped }
        if let unmigrated { return unmigrated.state }
        let tail = skipped > 0 ? ", \(skipped.grouped) skipped" : ""
        if failed > 0 {
            return
                "\(failed.grouped) of \((passed + failed).counted("check")) \(planned ? "would fail" : "failed")\(tail)"
        }
        switch outcome {
        case .failed: return "failed before the checks were complete"
        case .nothingToDo: return "nothing to check"
        case .alreadyDone: return "flag and receipt agree; `godwit verify` makes every check"
        case .healed, .done, .partial: return "\(passed.counted("check")) \(planned ? "would pass" : "passed")\(tail)"
        }
    }

    /// The state of a container that no run has changed, and what a run would do; nil for others.
    var unmigrated: (state: String, run: String)? {
        guard let last = checks.last, last.isUnmigrated else { return nil }
        let parts = last.detail.split(separator: "; ", maxSplits: 1).map(String.init)
        return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    }

    private func details(_ style: TextStyle) -> [TextLine] {
        if let unmigrated { return [TextLine(indent: 4, .pointer, unmigrated.run)] }
        let shown = checks.filter { style.verbose || $0.verdict != .passed }
        let columns = min(36, shown.map { $0.name.escapingControls.displayWidth }.max() ?? 0)
        return shown.flatMap { check in
            let name = Painted(check.name, check.verdict == .failed ? .strong : .plain, padded: columns + 1)
            let line = TextLine(indent: 4, [check.verdict.symbol.painted, name], check.detail + check.countText)
            let records = style.verbose ? check.records ?? [] : []
            return [line] + records.map { .path(indent: 8, $0.words) }
        }
    }
}

extension RunReport.Verify.Check {
    /// The number, if the sentence does not have it: ` (1,200)`.
    fileprivate var countText: String {
        guard let count, count > 0, !detail.contains(count.grouped), !detail.hasPrefix("the one ") else {
            return ""
        }
        return " (\(count.grouped))"
    }
}

extension RunReport.Verify.Record {
    /// `missing 'key'`, or `dangling 'key' by Entity.column`.
    fileprivate var words: String { "\(finding.rawValue) '\(key)'" + (reference.map { " by \($0)" } ?? "") }
}

extension RunReport.Verify.Verdict {
    fileprivate var itemVerdict: ItemVerdict {
        switch self {
        case .passed: .passed
        case .failed: .failed
        case .skipped: .skipped
        }
    }

    var symbol: Symbol {
        switch self {
        case .passed: .good
        case .failed: .bad
        case .skipped: .item
        }
    }
}
