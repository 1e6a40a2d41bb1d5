internal import GodwitModel

extension FleetReport: CheckedReport {
    /// The fleet as a whole, then each container.
    func outline(_ setting: ReportSetting) -> ReportOutline {
        let conclusion = "\(sums)."
        var outline = ReportOutline(
            title: title, app: app, container: folder, conclusion: conclusion,
            symbol: symbol, startedAt: startedAt, clock: clock, milliseconds: durationMilliseconds)
        outline.properties = [
            ("app", app), ("command", command), ("folder", folder), ("godwitVersion", godwitVersion),
        ]
        if dryRun { outline.properties.append(("dryRun", "true")) }
        if let shard { outline.properties.append(("shard", "\(shard)")) }
        if let shards { outline.properties.append(("shards", "\(shards)")) }
        if let fleet { outline.properties.append(("fleetSha256", fleet.sha256)) }
        if doneEarlier > 0 { outline.properties.append(("doneEarlier", "\(doneEarlier)")) }
        outline.nextSteps = nextSteps
        let slowest = NumberTable(
            columns: ["ms"], rows: timings.map { ($0.container, [$0.durationMilliseconds]) })
        let whole = OutlineSection(
            name: command, symbol: symbol, headline: conclusion, lines: (notes + nextSteps).map { .path($0) },
            items: [OutlineItem("outcome", "outcome", .passed, conclusion)],
            table: OutlineTable("Slowest", "Container", slowest))
        let isStrict = setting.demands.contains(.everyValue)
        outline.sections = [whole] + containers.map { $0.section(setting.style, words, isStrict: isStrict) }
        outline.warnings = containers.flatMap { entry in
            (entry.warnings ?? []).map {
                Warning($0.code, "\(entry.container): \($0.message)", hint: $0.hint, position: $0.position)
            }
        }
        return outline
    }
}

extension FleetEntry {
    fileprivate func section(_ style: TextStyle, _ words: FleetWords, isStrict: Bool) -> OutlineSection {
        let headline = words.headline(of: self)
        return OutlineSection(
            name: container, symbol: words.symbol(of: verdict), headline: headline, lines: lines(style, 0, words),
            items: items(headline, words, isStrict: isStrict))
    }

    /// Invariant: an item failed exactly if the container makes the command fail.
    private func items(_ headline: String, _ words: FleetWords, isStrict: Bool) -> [OutlineItem] {
        var items: [OutlineItem] = []
        if words.command != .verify, error == nil {
            let isFailure = verdict == .partial && isStrict || verdict == .failed
            // A check that failed is an item of its own: the failure is listed once.
            if verdict != .failed || failed.isEmpty && isAsExpected {
                items.append(OutlineItem("outcome", "outcome", isFailure ? .failed : .passed, headline))
            }
        }
        if passed > 0 { items.append(OutlineItem("checks", passed.counted("check"), .passed, "passed")) }
        items += failed.map { check in
            let kind = check.name.split(separator: ".").first.map(String.init) ?? check.name
            return OutlineItem(kind, check.name, .failed, check.detail)
        }
        if let expectation { items += expectation.items }
        if let error {
            let detail = [error.message, error.hint.map { "hint: \($0)" }].compactMap(\.self).joined(separator: "\n")
            items.append(OutlineItem("exit \(error.code)", "\(error.stage.rawValue)", .broken, detail))
        }
        return items
    }

    private var isAsExpected: Bool { expectation?.verdict != .differs }
}
