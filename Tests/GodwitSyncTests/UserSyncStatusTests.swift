import GodwitModel
import GodwitSync
import Testing

struct UserSyncStatusTests {
    private static func inputs(
        _ events: [SyncEvent] = [], account: Freshness.Account = .available, network: Freshness.Network = .online,
        store: StoreRole? = .cloud, copy: StatusReport.CopyState = .done, isCloudUnusable: Bool = false,
        pending: Int64? = 0,
        records: Int64 = 640
    ) -> UserSyncInputs {
        UserSyncInputs(
            state: SyncState(events), account: account, network: network, activeStore: store, copy: copy,
            isCloudUnusable: isCloudUnusable, pendingChanges: pending, recordCount: records, asOf: at(3600))
    }

    private static let worked: [SyncEvent] = [.done(.setup, 0, 1), .done(.import, 1, 2), .done(.export, 3, 4)]

    static let cases: [(String, UserSyncInputs, UserSyncCondition)] = [
        ("no store", inputs(worked, store: nil, copy: .notDone), .notConfigured),
        ("no store, offline", inputs(network: .offline, store: nil, copy: .notDone), .notConfigured),
        ("copied, no event yet", inputs(), .notConfigured),
        ("copied, nothing known", inputs(account: .unknown, network: .unknown), .notConfigured),
        ("local, never copied", inputs(store: .local, copy: .notDone), .localOnly(.available)),
        ("local, no account", inputs(account: .noAccount, store: .local, copy: .notDone), .localOnly(.noAccount)),
        (
            "local, nothing known, offline",
            inputs(account: .unknown, network: .offline, store: .local, copy: .notDone), .localOnly(.unknown)
        ),
        (
            "local, never copied, but a sync was seen",
            inputs([.failed(.import, 1, 2)], store: .local, copy: .notDone), .error(.failed(busyError))
        ),
        ("copied, offline", inputs(network: .offline), .offline(pending: 0)),
        ("offline wins over no account", inputs(account: .noAccount, network: .offline), .offline(pending: 0)),
        ("offline with changes", inputs(worked, network: .offline, pending: 4), .offline(pending: 4)),
        (
            "offline wins over a failure",
            inputs([.failed(.import, 1, 2)], network: .offline, pending: 1), .offline(pending: 1)
        ),
        (
            "signed out after the copy",
            inputs(account: .noAccount, store: .local), .localOnly(.noAccount)
        ),
        (
            "signed out after the copy was interrupted",
            inputs(account: .noAccount, store: .local, copy: .interrupted), .localOnly(.noAccount)
        ),
        (
            "copied and synced, but the cloud store can't be used now",
            inputs(worked, store: .local, isCloudUnusable: true, pending: nil), .cloudUnusable
        ),
        (
            "copied, but the cloud store can't be used, offline",
            inputs(network: .offline, store: .local, copy: .flagWithoutReceipt, isCloudUnusable: true), .cloudUnusable
        ),
        ("worked, but what waits is not known", inputs(worked, pending: nil), .syncing(done: 0, total: 0)),
        ("offline, and what waits is not known", inputs(network: .offline, pending: nil), .offline(pending: 0)),
        ("restricted after a sync", inputs(worked, account: .restricted), .error(.account(.restricted))),
        ("failed", inputs([.failed(.export, 1, 2, signInError)]), .error(.failed(signInError))),
        (
            "failed, network not known",
            inputs([.failed(.export, 1, 2)], network: .unknown), .error(.failed(busyError))
        ),
        ("failed without an error", inputs([.failed(.export, 1, 2, nil)]), .error(.failed(.unspecified))),
        ("set up, no import", inputs([.done(.setup, 1, 2)]), .error(.notSyncing)),
        ("set up, no import, network not known", inputs([.done(.setup, 1, 2)], network: .unknown), .error(.notSyncing)),
        ("in progress, amount not known", inputs([.begun(.import, 1)]), .syncing(done: 0, total: 0)),
        ("in progress with changes", inputs([.begun(.export, 1)], pending: 40), .syncing(done: 600, total: 640)),
        (
            "more changes than records", inputs([.begun(.export, 1)], pending: 9, records: 5),
            .syncing(done: 0, total: 9)
        ),
        ("worked", inputs(worked), .synced(lastSeen: at(4))),
        ("worked, nothing else known", inputs(worked, account: .unknown, network: .unknown), .synced(lastSeen: at(4))),
        ("worked, yet changes wait", inputs(worked, pending: 1), .syncing(done: 639, total: 640)),
        ("received only", inputs([.done(.import, 1, 2)]), .synced(lastSeen: at(2))),
        (
            "received only, yet changes wait", inputs([.done(.import, 1, 2)], pending: 2),
            .syncing(done: 638, total: 640)
        ),
        ("a count below zero is none", inputs(worked, pending: -3, records: -1), .synced(lastSeen: at(4))),
    ]

    @Test("the user's status is the first rule that matches", arguments: cases)
    func conditions(name: String, inputs: UserSyncInputs, expected: UserSyncCondition) {
        #expect(UserSyncCondition(inputs) == expected, "\(name)")
    }

    @Test("after a reopen only new data is on this device only")
    func reopened() {
        var inputs = Self.inputs(store: .local, copy: .notDone)
        inputs.isReopened = true
        #expect(UserSyncCondition(inputs) == .newLocalOnly(.available))
        let status = StatusReport.UserSync(inputs, in: .en)
        #expect(status.state == "localOnly" && status.message == "New data is on this device only.")
        #expect(status.nextStep == "Copy the data to the cloud store to sync it.")
    }

    @Test("the names of user states are those of the design")
    func names() {
        let all = Self.cases.map { StatusReport.UserSync($0.1, in: .en).state }
        #expect(Set(all) == ["notConfigured", "localOnly", "offline", "syncing", "synced", "error"])
    }

    @Test("the status says whether signing in or trying again helps")
    func flags() {
        func flags(_ condition: UserSyncCondition) -> [Bool] {
            let status = condition.status(in: .en)
            return [status.needsSignIn, status.canRetry]
        }
        #expect(flags(.notConfigured) == [false, false])
        #expect(flags(.localOnly(.noAccount)) == [true, false])
        #expect(flags(.localOnly(.restricted)) == [false, false])
        #expect(flags(.localOnly(.unknown)) == [false, false])
        #expect(flags(.cloudUnusable) == [false, false])
        #expect(flags(.offline(pending: 1)) == [false, true])
        #expect(flags(.syncing(done: 1, total: 2)) == [false, false])
        #expect(flags(.synced(lastSeen: at(1))) == [false, false])
        #expect(flags(.error(.account(.noAccount))) == [true, true])
        #expect(flags(.error(.account(.restricted))) == [false, false])
        #expect(flags(.error(.notSyncing)) == [false, true])
        #expect(flags(.error(.failed(signInError))) == [true, true])
        #expect(flags(.error(.failed(busyError))) == [false, true])
        #expect(flags(.error(.failed(SyncError(domain: "CKErrorDomain", code: 8)))) == [false, false])
    }

    @Test("a sync error has the texts of the guide")
    func guideWords() {
        let advice = CloudErrorGuide.advice(on: signInError)
        for language in MessageLanguage.allCases {
            let status = UserSyncCondition.error(.failed(signInError)).status(in: language)
            #expect(status.message == advice.message.text(in: language))
            #expect(status.nextStep == advice.nextStep.text(in: language))
        }
    }

    @Test("the next step of a local-only device depends on its account")
    func localOnlySteps() {
        func step(_ account: Freshness.Account) -> String? {
            UserSyncCondition.localOnly(account).status(in: .en).nextStep
        }
        #expect(step(.noAccount)?.contains("sign in") == true)
        #expect(step(.restricted)?.contains("manages") == true)
        #expect(step(.available) == "Copy the data to the cloud store to sync it.")
        #expect(step(.unknown) == step(.available))
        let unusable = UserSyncCondition.cloudUnusable.status(in: .en)
        #expect(unusable.state == "localOnly" && unusable.message == "The data is on this device only.")
        #expect(unusable.nextStep?.lowercased().contains("copy") == false)
    }

    @Test("counts and times are in the texts, in both languages")
    func numbers() {
        func words(_ condition: UserSyncCondition) -> [String] {
            MessageLanguage.allCases.map { condition.status(in: $0).message }
        }
        #expect(
            words(.offline(pending: 1)) == [
                "This device is offline; 1 change waits to be synced.", "このデバイスはオフラインです。1件の変更が同期を待っています。",
            ])
        #expect(words(.offline(pending: 4))[0] == "This device is offline; 4 changes wait to be synced.")
        #expect(words(.offline(pending: 0)) == ["This device is offline.", "このデバイスはオフラインです。"])
        #expect(
            words(.syncing(done: 3, total: 7)) == [
                "Syncing: 3 of 7 records done.", "同期中です：7件中3件が完了しました。",
            ])
        #expect(words(.syncing(done: 0, total: 1))[0] == "Syncing: 0 of 1 record done.")
        #expect(words(.syncing(done: 0, total: 0)) == ["Syncing.", "同期中です。"])
        #expect(words(.synced(lastSeen: at(4))).allSatisfy { $0.contains("2026-11-21T00:00:04.000Z") })
    }

    @Test("no status claims that everything is synced")
    func neverFullySynced() {
        for (name, inputs, condition) in Self.cases {
            let english = StatusReport.UserSync(inputs, in: .en)
            let text = (english.message + (english.nextStep ?? "")).lowercased()
            for claim in ["fully", "up to date", "everything", "all changes", "complete"] {
                #expect(!text.contains(claim), "\(name)")
            }
            if case .synced = condition {
                #expect(text.contains("last seen") && text.contains("other devices"))
                #expect(StatusReport.UserSync(inputs, in: .ja).message.contains("ほかのデバイス"))
            }
        }
        #expect(UserSyncCondition.synced(lastSeen: nil).status(in: .en).message.contains("other devices"))
        #expect(UserSyncCondition.synced(lastSeen: nil).status(in: .ja).message.contains("ほかのデバイス"))
    }

    @Test("every status has a message in both languages, and a next step unless sync works")
    func complete() {
        for (name, inputs, condition) in Self.cases {
            let english = StatusReport.UserSync(inputs, in: .en)
            let japanese = StatusReport.UserSync(inputs, in: .ja)
            #expect(english.message.hasSuffix("."), "\(name)")
            #expect(japanese.message.hasSuffix("。"), "\(name)")
            #expect(english.state == japanese.state)
            if case .synced = condition {
                #expect(english.nextStep == nil)
            } else {
                #expect(english.nextStep?.isEmpty == false, "\(name)")
            }
            #expect((english.nextStep == nil) == (japanese.nextStep == nil), "\(name)")
        }
    }
}
