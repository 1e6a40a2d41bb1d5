import GodwitModel
import GodwitSync
import Testing

struct LastErrorTests {
    private static func failed(
        _ phase: SyncPhase, at second: Int64, code: Int, domain: String = "CKErrorDomain"
    )
        -> SyncEvent
    {
        SyncEvent(
            phase, startedAt: Instant(seconds: second - 1), endedAt: Instant(seconds: second),
            error: SyncError(domain: domain, code: code))
    }

    @Test("every CloudKit code has the explanation of the guide, in both languages", arguments: 1...37)
    func codes(code: Int) throws {
        let state = SyncState([Self.failed(.export, at: 100, code: code)])
        let advice = CloudErrorGuide.advice(on: SyncError(domain: "CKErrorDomain", code: code))
        let english = try #require(state.lastErrorStatus(in: .en))
        let japanese = try #require(state.lastErrorStatus(in: .ja))
        #expect(english.message == advice.message.en && english.nextStep == advice.nextStep.en)
        #expect(japanese.message == advice.message.ja && japanese.nextStep == advice.nextStep.ja)
        for status in [english, japanese] {
            #expect(status.phase == "export" && status.at == Instant(seconds: 100))
            #expect(status.domain == "CKErrorDomain" && status.code == code && status.name == advice.name)
            #expect(status.category == advice.category.rawValue && status.retry == advice.retry.rawValue)
            #expect(status.needsSignIn == advice.needsSignIn)
        }
    }

    @Test("the latest error counts, and at equal times that of the earlier phase")
    func newest() {
        let early = Self.failed(.setup, at: 100, code: 3)
        let late = Self.failed(.import, at: 200, code: 25)
        for events in [[early, late], [late, early]] {
            #expect(SyncState(events).lastErrorStatus(in: .en)?.code == 25)
            #expect(SyncState(events).lastErrorStatus(in: .en)?.phase == "import")
        }
        let tied = SyncState([Self.failed(.export, at: 100, code: 4), early])
        #expect(tied.lastErrorStatus(in: .en)?.phase == "setup")
    }

    @Test("without a failed phase there is no error")
    func none() {
        #expect(SyncState().lastErrorStatus(in: .en) == nil)
        let recovered = SyncState([
            Self.failed(.import, at: 100, code: 3), SyncEvent(.import, startedAt: Instant(seconds: 200)),
        ])
        #expect(recovered.lastErrorStatus(in: .en) == nil)
    }

    @Test(
        "a domain is shown without characters that a domain cannot have",
        arguments: [
            ("CKErrorDomain", "CKErrorDomain"), ("a b\u{1b}[2J\n", "ab[2J"), ("", ""), ("d -7", "d-7"),
            (String(repeating: "x", count: 200), String(repeating: "x", count: 80)),
        ])
    func domains(domain: String, shown: String) throws {
        for code in [-7, 0, 25, Int.max] {
            let state = SyncState([Self.failed(.setup, at: 100, code: code, domain: domain)])
            let status = try #require(state.lastErrorStatus(in: .en))
            #expect(status.domain == shown && status.code == code)
        }
    }
}
