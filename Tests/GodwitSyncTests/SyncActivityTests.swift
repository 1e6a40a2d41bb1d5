import GodwitModel
import GodwitSync
import Testing

/// Bursts of short events do not make a status flicker.
struct SyncActivityTests {
    private static func moment(_ milliseconds: Int64) -> Instant {
        Instant(milliseconds: at(0).milliseconds + milliseconds)
    }

    private static let worked: [SyncEvent] = [.done(.setup, 0, 1), .done(.import, 1, 2), .done(.export, 3, 10)]

    private static func shown(
        _ events: [SyncEvent], _ milliseconds: Int64, network: Freshness.Network = .online,
        account: Freshness.Account = .available
    ) -> String {
        let inputs = UserSyncInputs(
            state: SyncState(events), account: account, network: network, activeStore: .cloud, copy: .done,
            pendingChanges: 0, recordCount: 640, asOf: moment(milliseconds))
        return UserSyncCondition(inputs).name
    }

    @Test(
        "a sync is active 2.999 seconds after its last event, and idle after 3 seconds",
        arguments: [
            (10_000, true), (10_001, true), (12_999, true), (13_000, false), (13_001, false), (90_000, false),
        ] as [(Int64, Bool)])
    func quiet(milliseconds: Int64, isSyncing: Bool) {
        let now = Self.moment(milliseconds)
        let state = SyncState(Self.worked)
        #expect(state.isSettling(asOf: now) == isSyncing)
        #expect(state.activity(asOf: now) == (isSyncing ? .syncing : .idle))
        #expect(Self.shown(Self.worked, milliseconds) == (isSyncing ? "syncing" : "synced"))
        #expect(state.summary(account: .available, network: .online) == .succeeded, "the summary knows no clock")
    }

    @Test("times below a millisecond are compared exactly")
    func exact() {
        let state = SyncState([.done(.import, 0, 10)])
        let just = Instant(seconds: at(13).seconds - 1, attoseconds: 999_999_999_999_999_999)
        #expect(state.isSettling(asOf: just) && !state.isSettling(asOf: at(13)))
    }

    @Test("a sync stays active between the events of a burst, and is idle 3 seconds after the last one")
    func burst() {
        let burst: [SyncEvent] = (0..<20).map { .done($0 % 2 == 0 ? .import : .export, 100 + 2 * $0, 101 + 2 * $0) }
        for second in 100...200 {
            let seen = burst.filter { $0.startedAt <= at(Int64(second)) }.map { event in
                event.endedAt.map { $0 <= at(Int64(second)) } == true ? event : .begun(event.phase, event.startedAt)
            }
            let expected = second < 142 ? "syncing" : "synced"
            #expect(Self.shown(Self.worked + seen, Int64(second) * 1000) == expected, "\(second)")
        }
    }

    @Test("an event in progress counts as active, however long ago it began")
    func inProgress() {
        let state = SyncState(Self.worked + [.begun(.import, 20)])
        #expect(state.activity(asOf: at(1_000_000)) == .syncing)
        #expect(!state.isSettling(asOf: at(1_000_000)))
    }

    @Test(
        "a date up to 3 seconds in the future counts as now, and a later one is ignored",
        arguments: [(7000, true), (6999, false), (0, false)] as [(Int64, Bool)])
    func skew(milliseconds: Int64, isSyncing: Bool) {
        let events: [SyncEvent] = [.done(.setup, -90, -80), .done(.import, -70, -60), .done(.export, -50, 10)]
        #expect(SyncState(events).isSettling(asOf: Self.moment(milliseconds)) == isSyncing)
        #expect(Self.shown(events, milliseconds) == (isSyncing ? "syncing" : "synced"))
    }

    @Test("a date in the future in one store does not hide recent activity in another")
    func skewElsewhere() {
        let events = [SyncEvent.done(.import, 5000, 6000).of("a"), .done(.import, 8, 9).of("b")]
        #expect(SyncState(events).isSettling(asOf: at(10)))
        #expect(!SyncState(events).isSettling(asOf: at(12)))
    }

    @Test("a failure, a missing network and a missing account are reported at once")
    func atOnce() {
        let failed: [SyncEvent] = [.done(.setup, 0, 1), .failed(.import, 9, 10)]
        #expect(Self.shown(failed, 10_000) == "error")
        #expect(Self.shown(failed, 10_000, network: .unknown) == "error")
        #expect(SyncState(failed).activity(asOf: at(10)) == .idle)
        #expect(SyncState(failed + [.begun(.export, 10)]).activity(asOf: at(10)) == .syncing)
        #expect(Self.shown(Self.worked, 10_000, network: .offline) == "offline")
        #expect(Self.shown(Self.worked, 10_000, account: .noAccount) == "error")
    }

    @Test("a setup that just ended is not reported as notSyncing for 3 seconds")
    func afterSetup() {
        for network in [Freshness.Network.online, .unknown] {
            #expect(Self.shown([.done(.setup, 0, 1)], 3_999, network: network) == "syncing")
            #expect(Self.shown([.done(.setup, 0, 1)], 4_000, network: network) == "error")
        }
    }

    @Test("without events, a sync is never active")
    func nothing() {
        for seconds in [Int64.min, -1, 0, .max] {
            #expect(SyncState().activity(asOf: Instant(seconds: seconds)) == .idle)
            _ = SyncState(Self.worked).activity(asOf: Instant(seconds: seconds))
        }
    }

    @Test("the overview of a status has the activity, and that of an export does not")
    func overview() {
        let state = SyncState(Self.worked)
        #expect(state.overview(account: .unknown, network: .unknown, asOf: at(11)).activity == .syncing)
        #expect(state.overview(account: .unknown, network: .unknown, asOf: at(60)).activity == .idle)
        #expect(state.overview(account: .unknown, network: .unknown).activity == nil)
    }

    @Test("an export between two events of a burst may be stale and says why")
    func freshness() {
        let verdict = FreshnessAssessor.assess(.sample { $0.isSettling = true })
        #expect(verdict.reasons.map(\.code) == [.syncing] && verdict.status == .warn)
        #expect(verdict.reasons.first?.message == "A sync had been at work less than 3 seconds before.")
        let running = FreshnessAssessor.assess(
            .sample {
                $0.isSettling = true
                $0.sync.status = .inProgress
            })
        #expect(running.reasons.map(\.message) == ["A sync was in progress."])
        #expect(FreshnessAssessor.assess(.sample()).reasons.isEmpty)
    }
}
