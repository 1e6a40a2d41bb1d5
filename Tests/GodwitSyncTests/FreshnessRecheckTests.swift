import GodwitModel
import GodwitSync
import Testing

struct FreshnessRecheckTests {
    /// The record of an export made at 0; its newest record is an hour older.
    private func recorded(
        _ reasons: [Freshness.Reason] = [], newest: Int64? = -3600, warn: String? = "12h", error: String? = "48h"
    ) -> Freshness {
        Freshness(
            status: reasons.isEmpty ? .pass : .warn, mayBeStale: !reasons.isEmpty, reasons: reasons,
            newestRecordAt: newest.map(at), lastLocalSaveAt: nil, lastSyncAt: nil, ageSeconds: 3600,
            criteria: Freshness.Criteria(warnAfter: warn, errorAfter: error),
            sync: Freshness.Sync(availability: .available, network: .online, status: .succeeded, lastError: nil),
            pendingChanges: 0)
    }

    private func judge(
        _ recorded: Freshness?, at seconds: Int64, warn: Span? = nil, error: Span? = nil,
        further: [FreshnessFinding] = []
    ) -> ExportFreshness {
        FreshnessRecheck(now: at(seconds), warnAfter: warn, errorAfter: error)
            .judge(path: "e.json", exportedAt: at(0), recorded: recorded, further: further)
    }

    /// Seconds since the export, the verdict, and the findings.
    static let ages: [(Int64, Freshness.Status, [FreshnessFindingCode])] = [
        (0, .pass, []),
        (11 * 3600 - 1, .pass, []),
        (11 * 3600, .warn, [.olderThanWarnAfter]),
        (47 * 3600 - 1, .warn, [.olderThanWarnAfter]),
        (47 * 3600, .error, [.olderThanErrorAfter]),
        (400 * 86_400, .error, [.olderThanErrorAfter]),
        // A clock that was set back: five minutes are accepted.
        (-300, .pass, []),
        (-301, .error, [.onlyInFuture]),
        (-3900, .error, [.onlyInFuture]),
        (-3901, .error, [.onlyInFuture, .recordInFuture]),
    ]

    @Test(
        "the age of the newest record is counted to now, and an age equal to a criterion has reached it",
        arguments: ages
    )
    func age(_ seconds: Int64, _ status: Freshness.Status, _ codes: [FreshnessFindingCode]) {
        let entry = judge(recorded(), at: seconds)
        #expect(entry.status == status)
        #expect(entry.findings.map(\.code) == codes)
        #expect(entry.dataAgeSeconds == max(0, seconds + 3600))
        #expect(entry.exportAgeSeconds == max(0, seconds))
    }

    @Test("without a criterion, a date in the future is a finding but not an error")
    func futureWithoutCriterion() {
        let entry = judge(recorded(error: nil), at: -301)
        #expect(entry.status == .warn && entry.findings.map(\.code) == [.exportedInFuture])
        #expect(judge(recorded(error: nil), at: -301, error: Span("1h")).status == .error)
    }

    @Test("fractions of a second do not make an export older")
    func fractions() {
        let now = Instant(seconds: at(0).seconds + 10, attoseconds: 1)
        let made = Instant(seconds: at(0).seconds, attoseconds: 2)
        let entry = FreshnessRecheck(now: now).judge(path: "e", exportedAt: made, recorded: nil)
        #expect(entry.exportAgeSeconds == 9)
    }

    @Test("facts at the time of the export remain reasons, and its age then does not")
    func reasons() {
        let entry = judge(
            recorded([
                Freshness.Reason(.pendingChanges, "4 local changes had not reached the cloud store."),
                Freshness.Reason(.olderThanWarnAfter, "The newest record was 13h old; warnAfter is 12h."),
            ]), at: 60)
        #expect(entry.status == .warn)
        #expect(entry.recorded.map(\.code) == [.pendingChanges])
        #expect(entry.findings == [])
    }

    @Test("criteria of the caller replace those of the export one by one")
    func criteria() {
        #expect(judge(recorded(), at: 0, error: Span("1h")).status == .error)
        #expect(judge(recorded(), at: 0, warn: Span("30m")).status == .warn)
        let entry = judge(recorded(), at: 0, warn: Span("30m"))
        #expect(entry.criteria == Freshness.Criteria(warnAfter: "30m", errorAfter: "48h"))
    }

    @Test("an age is not judged without readable criteria, and one criterion is enough")
    func noCriteria() {
        #expect(judge(recorded(warn: nil, error: nil), at: 400 * 86_400).status == .notJudged)
        #expect(judge(recorded(warn: "soon", error: "-1h"), at: 400 * 86_400).status == .notJudged)
        #expect(judge(recorded(warn: nil, error: nil), at: 0, warn: Span("30d")).status == .pass)
        #expect(judge(recorded(warn: nil, error: nil), at: 0, error: Span("30d")).status == .pass)
        let doubtful = recorded([Freshness.Reason(.syncing, "A sync was in progress.")], warn: nil, error: nil)
        #expect(judge(doubtful, at: 0).status == .warn)
    }

    @Test("without a dated record, the age of the export counts")
    func undated() {
        let entry = judge(recorded(newest: nil), at: 48 * 3600)
        #expect(entry.status == .error)
        #expect(entry.findings.map(\.code) == [.exportOlderThanErrorAfter])
        #expect(judge(recorded(newest: nil), at: 12 * 3600).findings.map(\.code) == [.exportOlderThanWarnAfter])
        #expect(judge(nil, at: 12 * 3600, warn: Span("12h")).findings.map(\.code) == [.exportOlderThanWarnAfter])
    }

    @Test("a record with a date in the future does not make an old export fresh")
    func datedAhead() {
        let calendar = recorded(newest: 5 * 365 * 86_400)
        #expect(judge(calendar, at: 86_400).findings.map(\.code) == [.recordInFuture, .exportOlderThanWarnAfter])
        #expect(judge(calendar, at: 3 * 86_400).status == .error)
        let passed = judge(calendar, at: 5 * 365 * 86_400 + 60)
        #expect(passed.status == .error && passed.findings.map(\.code) == [.exportOlderThanErrorAfter])
    }

    @Test("an export without records is noData unless it is also too old")
    func noData() {
        let empty = recorded([Freshness.Reason(.noData, "No record was exported.")], newest: nil)
        #expect(judge(empty, at: 0).status == .noData)
        #expect(judge(empty, at: 0).findings.map(\.code) == [.noData])
        #expect(judge(empty, at: 48 * 3600).status == .error)
    }

    @Test(
        "every finding that makes an export stale is an error and comes first",
        arguments: FreshnessFindingCode.allCases)
    func further(_ code: FreshnessFindingCode) {
        let entry = judge(recorded(), at: 12 * 3600, further: [FreshnessFinding(code, "x")])
        #expect((entry.status == .error) == code.isError)
        #expect(entry.findings.map(\.code).contains(code))
        if code.isError { #expect(entry.findings.first?.code == code) }
    }

    @Test("a missing export is stale")
    func missing() {
        let entry = FreshnessRecheck(now: at(0), warnAfter: Span("1h"))
            .judge(path: "nowhere", without: FreshnessFinding(.missing, "There is nothing here."))
        #expect(entry.status == .error && entry.file == nil && entry.criteria.warnAfter == "1h")
    }

    @Test("times at the limits do not overflow")
    func extremes() {
        let first = Instant(seconds: .min, attoseconds: 0)
        let last = Instant(seconds: .max, attoseconds: 0)
        let entry = FreshnessRecheck(now: last, warnAfter: Span("1s"), errorAfter: Span("2s"))
            .judge(path: "e", exportedAt: first, recorded: nil)
        #expect(entry.status == .error && (entry.exportAgeSeconds ?? 0) > 10_000 * 365 * 86_400)
        #expect(FreshnessRecheck(now: first).judge(path: "e", exportedAt: last, recorded: nil).status == .warn)
    }
}
