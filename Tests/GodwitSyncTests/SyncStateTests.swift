import GodwitModel
import GodwitSync
import Testing

struct SyncStateTests {
    @Test("without events, no phase has started")
    func empty() {
        let state = SyncState()
        #expect(SyncPhase.allCases.allSatisfy { state[$0] == .notStarted })
        #expect(!state.hasBegun)
        #expect(state.lastSyncAt == nil)
        #expect(state.lastFailure == nil)
    }

    @Test("an event changes only its own phase", arguments: SyncPhase.allCases)
    func ownPhase(phase: SyncPhase) {
        let state = SyncState([.begun(phase, 1)])
        #expect(state[phase] == .inProgress(started: at(1)))
        #expect(SyncPhase.allCases.filter { state[$0].isNotStarted }.count == 2)
        #expect(state.hasBegun)
    }

    @Test("one event gives the state that it describes")
    func states() {
        #expect(SyncPhaseState(.begun(.import, 1)) == .inProgress(started: at(1)))
        #expect(SyncPhaseState(.done(.import, 1, 2)) == .succeeded(started: at(1), ended: at(2)))
        #expect(SyncPhaseState(.failed(.import, 1, 2)) == .failed(started: at(1), ended: at(2), error: busyError))
        #expect(
            SyncPhaseState(.failed(.import, 1, 2, nil))
                == .failed(started: at(1), ended: at(2), error: .unspecified))
        let contradiction = SyncEvent(.import, startedAt: at(1), endedAt: at(2), succeeded: true, error: busyError)
        #expect(SyncPhaseState(contradiction).isSucceeded, "the app's own verdict counts")
        #expect(SyncPhaseState(SyncEvent(.import, startedAt: at(1), succeeded: true)).isInProgress)
    }

    /// Pairs of events of one phase: the second wins, in either order.
    static let precedence: [(String, SyncEvent, SyncEvent)] = [
        ("a new start replaces a failure", .failed(.import, 1, 2), .begun(.import, 3)),
        ("a new start replaces a success", .done(.import, 1, 2), .begun(.import, 3)),
        ("a new start replaces one that never ended", .begun(.import, 1), .begun(.import, 3)),
        ("a new start wins though the old one ended later", .done(.import, 1, 9), .begun(.import, 3)),
        ("a failure replaces an older success", .done(.import, 1, 2), .failed(.import, 3, 4)),
        ("a success replaces an older failure", .failed(.import, 1, 2), .done(.import, 3, 4)),
        ("the end of an event replaces its start", .begun(.import, 1), .done(.import, 1, 2)),
        ("the bad end of an event replaces its start", .begun(.import, 1), .failed(.import, 1, 2)),
        ("an end at the time of the start still is an end", .begun(.import, 1), .done(.import, 1, 1)),
        ("the later end of one start wins", .done(.import, 1, 2), .failed(.import, 1, 3)),
        ("the later end of one start wins, also a good one", .failed(.import, 1, 2), .done(.import, 1, 3)),
        ("of two that say the opposite the failure stays", .done(.import, 1, 2), .failed(.import, 1, 2)),
        (
            "a failure stays, with any error", .done(.import, 1, 2),
            .failed(.import, 1, 2, SyncError(domain: "", code: -1))
        ),
        ("of two failures the greater code stays", .failed(.import, 1, 2, signInError), .failed(.import, 1, 2)),
        (
            "of two failures the greater domain stays", .failed(.import, 1, 2),
            .failed(.import, 1, 2, SyncError(domain: "NSURLErrorDomain", code: -1009))
        ),
    ]

    @Test("which of two events stays does not depend on their order", arguments: precedence)
    func precedes(name: String, loser: SyncEvent, winner: SyncEvent) {
        let expected = SyncPhaseState(winner)
        #expect(SyncState([loser, winner]).importing == expected, "\(name)")
        #expect(SyncState([winner, loser]).importing == expected, "\(name), the other way round")
        #expect(SyncState([winner, loser, winner, loser]).importing == expected, "\(name), repeated")
    }

    @Test("the events of a day give the same state in every order, also repeated")
    func anyOrder() {
        let day: [SyncEvent] = [
            .done(.setup, 0, 1), .begun(.import, 2), .failed(.import, 2, 3), .done(.import, 4, 5),
            .begun(.export, 6), .done(.export, 6, 8), .begun(.export, 9),
        ]
        let expected = SyncState(day)
        #expect(expected.setup == .succeeded(started: at(0), ended: at(1)))
        #expect(expected.importing == .succeeded(started: at(4), ended: at(5)))
        #expect(expected.exporting == .inProgress(started: at(9)))
        #expect(expected.lastImportAt == at(5))
        #expect(expected.lastExportAt == at(8))
        #expect(day.permutations.allSatisfy { SyncState($0) == expected })
        #expect(SyncState(day + day.reversed() + day) == expected)
    }

    @Test("the last success stays known after a new event or a failure")
    func lastSuccess() {
        var state = SyncState([.done(.setup, 0, 9), .done(.import, 1, 2), .failed(.import, 3, 4), .begun(.import, 5)])
        #expect(state.lastImportAt == at(2))
        #expect(state.lastExportAt == nil)
        #expect(state.lastSyncAt == at(2), "setup is no sync")
        state.apply(.done(.export, 6, 7))
        #expect(state.lastSyncAt == at(7))
        state.apply(.done(.import, 0, 1))
        #expect(state.lastImportAt == at(2), "an older one does not set it back")
    }

    @Test("the last failure is the latest one among the failed phases")
    func lastFailure() {
        var state = SyncState([.failed(.setup, 0, 5, signInError), .failed(.import, 1, 4)])
        #expect(state.lastFailure == signInError)
        state.apply(.begun(.setup, 6))
        #expect(state.lastFailure == busyError, "a phase in progress again no longer counts")
        state.apply(.done(.import, 7, 8))
        #expect(state.lastFailure == nil)
        let tie = SyncState([.failed(.export, 1, 5), .failed(.import, 2, 5, signInError)])
        #expect(tie.lastFailure == signInError, "import comes before export")
        #expect(SyncState([.failed(.export, 1, 2, nil)]).lastFailure == .unspecified)
    }

    @Test("phases have their names in reports")
    func phaseStatuses() {
        let state = SyncState([.done(.setup, 0, 1), .failed(.export, 2, 3)])
        #expect(
            state.phaseStatuses == [
                StatusReport.Phase(phase: "setup", state: "succeeded", startedAt: at(0), endedAt: at(1)),
                StatusReport.Phase(phase: "import", state: "notStarted"),
                StatusReport.Phase(
                    phase: "export", state: "failed", startedAt: at(2), endedAt: at(3), error: "CKErrorDomain 23"),
            ])
        let running = SyncState([.begun(.import, 4)]).phaseStatuses[1]
        #expect(running == StatusReport.Phase(phase: "import", state: "inProgress", startedAt: at(4)))
    }
}
