internal import GodwitModel

extension FreshnessReport: CheckedReport {
    /// Each export: its age, the findings, and the reasons that it recorded when it was made.
    func outline(_ setting: ReportSetting) -> ReportOutline {
        var outline = ReportOutline(
            title: "godwit freshness", app: exports.compactMap(\.app).first ?? "godwit", conclusion: conclusion,
            symbol: symbol, startedAt: asOf, clock: clock)
        outline.properties = [("asOf", asOf.iso8601), ("command", command)]
        let demandsFresh = setting.demands.contains(.freshData)
        outline.sections = exports.map { export in
            OutlineSection(
                name: export.file ?? export.path, symbol: export.status.symbol, headline: export.verdict,
                lines: export.lines(asOf: asOf), items: export.items(demandsFresh: demandsFresh))
        }
        return outline
    }
}

extension ExportFreshness {
    /// - Parameter demandsFresh: whether a warning makes the command fail as well.
    fileprivate func items(demandsFresh: Bool) -> [OutlineItem] {
        let doubt: ItemVerdict = demandsFresh ? .failed : .doubtful
        var items = findings.map { finding in
            OutlineItem("freshness", finding.code.rawValue, finding.code.isError ? .failed : doubt, finding.message)
        }
        items += recorded.map { OutlineItem("recorded", $0.code.rawValue, doubt, $0.message) }
        if items.isEmpty, status == .notJudged {
            items.append(OutlineItem("freshness", "notJudged", .skipped, verdict))
        } else if items.isEmpty {
            items.append(OutlineItem("freshness", "fresh", .passed, verdict))
        }
        return items
    }
}
