import GodwitModel
import GodwitSync
import Testing

struct SyncStoresTests {
    private static func state(_ events: SyncEvent...) -> SyncState { SyncState(events) }

    @Test("a success in one store does not hide a failure of another, earlier or later")
    func failureStays() {
        for (bad, good) in [(1, 10), (10, 1)] as [(Int64, Int64)] {
            let state = Self.state(
                .failed(.import, bad, bad + 1).of("a"), .done(.import, good, good + 1).of("b"),
                .done(.export, 3, 4).of("b"))
            #expect(state.importing == .failed(started: at(bad), ended: at(bad + 1), error: busyError))
            #expect(state.summary(account: .available, network: .online) == .error)
            #expect(state.lastImportAt == at(good + 1), "the last success is still reported")
        }
        let healed = Self.state(
            .failed(.import, 1, 2).of("a"), .done(.import, 1, 2).of("b"), .done(.import, 3, 4).of("a"))
        #expect(healed.importing.isSucceeded, "its own success takes it away")
    }

    @Test("a phase in several stores is failed before in progress, succeeded and not started")
    func precedence() {
        let bad = SyncEvent.failed(.export, 1, 2).of("a")
        let running = SyncEvent.begun(.export, 5).of("b")
        let good = SyncEvent.done(.export, 7, 8).of("c")
        #expect(Self.state(bad, running, good).exporting.isFailed)
        #expect(Self.state(running, good).exporting.isInProgress)
        #expect(Self.state(good).exporting.isSucceeded)
        #expect(Self.state(.done(.import, 7, 8).of("c")).exporting.isNotStarted)
    }

    @Test("of two failures or successes the later end counts, and of two events in progress the later start")
    func latest() {
        let failures = Self.state(
            .failed(.import, 5, 6, signInError).of("a"), .failed(.import, 1, 9).of("b"))
        #expect(failures.lastFailure == busyError)
        #expect(failures.importing.endedAt == at(9))
        #expect(Self.state(.done(.import, 5, 6).of("a"), .done(.import, 1, 9).of("b")).importing.endedAt == at(9))
        #expect(Self.state(.begun(.import, 5).of("a"), .begun(.import, 7).of("b")).importing.startedAt == at(7))
    }

    @Test("one store that was set up but receives nothing gives notSyncing")
    func notSyncing() {
        let state = Self.state(
            .done(.setup, 0, 1).of("a"), .done(.import, 2, 3).of("a"), .done(.export, 2, 3).of("a"),
            .done(.setup, 0, 1).of("b"))
        #expect(state.lacksImport)
        #expect(state.summary(account: .available, network: .online) == .notSyncing)
        #expect(state.summary(account: .available, network: .unknown) == .succeeded)
        let failed = SyncState([
            .failed(.setup, 0, 1).of("b"), .done(.setup, 0, 1).of("a"), .done(.import, 2, 3).of("a"),
        ])
        #expect(!failed.lacksImport, "a setup that failed is another matter")
        #expect(!Self.state(.done(.import, 0, 1).of("a"), .begun(.setup, 2).of("b")).lacksImport)
    }

    @Test("events without a store are ignored after later events that name one")
    func overtaken() {
        let old: [SyncEvent] = [.done(.setup, 0, 1), .failed(.import, 2, 3), .begun(.export, 4)]
        let named: [SyncEvent] = [
            .done(.setup, 10, 11).of("a"), .done(.import, 12, 13).of("a"), .done(.export, 14, 15).of("a"),
        ]
        let state = SyncState(old + named)
        #expect(state.summary(account: .available, network: .online) == .succeeded)
        #expect(state == SyncState(named + old))
        #expect(SyncState(old + [named[0]]).importing.isFailed, "only the same phase takes its place")
        #expect(SyncState(named + [.failed(.import, 20, 21)]).importing.isFailed, "a later one counts")
        #expect(
            !SyncState([.done(.setup, 0, 1), .done(.setup, 2, 3).of("a"), .done(.import, 4, 5).of("a")]).lacksImport)
    }

    @Test("events of several stores give the same state in every order")
    func anyOrder() {
        let day: [SyncEvent] = [
            .done(.setup, 0, 1).of("a"), .failed(.import, 2, 3).of("a"), .done(.import, 2, 3).of("b"),
            .failed(.import, 1, 3, signInError).of("b"), .begun(.export, 6), .done(.export, 5, 8).of("b"),
            .done(.setup, 9, 9),
        ]
        let expected = SyncState(day)
        #expect(day.permutations.allSatisfy { Self.isSame(SyncState($0), expected) })
    }

    @Test("shuffled, repeated and unfinished events of several stores give one state", arguments: 0..<200)
    func property(seed: UInt64) {
        var dice = Dice(seed)
        let events = (0..<40).map { _ in Self.event(&dice) }
        let expected = SyncState(events)
        for _ in 0..<5 {
            var shuffled = events + events.filter { _ in dice.roll(3) == 0 }
            shuffled.shuffle(using: &dice)
            #expect(Self.isSame(SyncState(shuffled), expected), "\(seed)")
        }
        for phase in SyncPhase.allCases {
            #expect(expected[phase].name == Self.expectedState(events, phase), "\(seed) \(phase)")
        }
    }

    private static func isSame(_ a: SyncState, _ b: SyncState) -> Bool {
        a == b && a.phaseStatuses == b.phaseStatuses && a.lastFailure == b.lastFailure && a.lacksImport == b.lacksImport
    }

    private static func event(_ dice: inout Dice) -> SyncEvent {
        let phase = SyncPhase.allCases[dice.roll(3)]
        let start = Int64(dice.roll(8))
        let end = start + Int64(dice.roll(4))
        let event: SyncEvent =
            switch dice.roll(4) {
            case 0: .begun(phase, start)
            case 1: .failed(phase, start, end, dice.roll(2) == 0 ? busyError : signInError)
            default: .done(phase, start, end)
            }
        return event.of(["a", "b", "c"][dice.roll(3)])
    }

    /// The rule in a simple form: the newest event of each store, and the worst of those.
    private static func expectedState(_ events: [SyncEvent], _ phase: SyncPhase) -> String {
        var names: Set<String> = []
        for store in ["a", "b", "c"] {
            let own = events.filter { $0.phase == phase && $0.store == store }
            let newest = own.filter { event in !own.contains { $0.startedAt > event.startedAt } }
            let ended = newest.filter { $0.endedAt != nil }
            if newest.isEmpty { continue }
            guard let last = ended.compactMap(\.endedAt).max() else {
                names.insert("inProgress")
                continue
            }
            let isBad = ended.contains { $0.endedAt == last && !$0.succeeded }
            names.insert(isBad ? "failed" : "succeeded")
        }
        return ["failed", "inProgress", "succeeded"].first { names.contains($0) } ?? "notStarted"
    }
}

/// A random number generator with a seed.
private struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }

    mutating func roll(_ sides: Int) -> Int { Int((next() >> 33) % UInt64(sides)) }
}
