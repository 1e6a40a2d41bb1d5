import GodwitModel
import GodwitSync
import Testing

/// The store that an app opens at launch: every combination, checked against a simple form of the rules.
struct ActiveStoreChoiceTests {
    private static let fault = GodwitError(.container, .data, "TrainLogCloud.store is no SQLite store.")
    private static let conditions: [(String, CloudStoreCondition)] = [
        ("missing", .missing), ("opens", .opens), ("fails", .fails(fault)),
    ]

    private static func choice(
        account: Freshness.Account = .available, sync: SyncPreference = .notSaid, isCopied: Bool = true,
        hasLocal: Bool = true, cloud: CloudStoreCondition = .opens
    ) -> ActiveStoreChoice {
        ActiveStoreChoice(
            .init(account: account, sync: sync, isCopied: isCopied, hasLocal: hasLocal, cloud: cloud))
    }

    @Test(
        "the choice of the store follows the rules in all 144 combinations", arguments: Freshness.Account.allCases,
        SyncPreference.allCases)
    func table(account: Freshness.Account, sync: SyncPreference) {
        for isCopied in [false, true] {
            for hasLocal in [false, true] {
                for (name, cloud) in Self.conditions {
                    let choice = Self.choice(
                        account: account, sync: sync, isCopied: isCopied, hasLocal: hasLocal, cloud: cloud)
                    let isSignedOut = account == .noAccount || account == .restricted
                    let rules: [(Bool, StoreRole?, ActiveStore.Reason)] = [
                        (!hasLocal && name == "missing", nil, .noStore),
                        (!hasLocal && name == "fails", nil, .cloudFails),
                        (!hasLocal && (sync == .off || isSignedOut || !isCopied), .cloud, .onlyStore),
                        (sync == .off, .local, .syncOff),
                        (isSignedOut, .local, .accountNotAvailable),
                        (!isCopied, .local, .copyNotDone),
                        (name == "missing", .local, .cloudMissing),
                        (name == "fails", .local, .cloudFails),
                        (true, .cloud, .synced),
                    ]
                    let expected = rules.first { $0.0 }
                    let label = "\(account) \(sync) copied: \(isCopied) local: \(hasLocal) cloud: \(name)"
                    #expect(choice.role == expected?.1, "\(label)")
                    if hasLocal || name != "missing" { #expect(choice.reason == expected?.2, "\(label)") }
                    #expect((choice.error != nil) == (name == "fails"), "the error is kept: \(label)")
                    #expect(choice.isLocalOnly == (hasLocal && choice.role == .local && isCopied), "\(label)")
                }
            }
        }
    }

    @Test("without any store, the reason is that none exists")
    func nothing() {
        let choice = Self.choice(isCopied: false, hasLocal: false, cloud: .missing)
        #expect(choice.role == nil && choice.reason == .noStore && !choice.isLocalOnly)
        #expect(Self.choice(hasLocal: false, cloud: .missing).reason == .noStore)
    }

    @Test("the error of the cloud store is kept unchanged")
    func error() {
        let choice = Self.choice(cloud: .fails(Self.fault))
        #expect(choice.role == .local && choice.reason == .cloudFails)
        #expect(choice.error?.message == Self.fault.message && choice.error?.code == .data)
    }

    @Test(
        "an account that becomes available after a start with the local store asks for a restart, and the store stays")
    func restart() {
        let start = Self.choice(account: .noAccount)
        for account in Freshness.Account.allCases {
            let isUsable = account == .available || account == .unknown
            #expect(start.afterLaunch(account: account) == (isUsable ? .restartToSync : nil), "\(account)")
            #expect(start.role == .local)
        }
    }

    @Test(
        "no restart is requested if it would choose the same store",
        arguments: Freshness.Account.allCases, SyncPreference.allCases)
    func noRestart(account: Freshness.Account, sync: SyncPreference) {
        for isCopied in [false, true] {
            for hasLocal in [false, true] {
                for (name, cloud) in Self.conditions {
                    let start = Self.choice(
                        account: account, sync: sync, isCopied: isCopied, hasLocal: hasLocal, cloud: cloud)
                    let now = Self.choice(
                        account: .available, sync: sync, isCopied: isCopied, hasLocal: hasLocal, cloud: cloud)
                    let expected: ActiveStore.Notice? =
                        start.role == .local && now.role == .cloud ? .restartToSync : nil
                    #expect(start.afterLaunch(account: .available) == expected, "\(account) \(sync) \(name)")
                    if sync == .off || !isCopied || name != "opens" { #expect(expected == nil) }
                }
            }
        }
    }

    @Test("a notice is given only if the last launch is known")
    func launched() {
        let now = Self.choice()
        #expect(ActiveStoreChoice.notice(launched: .local, now: now) == .restartToSync)
        #expect(ActiveStoreChoice.notice(launched: .cloud, now: now) == nil)
        #expect(ActiveStoreChoice.notice(launched: nil, now: now) == nil)
        #expect(ActiveStoreChoice.notice(launched: .local, now: Self.choice(sync: .off)) == nil)
        #expect(ActiveStoreChoice.notice(launched: .local, now: Self.choice(isCopied: false, hasLocal: false)) == nil)
    }

    @Test("users see a request to restart, or that sync is off, in both languages")
    func words() {
        func status(_ change: (inout UserSyncInputs) -> Void, _ language: MessageLanguage) -> StatusReport.UserSync {
            var inputs = UserSyncInputs(
                state: SyncState([.done(.import, 1, 2), .done(.export, 1, 2)]), account: .available, network: .online,
                activeStore: .cloud, copy: .done, pendingChanges: 0, recordCount: 1, asOf: at(3600))
            change(&inputs)
            return StatusReport.UserSync(inputs, in: language)
        }
        let restart = status({ $0.notice = .restartToSync }, .en)
        #expect(restart.state == "localOnly" && restart.nextStep == "Restart the app to sync.")
        #expect(status({ $0.notice = .restartToSync }, .ja).nextStep == "同期するには、アプリを再起動してください。")
        let off = status({ ($0.preference, $0.activeStore) = (.off, .local) }, .en)
        #expect(off.state == "notConfigured" && off.message.contains("turned off in the app"))
        #expect(off.message.contains("on this device only"))
        let japanese = status({ ($0.preference, $0.activeStore) = (.off, .local) }, .ja)
        #expect(japanese.message.contains("オフ") && japanese.nextStep?.contains("オン") == true)
        let signedOut = status({ ($0.account, $0.activeStore) = (.noAccount, .local) }, .en)
        #expect(signedOut.state == "localOnly" && signedOut.needsSignIn)
        #expect(signedOut.message == "The data is on this device only.")
    }

    @Test("an export of a store that gets no data of other devices reports it")
    func freshness() {
        func messages(_ isolation: StoreIsolation?, _ role: StoreRole = .local) -> [String] {
            FreshnessAssessor.assess(
                .sample {
                    $0.isolation = isolation
                    $0.activeStore = role
                }
            ).reasons.filter { $0.code == .localOnly }.map(\.message)
        }
        #expect(messages(nil) == [])
        #expect(messages(.syncOff) == ["Sync was turned off in the app: the data is on this device only."])
        #expect(messages(.notActive).first?.hasPrefix("The local store was asked for") == true)
        #expect(messages(.notActive, .cloud).first?.hasPrefix("The cloud store was asked for") == true)
    }
}
