internal import GodwitModel

extension RunReport.Dedupe {
    /// `3 duplicates set aside in 2 groups`, then each group.
    func section(_ tense: Tense, _ setting: ReportSetting) -> OutlineSection {
        let removed = NumberTable(
            columns: ["set aside"],
            rows: removed.sorted { $0.key < $1.key }.map { ($0.key, [Int64(clamping: $0.value)]) })
        return OutlineSection(
            .dedupe, outcome.symbol(planned: tense.planned), headline(tense),
            lines: details(indent: 4, setting.style), items: items(tense, setting.positions),
            table: OutlineTable("Duplicates", "Entity", removed))
    }

    /// Each group; without duplicates, one item that says so.
    func items(_ tense: Tense, _ positions: ReportPositions, prefix: String = "") -> [OutlineItem] {
        guard groupCount > 0 || !groups.isEmpty else {
            return [OutlineItem("dedupe", prefix + headline(tense), .passed, outcome.phrase)]
        }
        let listed = groups.prefix(OutlineItem.maxListed).map { group in
            OutlineItem(
                group.entity, "\(prefix)\(group.entity) \(group.key)", .passed,
                group.reason.phrase(records: group.losers.count + 1), at: positions.position(ofEntity: group.entity))
        }
        return listed + OutlineItem.rest("groups", max(groupCount, groups.count) - listed.count)
    }

    /// The line without its name, for a store that another stage cleans.
    func headline(_ tense: Tense) -> String {
        switch outcome {
        case .failed: OutlineSection.failed
        case .nothingToDo: "no duplicates"
        case .alreadyDone: "already done by an earlier run"
        case .healed: "\(tense.passive("completed")): \(tally(Tense(planned: false)))"
        case .done, .partial: tally(tense)
        }
    }

    private func tally(_ tense: Tense) -> String {
        var parts: [String] = []
        // A single record that got its fixed key is a group as well.
        let lone = groups.count { $0.losers.isEmpty && $0.rekeyed }
        if removed.total > 0 {
            let aside = "\(removed.total.counted("duplicate")) \(tense.passive("set aside"))"
            parts.append("\(aside) in \((groupCount - lone).counted("group"))")
        } else {
            parts.append("no duplicates")
        }
        if lone > 0 {
            let key = lone == 1 ? "its fixed key" : "their fixed keys"
            parts.append("\(lone.counted("record")) \(tense.passive("given")) \(key)")
        }
        if repointed > 0 { parts.append("\(repointed.counted("reference")) \(tense.passive("moved to the winner"))") }
        return parts.joined(separator: ", ")
    }

    /// Groups listed before the rest is only counted.
    private static let listedGroups = 3

    /// Each group, its winner and its duplicates.
    func details(indent: Int, _ style: TextStyle) -> [TextLine] {
        let shown = groups.prefix(style.listed(Self.listedGroups, of: groups.count))
        var lines = shown.flatMap { $0.lines(indent: indent, style) }
        let rest = max(groupCount, groups.count) - shown.count
        if rest > 0 {
            lines.append(TextLine(indent: indent, .item, "and \(rest.counted("more group", "more groups"))"))
        }
        return lines
    }
}

extension RunReport.Dedupe.Group {
    /// Duplicates listed before the rest is only counted.
    private static let listedLosers = 3

    fileprivate func lines(indent: Int, _ style: TextStyle) -> [TextLine] {
        let title = "\(entity) \(key.escapingControls.shortened(to: 40)): \(reason.phrase(records: losers.count + 1))"
        var lines = [TextLine(indent: indent, .item, rekeyed ? "\(title), under the fixed key" : title)]
        let shown = losers.prefix(style.listed(Self.listedLosers, of: losers.count))
        let keys = ([winner] + shown).map { $0.key.escapingControls.shortened(to: 40) }
        let columns = keys.map(\.displayWidth).max() ?? 0
        for (index, contender) in ([winner] + shown).enumerated() {
            let role = index == 0 ? Painted("kept", .good, padded: 9) : Painted("set aside", .plain, padded: 9)
            let key = Painted(" " + keys[index], padded: columns + 2)
            lines.append(
                TextLine(indent: indent + 2, [role, key], contender.modifiedAt?.readable ?? "no date", .faint))
        }
        let rest = losers.count - shown.count
        if rest > 0 { lines.append(TextLine(indent: indent + 2, [], "and \(rest.grouped) more set aside")) }
        return lines
    }
}

extension RunReport.Dedupe.Reason {
    /// Why the winner won, over how many.
    func phrase(records: Int) -> String {
        switch self {
        case .identical: "\(records == 2 ? "both" : "all \(records.grouped)") are equal in every column, one stays"
        case .newest: "the newest of \(records.grouped) stays"
        case .earliest: "the earliest of \(records.grouped) stays"
        case .smallerKey: "the dates are equal, the smallest key of \(records.grouped) stays"
        case .smallerColumns: "dates and keys are equal, the smallest record of \(records.grouped) stays"
        case .onlyOne: "the only record stays"
        case .cloudKept: "the cloud's record stays, as the manifest says"
        case .localKept: "the local record stays, as the manifest says"
        case .tieCloud: "the dates are equal, the cloud's record stays"
        }
    }
}
