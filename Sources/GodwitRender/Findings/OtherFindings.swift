internal import GodwitModel

extension StatusReport: CheckedReport {
    /// Where the container stands; a broken sync fails where a working one is demanded.
    func findings(_ setting: ReportSetting) -> Findings {
        var findings = Findings(
            title: "godwit status", app: app, container: container, conclusion: userStatus.message, symbol: symbol,
            startedAt: asOf)
        findings.clock = clock
        findings.properties = [("app", app), ("command", "status"), ("container", container)]
        if let activeStore { findings.properties.append(("activeStore", activeStore.rawValue)) }
        let demanded: FindingVerdict = setting.demands.contains(.workingSync) ? .failed : .doubtful
        var listed = [
            Finding("copy", "copy", [.done, .notDone, .notDoneHere].contains(copy) ? .passed : .doubtful, copyPhrase),
            Finding(
                "sync", "sync", isSyncBroken ? demanded : .passed,
                [userStatus.message, sync.lastError].compactMap(\.self).joined(separator: " ")),
            Finding(
                "pending", "pending changes", pendingChanges?.total == 0 ? .passed : .noticed, pendingPhrase),
        ]
        listed += [(StoreRole.local, local), (.cloud, cloud)].map { role, store in
            Finding(
                "store", role.phrase, store.pendingMigrations > 0 ? .noticed : store.exists ? .passed : .skipped,
                store.exists ? store.facts(times(setting.style)).joined(separator: ", ") : "not there")
        }
        if let last = lastRuns.first {
            listed.append(
                Finding(
                    "run", "last run", last.outcome == .failed ? .doubtful : .passed,
                    "\(last.command): \(last.shownSummary)"))
        }
        findings.suites = [
            FindingSuite(
                name: "status", headline: userStatus.message, symbol: symbol, findings: listed,
                text: text(setting.style.withoutColor).trimmedLines)
        ]
        findings.warnings = warnings
        findings.nextSteps = nextSteps
        return findings
    }
}

extension ExportReport: CheckedReport {
    /// What was written, entity by entity, and how fresh it is; a stale export is no failure of the command.
    func findings(_ setting: ReportSetting) -> Findings {
        let text = text(TextStyle(width: setting.style.width, verbose: setting.style.verbose)).trimmedLines
        let headline = unchangedSince.map { "unchanged since \($0), nothing was written" } ?? freshness.verdict
        var findings = Findings(
            title: "godwit export", app: setting.places.app ?? "godwit", conclusion: headline,
            symbol: dryRun ? .pointer : freshness.status.symbol)
        if let newest = freshness.newestRecordAt, let age = freshness.ageSeconds {
            findings.startedAt = newest.advanced(bySeconds: age)
        }
        findings.clock = clock
        findings.properties = [
            ("bytes", "\(bytes)"), ("command", "export"), ("contentVersion", contentVersion),
            ("dryRun", "\(dryRun)"), ("file", file ?? "-"), ("sha256", sha256), ("store", store.rawValue),
        ]
        var listed = counts.sorted { $0.key < $1.key }.map { name, count in
            Finding(
                "exported", name, .passed, count.counted("record"), at: setting.places.place(ofEntity: name))
        }
        let reasons = freshness.reasons.map(\.message).joined(separator: " ")
        listed.append(
            Finding(
                "freshness", "freshness", freshness.status.findingVerdict,
                reasons.isEmpty ? freshness.verdict : "\(freshness.verdict): \(reasons)"))
        findings.suites = [
            FindingSuite(
                name: "export", headline: headline, symbol: findings.symbol, findings: listed, text: text)
        ]
        findings.warnings = warnings
        return findings
    }
}

extension ImportReport: CheckedReport {
    /// What was restored, entity by entity, and the proof of it.
    func findings(_ setting: ReportSetting) -> Findings {
        let text = text(TextStyle(width: setting.style.width, verbose: setting.style.verbose)).trimmedLines
        let total = counts.total.counted("record")
        var findings = Findings(
            title: "godwit import", app: document.app,
            conclusion: dryRun ? "would restore \(total)" : "\(total) restored",
            symbol: dryRun ? .pointer : .good, milliseconds: durationMilliseconds)
        findings.clock = clock
        findings.properties = [
            ("app", document.app), ("command", "import"), ("document", document.file ?? "-"), ("dryRun", "\(dryRun)"),
            ("exportId", document.exportId), ("file", file ?? "-"), ("runId", runId), ("sha256", sha256),
        ]
        var listed = counts.sorted { $0.key < $1.key }.map { name, count in
            Finding(
                "restored", name, .passed, count.counted("record"), at: setting.places.place(ofEntity: name))
        }
        listed += schema.findings(Tense(planned: dryRun), setting.places)
        listed.append(
            Finding("proof", "exported again", .passed, "the store gives the same records: sha256 \(sha256)"))
        findings.suites = [
            FindingSuite(
                name: "import", headline: findings.conclusion, symbol: findings.symbol, findings: listed, text: text)
        ]
        findings.warnings = warnings
        return findings
    }
}

extension String {
    /// Its lines, without an empty one at the end.
    fileprivate var trimmedLines: [String] {
        var lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last == "" { lines.removeLast() }
        return lines
    }
}

extension FreshnessStatus {
    fileprivate var findingVerdict: FindingVerdict {
        switch self {
        case .pass: .passed
        case .notJudged: .skipped
        case .warn, .error, .noData: .doubtful
        }
    }
}
