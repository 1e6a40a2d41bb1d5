internal import GodwitModel

extension StatusReport: CheckedReport {
    /// The copy, the sync, the stores and the last run; a broken sync fails if a working one is demanded.
    func outline(_ setting: ReportSetting) -> ReportOutline {
        var outline = ReportOutline(
            title: "godwit status", app: app, container: container, conclusion: userStatus.message, symbol: symbol,
            startedAt: asOf, clock: clock)
        outline.properties = [("app", app), ("command", "status"), ("container", container)]
        if let activeStore { outline.properties.append(("activeStore", activeStore.rawValue)) }
        let demanded: ItemVerdict = setting.demands.contains(.workingSync) ? .failed : .doubtful
        var items = [
            OutlineItem(
                "copy", "copy", [.done, .notDone, .notDoneHere].contains(copy) ? .passed : .doubtful, copyPhrase),
            OutlineItem(
                "sync", "sync", isSyncBroken ? demanded : .passed,
                [userStatus.message, sync.lastError].compactMap(\.self).joined(separator: " ")),
            OutlineItem(
                "pending", "pending changes", pendingChanges?.total == 0 ? .passed : .noticed, pendingPhrase),
        ]
        items += [(StoreRole.local, local), (.cloud, cloud)].map { role, store in
            OutlineItem(
                "store", role.phrase, store.pendingMigrations > 0 ? .noticed : store.exists ? .passed : .skipped,
                store.exists ? store.facts(times(setting.style)).joined(separator: ", ") : "not there")
        }
        if let last = lastRuns.first {
            items.append(
                OutlineItem(
                    "run", "last run", last.outcome == .failed ? .doubtful : .passed,
                    "\(last.command): \(last.shownSummary)"))
        }
        outline.sections = [
            OutlineSection(
                name: "status", symbol: symbol, headline: userStatus.message,
                lines: text(setting.style.withoutColor).wholeLines, items: items)
        ]
        outline.warnings = warnings
        outline.nextSteps = nextSteps
        return outline
    }
}

extension ExportReport: CheckedReport {
    /// The exported records of each entity, and the freshness; the command does not fail if the export is stale.
    func outline(_ setting: ReportSetting) -> ReportOutline {
        let headline = unchangedSince.map { "unchanged since \($0), nothing was written" } ?? freshness.verdict
        var outline = ReportOutline(
            title: "godwit export", app: setting.positions.app ?? "godwit", conclusion: headline,
            symbol: dryRun ? .pointer : freshness.status.symbol, clock: clock)
        if let newest = freshness.newestRecordAt, let age = freshness.ageSeconds {
            outline.startedAt = newest.advanced(bySeconds: age)
        }
        outline.properties = [
            ("bytes", "\(bytes)"), ("command", "export"), ("contentVersion", contentVersion),
            ("dryRun", "\(dryRun)"), ("file", file ?? "-"), ("sha256", sha256), ("store", store.rawValue),
        ]
        var items = counts.sorted { $0.key < $1.key }.map { name, count in
            OutlineItem(
                "exported", name, .passed, count.counted("record"), at: setting.positions.position(ofEntity: name))
        }
        let reasons = freshness.reasons.map(\.message).joined(separator: " ")
        items.append(
            OutlineItem(
                "freshness", "freshness", freshness.status.itemVerdict,
                reasons.isEmpty ? freshness.verdict : "\(freshness.verdict): \(reasons)"))
        outline.sections = [
            OutlineSection(
                name: "export", symbol: outline.symbol, headline: headline,
                lines: text(setting.style.withoutColor).wholeLines, items: items)
        ]
        outline.warnings = warnings
        return outline
    }
}

extension RestoreReport: CheckedReport {
    /// The restored records of each entity, the schema, and the proof.
    func outline(_ setting: ReportSetting) -> ReportOutline {
        let total = counts.total.counted("record")
        var outline = ReportOutline(
            title: "godwit import", app: document.app,
            conclusion: dryRun ? "would restore \(total)" : "\(total) restored",
            symbol: dryRun ? .pointer : .good, clock: clock, milliseconds: durationMilliseconds)
        outline.properties = [
            ("app", document.app), ("command", "import"), ("document", document.file ?? "-"), ("dryRun", "\(dryRun)"),
            ("exportId", document.exportId), ("file", file ?? "-"), ("runId", runId), ("sha256", sha256),
        ]
        var items = counts.sorted { $0.key < $1.key }.map { name, count in
            OutlineItem(
                "restored", name, .passed, count.counted("record"), at: setting.positions.position(ofEntity: name))
        }
        items += schema.items(Tense(planned: dryRun), setting.positions)
        items.append(
            OutlineItem("proof", "exported again", .passed, "the store gives the same records: sha256 \(sha256)"))
        outline.sections = [
            OutlineSection(
                name: "import", symbol: outline.symbol, headline: outline.conclusion,
                lines: text(setting.style.withoutColor).wholeLines, items: items)
        ]
        outline.warnings = warnings
        return outline
    }
}

extension String {
    /// The lines of a text that is laid out already, without an empty one at the end.
    fileprivate var wholeLines: [TextLine] {
        var lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last == "" { lines.removeLast() }
        return lines.map { .path($0) }
    }
}

extension Freshness.Status {
    fileprivate var itemVerdict: ItemVerdict {
        switch self {
        case .pass: .passed
        case .notJudged: .skipped
        case .warn, .error, .noData: .doubtful
        }
    }
}
