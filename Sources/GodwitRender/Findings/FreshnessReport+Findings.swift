internal import GodwitModel

extension FreshnessReport: CheckedReport {
    /// A suite for each export: its age, what was found, what it said of itself when it was made.
    func findings(_ setting: ReportSetting) -> Findings {
        var findings = Findings(
            title: "godwit freshness", app: exports.compactMap(\.app).first ?? "godwit", conclusion: conclusion,
            symbol: symbol, startedAt: asOf)
        findings.clock = clock
        findings.properties = [("asOf", asOf.iso8601), ("command", command)]
        let demandsFresh = setting.demands.contains(.freshData)
        findings.suites = exports.map { export in
            let style = TextStyle(width: setting.style.width, verbose: setting.style.verbose)
            var page = TextPage(style)
            for line in export.lines(asOf: asOf) { page.add(line) }
            return FindingSuite(
                name: export.file ?? export.path, headline: export.verdict, symbol: export.status.symbol,
                findings: export.listed(demandsFresh: demandsFresh), text: page.lines)
        }
        return findings
    }
}

extension ExportFreshness {
    /// - Parameter demandsFresh: whether a warning makes the command fail as well.
    fileprivate func listed(demandsFresh: Bool) -> [Finding] {
        let doubt: FindingVerdict = demandsFresh ? .failed : .doubtful
        var listed = findings.map { finding in
            Finding("freshness", finding.code.rawValue, finding.code.isError ? .failed : doubt, finding.message)
        }
        listed += recorded.map { Finding("recorded", $0.code.rawValue, doubt, $0.message) }
        if listed.isEmpty, status == .notJudged {
            listed.append(Finding("freshness", "notJudged", .skipped, verdict))
        } else if listed.isEmpty {
            listed.append(Finding("freshness", "fresh", .passed, verdict))
        }
        return listed
    }
}
