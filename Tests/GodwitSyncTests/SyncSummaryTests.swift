import GodwitModel
import GodwitSync
import Testing

/// The four states of a phase without their times; every combination of three is tried.
private enum Kind: CaseIterable {
    case none, running, good, bad

    func event(_ phase: SyncPhase) -> SyncEvent? {
        switch self {
        case .none: nil
        case .running: .begun(phase, 1)
        case .good: .done(phase, 1, 2)
        case .bad: .failed(phase, 1, 2)
        }
    }
}

struct SyncSummaryTests {
    private static func state(_ setup: Kind, _ imports: Kind, _ exports: Kind) -> SyncState {
        SyncState([setup.event(.setup), imports.event(.import), exports.event(.export)].compactMap(\.self))
    }

    struct Case: Sendable {
        let name: String
        let events: [SyncEvent]
        var account = Freshness.Account.available
        var network = Freshness.Network.online
        let expected: Freshness.Sync.Status
    }

    static let cases: [Case] = [
        Case(name: "offline, nothing seen", events: [], network: .offline, expected: .noNetwork),
        Case(
            name: "offline wins over no account", events: [], account: .noAccount, network: .offline,
            expected: .noNetwork),
        Case(
            name: "offline wins over a failure", events: [.failed(.import, 1, 2)], network: .offline,
            expected: .noNetwork),
        Case(
            name: "offline wins over success", events: [.done(.import, 1, 2), .done(.export, 1, 2)], network: .offline,
            expected: .noNetwork),
        Case(name: "no account", events: [], account: .noAccount, expected: .accountNotAvailable),
        Case(name: "restricted account", events: [], account: .restricted, expected: .accountNotAvailable),
        Case(
            name: "no account, network not known", events: [], account: .noAccount, network: .unknown,
            expected: .accountNotAvailable),
        Case(
            name: "no account wins over a failure", events: [.failed(.setup, 1, 2)], account: .noAccount,
            expected: .accountNotAvailable),
        Case(name: "setup failed", events: [.failed(.setup, 1, 2)], expected: .error),
        Case(name: "import failed", events: [.failed(.import, 1, 2)], expected: .error),
        Case(name: "export failed", events: [.done(.import, 1, 2), .failed(.export, 1, 2)], expected: .error),
        Case(
            name: "a failure wins over not syncing", events: [.done(.setup, 1, 2), .failed(.export, 1, 2)],
            expected: .error),
        Case(
            name: "a failure wins over progress", events: [.begun(.import, 1), .failed(.export, 1, 2)], expected: .error
        ),
        Case(
            name: "a failure counts with an unknown account", events: [.failed(.import, 1, 2)], account: .unknown,
            expected: .error),
        Case(
            name: "a failure does not count while the network is not known", events: [.failed(.import, 1, 2)],
            network: .unknown, expected: .unknown),
        Case(
            name: "a failed phase that runs again is no failure", events: [.failed(.import, 1, 2), .begun(.import, 3)],
            expected: .inProgress),
        Case(name: "set up, no import", events: [.done(.setup, 1, 2)], expected: .notSyncing),
        Case(
            name: "set up, no import, account not known", events: [.done(.setup, 1, 2)], account: .unknown,
            expected: .notSyncing),
        Case(
            name: "not syncing wins over an export in progress", events: [.done(.setup, 1, 2), .begun(.export, 3)],
            expected: .notSyncing),
        Case(
            name: "set up, no import, network not known", events: [.done(.setup, 1, 2)], network: .unknown,
            expected: .unknown),
        Case(name: "set up, import began", events: [.done(.setup, 1, 2), .begun(.import, 3)], expected: .inProgress),
        Case(name: "nothing seen", events: [], expected: .notStarted),
        Case(
            name: "nothing seen, nothing known", events: [], account: .unknown, network: .unknown, expected: .notStarted
        ),
        Case(name: "setup runs", events: [.begun(.setup, 1)], expected: .inProgress),
        Case(
            name: "import runs after success",
            events: [.done(.import, 1, 2), .done(.export, 1, 2), .begun(.import, 3)], expected: .inProgress),
        Case(
            name: "export runs after an import failure, network not known",
            events: [.failed(.import, 1, 2), .begun(.export, 1)], network: .unknown, expected: .inProgress),
        Case(name: "both succeeded", events: [.done(.import, 1, 2), .done(.export, 1, 2)], expected: .succeeded),
        Case(
            name: "both succeeded, nothing else known", events: [.done(.import, 1, 2), .done(.export, 1, 2)],
            account: .unknown, network: .unknown, expected: .succeeded),
        Case(name: "import only", events: [.done(.setup, 0, 1), .done(.import, 1, 2)], expected: .unknown),
        Case(name: "export only", events: [.done(.export, 1, 2)], expected: .unknown),
    ]

    @Test("the summary is the first rule that matches", arguments: cases)
    func table(item: Case) {
        let summary = SyncState(item.events).summary(account: item.account, network: item.network)
        #expect(summary == item.expected, "\(item.name)")
    }

    @Test("the summary follows the rules in all 768 combinations", arguments: Freshness.Account.allCases)
    func exhaustive(account: Freshness.Account) {
        for network in Freshness.Network.allCases {
            for setup in Kind.allCases {
                for imports in Kind.allCases {
                    for exports in Kind.allCases {
                        let all = [setup, imports, exports]
                        let rules: [(Freshness.Sync.Status, Bool)] = [
                            (.noNetwork, network == .offline),
                            (.accountNotAvailable, account == .noAccount || account == .restricted),
                            (.error, network == .online && all.contains(.bad)),
                            (.notSyncing, network == .online && setup == .good && imports == .none),
                            (.notStarted, all == [.none, .none, .none]),
                            (.inProgress, all.contains(.running)),
                            (.succeeded, imports == .good && exports == .good),
                            (.unknown, true),
                        ]
                        #expect(rules.map(\.0) == Freshness.Sync.Status.allCases)
                        let state = Self.state(setup, imports, exports)
                        let found = state.summary(account: account, network: network)
                        #expect(found == rules.first { $0.1 }?.0, "\(account) \(network) \(all)")
                    }
                }
            }
        }
    }

    @Test("only error, notSyncing and unknown count as broken")
    func broken() {
        #expect(Freshness.Sync.Status.allCases.filter(\.isBroken) == [.error, .notSyncing, .unknown])
    }

    @Test("the overview has the last error even if the summary ignores it")
    func overview() {
        let state = SyncState([.failed(.import, 1, 2, signInError)])
        #expect(
            state.overview(account: .unknown, network: .unknown)
                == Freshness.Sync(
                    availability: .unknown, network: .unknown, status: .unknown, lastError: "CKErrorDomain 9"))
        #expect(SyncState().overview(account: .available, network: .online).lastError == nil)
    }
}
