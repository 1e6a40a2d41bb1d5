import GodwitModel
import GodwitSync
import Testing

struct SyncConditionsTests {
    private static func read(_ lines: String...) -> (seen: SyncConditions, warnings: [Warning]) {
        let (_, seen, warnings) = SyncEventReader().state(in: Array(lines.joined(separator: "\n").utf8) + [0x0A])
        return (seen, warnings)
    }

    private static func line(_ type: String, _ word: String, minute: Int = 0) -> String {
        let key = type == "launch" ? "store" : "state"
        return
            "{\"type\":\"\(type)\",\"at\":\"2026-11-20T06:\(minute < 10 ? "0" : "")\(minute):00Z\",\"\(key)\":\"\(word)\"}"
    }

    @Test("without observations, all conditions are unknown")
    func nothing() {
        let seen = SyncConditions()
        #expect(seen.network(orGiven: .unknown) == .unknown && seen.account(orGiven: .unknown) == .unknown)
        #expect(seen.launchedStore == nil)
    }

    @Test("the latest observation counts, in any order of the file")
    func newest() {
        let lines = [
            Self.line("network", "offline", minute: 1), Self.line("network", "online", minute: 9),
            Self.line("account", "available", minute: 2), Self.line("account", "restricted", minute: 3),
            Self.line("launch", "local", minute: 4), Self.line("launch", "cloud", minute: 8),
        ]
        for order in [lines, lines.reversed(), lines + lines] {
            let (_, seen, warnings) = SyncEventReader().state(in: Array((order.joined(separator: "\n") + "\n").utf8))
            #expect(warnings.isEmpty)
            #expect(seen.network(orGiven: .unknown) == .online)
            #expect(seen.account(orGiven: .unknown) == .restricted)
            #expect(seen.launchedStore == .cloud)
        }
    }

    @Test("at equal times the worse observation counts, in any order")
    func ties() {
        func both(_ a: SyncObservation, _ b: SyncObservation) -> [SyncConditions] {
            [SyncConditions([a, b]), SyncConditions([b, a]), SyncConditions([b, a, b, a])]
        }
        for seen in both(.network(.online, at: at(1)), .network(.offline, at: at(1))) {
            #expect(seen.network(orGiven: .unknown) == .offline)
        }
        let accounts: [Freshness.Account] = [.available, .noAccount, .restricted]
        for (place, account) in accounts.enumerated() {
            for other in accounts[...place] {
                for seen in both(.account(account, at: at(1)), .account(other, at: at(1))) {
                    #expect(seen.account(orGiven: .unknown) == account)
                }
            }
        }
        for seen in both(.launch(.cloud, at: at(1)), .launch(.local, at: at(1))) {
            #expect(seen.launchedStore == .local)
        }
    }

    @Test("an option overrides an observation, unless it is unknown")
    func overridden() {
        let seen = SyncConditions([.network(.offline, at: at(1)), .account(.noAccount, at: at(1))])
        for option in Freshness.Network.allCases {
            #expect(seen.network(orGiven: option) == (option == .unknown ? .offline : option))
        }
        for option in Freshness.Account.allCases {
            #expect(seen.account(orGiven: option) == (option == .unknown ? .noAccount : option))
        }
    }

    @Test("observations are not events, so an event in progress stays in progress")
    func noEvents() {
        let text = [
            #"{"type":"import","startedAt":"2026-11-20T06:00:03Z"}"#, Self.line("network", "offline"),
        ].joined(separator: "\n")
        let (state, _, _) = SyncEventReader().state(in: Array(text.utf8))
        #expect(
            state == SyncState(SyncEventReader().events(in: Array(text.utf8)).events) && state.importing.isInProgress)
        #expect(SyncEventReader().events(in: Array(Self.line("launch", "cloud").utf8)).events.isEmpty)
    }

    @Test(
        "an observation with an unknown word is a warning without its values",
        arguments: [
            (#"{"type":"network","at":"2026-11-20T06:00:00Z","state":"secret"}"#, "has `state` that is not"),
            (#"{"type":"network","at":"2026-11-20T06:00:00Z","state":"unknown"}"#, "has `state` that is not"),
            (#"{"type":"account","at":"2026-11-20T06:00:00Z","state":"online"}"#, "has `state` that is not"),
            (#"{"type":"account","at":"2026-11-20T06:00:00Z","state":"unknown"}"#, "has `state` that is not"),
            (#"{"type":"account","at":"2026-11-20T06:00:00Z","state":3}"#, "has `state` that is not"),
            (#"{"type":"account","at":"secret","state":"available"}"#, "has `at` that is not an ISO 8601 instant"),
            (#"{"type":"account","state":"available"}"#, "lacks `at`"),
            (#"{"type":"network","at":"2026-11-20T06:00:00Z"}"#, "lacks `state`"),
            (#"{"type":"launch","at":"2026-11-20T06:00:00Z"}"#, "lacks `store`"),
            (#"{"type":"launch","at":"2026-11-20T06:00:00Z","store":"secret"}"#, "has `store` that is not a text"),
            (#"{"type":"import","startedAt":"2026-11-20T06:00:00Z","store":7}"#, "has `store` that is not a text"),
        ])
    func unreadable(line: String, complaint: String) {
        let (seen, warnings) = Self.read(line)
        #expect(seen == SyncConditions())
        #expect(warnings.count == 1 && warnings.first?.message.contains(complaint) == true, "\(warnings)")
        #expect(warnings.first?.message.contains("secret") == false)
    }

    @Test("events of a hundred stores are read, and those of further stores are skipped and counted")
    func bounded() {
        func event(_ store: String, _ second: Int) -> String {
            "{\"type\":\"import\",\"startedAt\":\"2026-11-20T06:00:\(second < 10 ? "0" : "")\(second)Z\",\"store\":\"\(store)\"}"
        }
        let hundred = (0..<100).map { event("s\($0)", 1) }
        let whole = (hundred + hundred).joined(separator: "\n") + "\n"
        #expect(SyncEventReader().state(in: Array(whole.utf8)).warnings.isEmpty)
        let more = whole + event("more", 2) + "\n" + event("yet more", 3) + "\n" + event("s3", 9) + "\n"
        let (state, _, warnings) = SyncEventReader().state(in: Array(more.utf8))
        #expect(warnings.map(\.code) == ["syncStoresTooMany"])
        #expect(warnings.first?.message.contains("2 events of further stores were skipped") == true)
        #expect(state.importing.startedAt == Instant(iso8601: "2026-11-20T06:00:09Z"), "those that are known go on")
        let one = SyncEventReader(limits: .init(stores: 1)).events(
            in: Array((event("a", 1) + "\n" + event("b", 2)).utf8))
        #expect(one.events.count == 1 && one.warnings.first?.message.contains("1 event of further stores was") == true)
    }
}
