internal import GodwitModel

extension FleetReport: CheckedReport {
    /// A suite for the whole, and one for each container.
    func findings(_ setting: ReportSetting) -> Findings {
        let conclusion = "\(sums)."
        var findings = Findings(
            title: title, app: app, container: folder, conclusion: conclusion,
            symbol: symbol, startedAt: startedAt, milliseconds: durationMilliseconds)
        findings.clock = clock
        findings.properties = [
            ("app", app), ("command", command), ("folder", folder), ("godwitVersion", godwitVersion),
        ]
        if dryRun { findings.properties.append(("dryRun", "true")) }
        if let shard { findings.properties.append(("shard", "\(shard)")) }
        if let shards { findings.properties.append(("shards", "\(shards)")) }
        if let fleet { findings.properties.append(("fleetSha256", fleet.sha256)) }
        if doneEarlier > 0 { findings.properties.append(("doneEarlier", "\(doneEarlier)")) }
        findings.nextSteps = nextSteps
        let whole = FindingSuite(
            name: command, headline: conclusion, symbol: findings.symbol,
            findings: [Finding("outcome", "outcome", .passed, conclusion)], text: notes + nextSteps)
        let isStrict = setting.demands.contains(.everyValue)
        findings.suites = [whole] + containers.map { $0.suite(setting.style, words, isStrict: isStrict) }
        findings.warnings = containers.flatMap { entry in
            (entry.warnings ?? []).map {
                Warning($0.code, "\(entry.container): \($0.message)", hint: $0.hint, place: $0.place)
            }
        }
        let slowest = NumberTable(
            columns: ["ms"], rows: timings.map { ($0.container, [$0.durationMilliseconds]) })
        findings.tables = [FindingTable("Slowest", "Container", slowest)].compactMap(\.self)
        return findings
    }
}

extension FleetEntry {
    fileprivate func suite(_ style: TextStyle, _ words: FleetWords, isStrict: Bool) -> FindingSuite {
        let headline = words.headline(of: self)
        var page = TextPage(TextStyle(width: style.width, verbose: style.verbose))
        for line in lines(style, 0, words) { page.add(line) }
        return FindingSuite(
            name: container, headline: headline, symbol: words.symbol(of: verdict),
            findings: findings(headline, words, isStrict: isStrict), text: page.lines)
    }

    /// What was looked at in it.
    ///
    /// Something of it has failed exactly where the container makes the command fail.
    private func findings(_ headline: String, _ words: FleetWords, isStrict: Bool) -> [Finding] {
        var findings: [Finding] = []
        if words.command != .verify, error == nil {
            let isFailure = verdict == .partial && isStrict || verdict == .failed
            // Where a check failed, that is what failed, and once is enough.
            if verdict != .failed || failed.isEmpty && isAsExpected {
                findings.append(Finding("outcome", "outcome", isFailure ? .failed : .passed, headline))
            }
        }
        if passed > 0 { findings.append(Finding("checks", passed.counted("check"), .passed, "passed")) }
        findings += failed.map { check in
            let kind = check.name.split(separator: ".").first.map(String.init) ?? check.name
            return Finding(kind, check.name, .failed, check.detail)
        }
        if let expectation { findings += expectation.findings }
        if let error {
            let detail = [error.message, error.hint.map { "hint: \($0)" }].compactMap(\.self).joined(separator: "\n")
            findings.append(Finding("exit \(error.code)", "\(error.stage.rawValue)", .broken, detail))
        }
        return findings
    }

    private var isAsExpected: Bool { expectation?.verdict != .differs }
}
