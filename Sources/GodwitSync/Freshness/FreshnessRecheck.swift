package import GodwitModel

/// Judges an export anew, as of a later time, from what it says of itself; pure.
///
/// What was so when it was made stays so: it may not hold what waited for the cloud then. Ages grow, and are counted again.
package struct FreshnessRecheck: Sendable {
    /// The time that ages are counted to.
    package let now: Instant
    /// What is asked instead of the export's own criteria; nil for those.
    package let warnAfter: Span?
    /// Likewise.
    package let errorAfter: Span?

    package init(now: Instant, warnAfter: Span? = nil, errorAfter: Span? = nil) {
        (self.now, self.warnAfter, self.errorAfter) = (now, warnAfter, errorAfter)
    }

    /// The verdict on an export that is whole.
    ///
    /// `error` with a finding that alone makes it stale; else `noData` where it holds nothing; else `warn` with any
    /// finding, and with any reason that the export had itself; else `pass`, or `notJudged` without criteria. An age equal to a criterion has reached it.
    ///
    /// - Parameters:
    ///   - recorded: what the export says of its freshness; nil where it says nothing, as one by another program may.
    ///   - further: what else was found about it.
    package func judge(
        path: String, exportedAt: Instant, recorded: Freshness?, further: [FreshnessFinding] = []
    ) -> ExportFreshness {
        let limits = criteria(of: recorded)
        var entry = ExportFreshness(
            path: path,
            criteria: FreshnessCriteria(
                warnAfter: limits.warn?.description, errorAfter: limits.error?.description))
        entry.recorded = (recorded?.reasons ?? []).filter { !Self.isOfAge($0.code) }
        entry.newestRecordAt = recorded?.newestRecordAt
        entry.exportedAt = exportedAt
        entry.dataAgeSeconds = recorded?.newestRecordAt.map { age(of: $0) }
        entry.exportAgeSeconds = age(of: exportedAt)
        let holdsNothing = recorded?.reasons.contains { $0.code == .noData } ?? false
        var findings = further
        if holdsNothing { findings.append(FreshnessFinding(.noData, "It holds no record.")) }
        findings += ageFindings(of: entry, limits, holdsNothing: holdsNothing)
        findings += futureFindings(of: entry, isLimited: limits.error != nil)
        entry.findings = findings.inOrder
        entry.status =
            if findings.contains(where: \.code.isError) {
                .error
            } else if holdsNothing {
                .noData
            } else if !findings.isEmpty || !entry.recorded.isEmpty {
                .warn
            } else {
                limits.warn == nil && limits.error == nil ? .notJudged : .pass
            }
        return entry
    }

    /// The verdict where there is no export to judge.
    package func judge(path: String, without finding: FreshnessFinding) -> ExportFreshness {
        var entry = ExportFreshness(
            path: path, status: .error,
            criteria: FreshnessCriteria(warnAfter: warnAfter?.description, errorAfter: errorAfter?.description))
        entry.findings = [finding]
        return entry
    }

    /// Those that were asked for go before the export's own, each for itself.
    private func criteria(of recorded: Freshness?) -> (warn: Span?, error: Span?) {
        (
            warnAfter ?? recorded?.criteria.warnAfter.flatMap { Span($0) },
            errorAfter ?? recorded?.criteria.errorAfter.flatMap { Span($0) }
        )
    }

    /// Whether a reason speaks of an age at the time of the export, which is counted again, or of what is found anew.
    private static func isOfAge(_ code: FreshnessCode) -> Bool {
        code == .olderThanWarnAfter || code == .olderThanErrorAfter || code == .noData
    }

    /// Seconds from an instant to now; never negative.
    private func age(of instant: Instant) -> Int64 {
        guard instant < now else { return 0 }
        let (seconds, tooFar) = now.seconds.subtractingReportingOverflow(instant.seconds)
        guard !tooFar else { return .max }
        return now.attoseconds < instant.attoseconds ? seconds - 1 : seconds
    }

    private func ageFindings(
        of entry: ExportFreshness, _ limits: (warn: Span?, error: Span?), holdsNothing: Bool
    ) -> [FreshnessFinding] {
        // Data can't be newer than its export: a record that is dated ahead, as in a calendar, makes nothing fresh.
        let (data, export) = (entry.dataAgeSeconds, entry.exportAgeSeconds ?? 0)
        let isDated = data.map { $0 >= export } ?? false
        let age = max(data ?? 0, export)
        let what =
            isDated
            ? "The newest record"
            : data == nil && !holdsNothing
                ? "No record has a readable date; the export" : "The export"
        func finding(_ code: FreshnessFindingCode, _ name: String, _ limit: Span) -> FreshnessFinding {
            let words = FreshnessInputs.words(milliseconds: age < Int64.max / 1000 ? age * 1000 : .max)
            return FreshnessFinding(code, "\(what) is \(words) old; \(name) is \(limit).")
        }
        if let limit = limits.error, age >= limit.seconds {
            return [finding(isDated ? .olderThanErrorAfter : .exportOlderThanErrorAfter, "errorAfter", limit)]
        }
        if let limit = limits.warn, age >= limit.seconds {
            return [finding(isDated ? .olderThanWarnAfter : .exportOlderThanWarnAfter, "warnAfter", limit)]
        }
        return []
    }

    /// - Parameter isLimited: whether an age is asked for, which a date in the future can't show.
    private func futureFindings(of entry: ExportFreshness, isLimited: Bool) -> [FreshnessFinding] {
        var findings: [FreshnessFinding] = []
        if let date = entry.exportedAt, date.isAhead(of: now) {
            findings.append(
                FreshnessFinding(
                    isLimited ? .onlyInFuture : .exportedInFuture,
                    "The export is dated in the future: a clock was or is wrong, and its age is not known."))
        }
        if let date = entry.newestRecordAt, date.isAhead(of: now) {
            findings.append(
                FreshnessFinding(
                    .recordInFuture, "A record is dated in the future, so that the age of the data can't be told."))
        }
        return findings
    }
}

extension [FreshnessFinding] {
    /// The worst first, each kind where its code stands.
    package var inOrder: [FreshnessFinding] {
        let places = Dictionary(
            FreshnessFindingCode.allCases.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return enumerated().sorted { a, b in
            (places[a.element.code] ?? 0, a.offset) < (places[b.element.code] ?? 0, b.offset)
        }.map(\.element)
    }
}

extension Span {
    /// Whole seconds of it, rounded up: an age in whole seconds has reached it then.
    fileprivate var seconds: Int64 { milliseconds / 1000 + (milliseconds % 1000 > 0 ? 1 : 0) }
}
