import GodwitModel
import GodwitSync
import Testing

struct FreshnessAssessorTests {
    private static func codes(_ change: (inout FreshnessInputs) -> Void) -> [Freshness.Code] {
        FreshnessAssessor.assess(.sample(change)).reasons.map(\.code)
    }

    @Test("an export without reasons passes, and shows its inputs")
    func passes() {
        let inputs = FreshnessInputs.sample()
        #expect(
            FreshnessAssessor.assess(inputs)
                == Freshness(
                    status: .pass, mayBeStale: false, reasons: [], newestRecordAt: at(-3600),
                    lastLocalSaveAt: at(-3500), lastSyncAt: at(-3400), ageSeconds: 3600,
                    criteria: Freshness.Criteria(warnAfter: "12h", errorAfter: "48h"), sync: inputs.sync,
                    pendingChanges: 0))
    }

    /// What is changed, the expected reason (nil for none) and its sentence.
    struct Case: Sendable {
        let name: String
        let code: Freshness.Code?
        let message: String?
        let change: @Sendable (inout FreshnessInputs) -> Void

        init(
            _ name: String, _ code: Freshness.Code?, _ message: String? = nil,
            _ change: @escaping @Sendable (inout FreshnessInputs) -> Void
        ) {
            self.name = name
            self.code = code
            self.message = message
            self.change = change
        }
    }

    static let cases: [Case] = [
        Case("in progress", .syncing, "A sync was in progress.") { $0.sync.status = .inProgress },
        Case("offline", .offline, "The network was not reachable.") { $0.sync.network = .offline },
        Case("no network", .offline) { $0.sync.status = .noNetwork },
        Case("network not known", nil) { $0.sync.network = .unknown },
        Case("no account", .noAccount, "No iCloud account was signed in.") { $0.sync.availability = .noAccount },
        Case("restricted", .noAccount, "The iCloud account was not allowed to sync.") {
            $0.sync.availability = .restricted
        },
        Case("account of the summary", .noAccount, "The iCloud account was not usable.") {
            $0.sync.status = .accountNotAvailable
        },
        Case("account not known", nil) { $0.sync.availability = .unknown },
        Case("failed", .syncError, "The last sync failed: CKErrorDomain 9.") {
            $0.sync.status = .error
            $0.sync.lastError = "CKErrorDomain 9"
        },
        Case("failed without an error", .syncError, "The last sync failed.") { $0.sync.status = .error },
        Case("failed, network not known", .syncError, "The last sync failed: CKErrorDomain 9.") {
            $0.sync.network = .unknown
            $0.sync.status = .unknown
            $0.sync.lastError = "CKErrorDomain 9"
        },
        Case("an error that does not count", nil) { $0.sync.lastError = "CKErrorDomain 9" },
        Case("set up, no import", .syncError, "Sync was set up, but no import had begun.") {
            $0.sync.status = .notSyncing
        },
        Case("begun, never succeeded", .syncError, "Sync had begun, but was never seen to succeed.") {
            $0.sync.status = .unknown
            $0.lastSyncAt = nil
        },
        Case("received only", nil) { $0.sync.status = .unknown },
        Case("no event", nil) {
            $0.sync.status = .notStarted
            $0.lastSyncAt = nil
        },
        Case("1 change waits", .pendingChanges, "1 local change had not reached the cloud store.") {
            $0.pendingChanges = 1
        },
        Case("4 changes wait", .pendingChanges, "4 local changes had not reached the cloud store.") {
            $0.pendingChanges = 4
        },
        Case("local, copy outstanding", .copyNotDone, "The copy to the cloud store had not been made.") {
            $0.activeStore = .local
            $0.copy = .notDone
        },
        Case(
            "local, copy reopened", .copyNotDone,
            "The copy to the cloud store of \(at(-7200)) had been reopened, and not been made again."
        ) {
            $0.activeStore = .local
            $0.copy = .notDone
            $0.reopenedCopyAt = at(-7200)
            // Without a reopened copy this is data that is on this device only.
            $0.sync.availability = .unknown
            $0.lastSyncAt = nil
        },
        Case("no store, copy outstanding", .copyNotDone) {
            $0.activeStore = nil
            $0.copy = .notDone
        },
        Case("cloud only, nothing to copy", nil) { $0.copy = .notDone },
        Case(
            "only the flag", .copyNotDone,
            "The flag said that the copy is done, but the cloud store held no receipt of it."
        ) { $0.copy = .flagWithoutReceipt },
        Case(
            "interrupted", .copyInterrupted, "The copy to the cloud store was interrupted before its flag was set."
        ) { $0.copy = .interrupted },
        Case("local after the copy", nil) { $0.activeStore = .local },
        Case("one second younger than warnAfter", nil) { $0.newestRecordAt = at(-43_199) },
        Case(
            "as old as warnAfter", .olderThanWarnAfter, "The newest record was 12h old; warnAfter is 12h."
        ) { $0.newestRecordAt = at(-43_200) },
        Case("a little older", .olderThanWarnAfter, "The newest record was 1d 23h old; warnAfter is 12h.") {
            $0.newestRecordAt = at(-172_799)
        },
        Case("old, no criteria", nil) {
            $0.newestRecordAt = .epoch
            $0.warnAfter = nil
            $0.errorAfter = nil
        },
        Case("no date", .olderThanWarnAfter, "No record had a readable date, so its age is not known.") {
            $0.newestRecordAt = nil
        },
        Case("no date, only errorAfter", .olderThanWarnAfter) {
            $0.newestRecordAt = nil
            $0.warnAfter = nil
        },
        Case("no date, no criteria", nil) {
            $0.newestRecordAt = nil
            $0.warnAfter = nil
            $0.errorAfter = nil
        },
        Case(
            "no log", .walMissing,
            "The store's write-ahead log was not next to it: the newest changes may be missing."
        ) { $0.logGap = .missing },
        Case(
            "damaged log", .walMissing, "The store's write-ahead log is damaged: the newest changes are missing."
        ) { $0.logGap = .damaged },
        Case("5 minutes ahead", nil) { $0.newestRecordAt = at(300) },
        Case("more than 5 minutes ahead", .clockSkew, "A record was dated more than 5 minutes in the future.") {
            $0.newestRecordAt = Instant(seconds: at(300).seconds, attoseconds: 1)
        },
        Case("skew found elsewhere", .clockSkew) { $0.hasClockSkew = true },
    ]

    @Test("each input gives its own reason and no other", arguments: cases)
    func reasons(item: Case) {
        let verdict = FreshnessAssessor.assess(.sample(item.change))
        #expect(verdict.reasons.map(\.code) == (item.code.map { [$0] } ?? []), "\(item.name)")
        if let message = item.message { #expect(verdict.reasons.first?.message == message) }
        let good: Freshness.Status = FreshnessInputs.sample(item.change).hasCriteria ? .pass : .notJudged
        #expect(verdict.status == (item.code == nil ? good : .warn), "\(item.name)")
        #expect(verdict.mayBeStale == (item.code != nil), "\(item.name)")
    }

    @Test(
        "data is localOnly only without a copy, an account and a successful sync",
        arguments: Freshness.Account.allCases)
    func localOnly(account: Freshness.Account) {
        for copy in [StatusReport.CopyState.notDone, .interrupted, .done, .flagWithoutReceipt] {
            for store in [StoreRole.local, .cloud, nil] {
                for lastSync in [at(-60), nil] {
                    let codes = Self.codes {
                        $0.sync.availability = account
                        $0.sync.status = account.isUsable ? .notStarted : .accountNotAvailable
                        $0.copy = copy
                        $0.activeStore = store
                        $0.lastSyncAt = lastSync
                    }
                    let expected = store == .local && copy == .notDone && account != .available && lastSync == nil
                    #expect(codes.contains(.localOnly) == expected, "\(account) \(copy)")
                    #expect(codes.contains(.noAccount) == (account == .noAccount || account == .restricted))
                }
            }
        }
    }

    @Test("an export without records is noData, with any other reason, and has no age")
    func noData() {
        let empty = FreshnessAssessor.assess(
            .sample {
                $0.recordCount = 0
                $0.newestRecordAt = nil
            })
        #expect(empty.status == .noData)
        #expect(empty.mayBeStale)
        #expect(empty.reasons == [Freshness.Reason(.noData, "No exported entity has a record.")])
        #expect(empty.ageSeconds == nil)
        let worse = FreshnessAssessor.assess(
            .sample {
                $0.recordCount = 0
                $0.newestRecordAt = .epoch
                $0.sync.status = .inProgress
            })
        #expect(worse.status == .noData)
        #expect(worse.reasons.map(\.code) == [.syncing, .noData])
    }

    @Test("reasons come once each in the order of their codes, and never syncing and failed together")
    func order() {
        let all = Self.codes {
            $0.sync = Freshness.Sync(
                availability: .noAccount, network: .offline, status: .inProgress, lastError: "CKErrorDomain 9")
            $0.pendingChanges = 4
            $0.copy = .notDone
            $0.activeStore = .local
            $0.lastSyncAt = nil
            $0.newestRecordAt = .epoch
            $0.logGap = .missing
            $0.hasClockSkew = true
        }
        #expect(all == Freshness.Code.allCases.filter { ![.syncError, .copyInterrupted, .noData].contains($0) })
    }

    @Test("each pair of reasons keeps the order, and the worse status wins")
    func pairs() {
        for first in Self.cases {
            for second in Self.cases {
                let inputs = FreshnessInputs.sample {
                    first.change(&$0)
                    second.change(&$0)
                }
                let verdict = FreshnessAssessor.assess(inputs)
                let codes = verdict.reasons.map(\.code)
                #expect(codes == Freshness.Code.allCases.filter(codes.contains))
                #expect(verdict.mayBeStale == !codes.isEmpty)
                #expect(verdict.status == (!codes.isEmpty ? .warn : inputs.hasCriteria ? .pass : .notJudged))
                #expect(verdict.reasons.allSatisfy { $0.message.hasSuffix(".") && !$0.message.contains("\n") })
            }
        }
    }

    @Test("events, options and stores give one verdict together")
    func together() {
        let state = SyncState([.done(.setup, -90, -80), .done(.import, -70, -60), .begun(.export, -10)])
        let verdict = FreshnessAssessor.assess(
            .sample {
                $0.sync = state.overview(account: .unknown, network: .online)
                $0.lastSyncAt = state.lastSyncAt
                $0.pendingChanges = 2
            })
        #expect(verdict.reasons.map(\.code) == [.syncing, .pendingChanges])
        #expect(verdict.lastSyncAt == at(-60))
        #expect(verdict.sync.status == .inProgress)
        #expect(verdict.pendingChanges == 2)
    }
}

extension FreshnessInputs {
    fileprivate var hasCriteria: Bool { warnAfter != nil || errorAfter != nil }
}
