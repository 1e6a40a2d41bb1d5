package import GodwitModel

/// Judges an export at a later time from its own record of its freshness; pure.
///
/// Facts from the time of the export stay valid: it lacks data that was not in the cloud then. Ages are computed again.
package struct FreshnessRecheck: Sendable {
    /// The time at which ages are measured.
    package let now: Instant
    /// Age from which the verdict is `warn`; nil to use the criterion in the export.
    package let warnAfter: Span?
    /// Age from which the verdict is `error`; nil to use the criterion in the export.
    package let errorAfter: Span?

    package init(now: Instant, warnAfter: Span? = nil, errorAfter: Span? = nil) {
        (self.now, self.warnAfter, self.errorAfter) = (now, warnAfter, errorAfter)
    }

    /// The verdict on a complete export.
    ///
    /// `error` with a finding that makes it stale; otherwise `noData` if it has no records, `warn` with any finding or
    /// any reason in the export, and else `pass`, or `notJudged` without criteria. An age equal to a criterion has
    /// reached it.
    ///
    /// - Parameters:
    ///   - recorded: The freshness in the export; nil if it has none, as exports of other programs may.
    ///   - further: Other findings about the export.
    package func judge(
        path: String, exportedAt: Instant, recorded: Freshness?, further: [FreshnessFinding] = []
    ) -> ExportFreshness {
        let limits = criteria(of: recorded)
        var entry = ExportFreshness(
            path: path,
            criteria: Freshness.Criteria(
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

    /// The verdict if no export can be judged.
    package func judge(path: String, without finding: FreshnessFinding) -> ExportFreshness {
        var entry = ExportFreshness(
            path: path, status: .error,
            criteria: Freshness.Criteria(warnAfter: warnAfter?.description, errorAfter: errorAfter?.description))
        entry.findings = [finding]
        return entry
    }

    /// Criteria of the caller replace those of the export, each one separately.
    private func criteria(of recorded: Freshness?) -> (warn: Span?, error: Span?) {
        (
            warnAfter ?? recorded?.criteria.warnAfter.flatMap { Span($0) },
            errorAfter ?? recorded?.criteria.errorAfter.flatMap { Span($0) }
        )
    }

    /// Whether the reason is about an age or a finding that is determined again.
    private static func isOfAge(_ code: Freshness.Code) -> Bool {
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
        // Data cannot be newer than its export: a record with a date in the future, as in a calendar, proves nothing.
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

    /// - Parameter isLimited: Whether ages are required, which a date in the future cannot show.
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
                    .recordInFuture, "A record is dated in the future, so that the age of the data is not known."))
        }
        return findings
    }
}

extension [FreshnessFinding] {
    /// Worst first, in the order of the codes.
    package var inOrder: [FreshnessFinding] {
        let ranks = Dictionary(
            FreshnessFindingCode.allCases.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return enumerated().sorted { a, b in
            (ranks[a.element.code] ?? 0, a.offset) < (ranks[b.element.code] ?? 0, b.offset)
        }.map(\.element)
    }
}

extension Span {
    /// Whole seconds, rounded up, for comparison with an age in whole seconds.
    fileprivate var seconds: Int64 { milliseconds / 1000 + (milliseconds % 1000 > 0 ? 1 : 0) }
}
