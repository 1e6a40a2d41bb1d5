import GodwitModel
import GodwitSync
import Testing

struct SyncEventReaderTests {
    private let setup =
        #"{"type":"setup","startedAt":"2026-11-20T06:00:00Z","endedAt":"2026-11-20T06:00:02.5Z","succeeded":true}"#
    private let running = #"{"type":"import","startedAt":"2026-11-20T06:00:03Z","endedAt":null,"succeeded":false}"#
    private let failed = """
        {"type":"export","startedAt":"2026-11-20T15:00:04+09:00","endedAt":"2026-11-20T06:00:05Z","succeeded":false,\
        "error":{"domain":"CKErrorDomain","code":9}}
        """

    private func read(
        _ text: String, limits: SyncEventReader.Limits = .init()
    ) -> (
        events: [SyncEvent], warnings: [Warning]
    ) {
        SyncEventReader(limits: limits).events(in: Array(text.utf8))
    }

    @Test("each line becomes one event, in the order of the file")
    func readsLines() {
        let (events, warnings) = read([setup, running, failed, ""].joined(separator: "\n"))
        #expect(warnings.isEmpty)
        let six = Instant(seconds: 1_795_154_400)
        #expect(
            events == [
                SyncEvent(
                    .setup, startedAt: six,
                    endedAt: Instant(seconds: six.seconds + 2, attoseconds: 500_000_000_000_000_000), succeeded: true),
                SyncEvent(.import, startedAt: six.advanced(bySeconds: 3)),
                SyncEvent(
                    .export, startedAt: six.advanced(bySeconds: 4), endedAt: six.advanced(bySeconds: 5),
                    succeeded: false, error: signInError),
            ])
    }

    @Test(
        "a file without events gives no warning",
        arguments: ["", "\n", "\n\n  \n\t\r\n", "\u{FEFF}", "\u{FEFF}\n"])
    func passesOverBlanks(text: String) {
        let (events, warnings) = read(text)
        #expect(events.isEmpty)
        #expect(warnings.isEmpty)
    }

    @Test("Windows line ends, a byte order mark, a missing last newline and unknown keys are accepted")
    func toleratesForms() {
        let extra = #"{"type":"import","startedAt":"2026-11-20T06:00:03Z","device":"phone","error":null}"#
        let (events, warnings) = read("\u{FEFF}\(setup)\r\n\r\n\(extra)\r\n\(failed)")
        #expect(warnings.isEmpty)
        #expect(events.map(\.phase) == [.setup, .import, .export])
        #expect(events[1].endedAt == nil)
        #expect(!events[1].succeeded)
    }

    @Test(
        "a line that is not an event gives a warning with its number and the problem, without values",
        arguments: [
            ("secret", "is not a JSON object"),
            ("[\"secret\"]", "is not a JSON object"),
            ("\"secret\"", "is not a JSON object"),
            ("{}", "lacks `type`"),
            (#"{"type":"setup"}"#, "lacks `startedAt`"),
            (
                #"{"type":"secret","startedAt":"2026-11-20T06:00:00Z"}"#,
                "has `type` that is not setup, import, export, network, account or launch"
            ),
            (
                #"{"type":3,"startedAt":"2026-11-20T06:00:00Z"}"#,
                "has `type` that is not setup, import, export, network, account or launch"
            ),
            (#"{"type":"setup","startedAt":"secret"}"#, "has `startedAt` that is not an ISO 8601 instant"),
            (#"{"type":"setup","startedAt":"2026-02-30T06:00:00Z"}"#, "`startedAt` that is not an ISO 8601 instant"),
            (#"{"type":"setup","startedAt":1795154400}"#, "has `startedAt` that is not an ISO 8601 instant"),
            (
                #"{"type":"setup","startedAt":"2026-11-20T06:00:00Z","endedAt":false}"#,
                "has `endedAt` that is not an ISO 8601 instant"
            ),
            (
                #"{"type":"setup","startedAt":"2026-11-20T06:00:00Z","endedAt":"2026-11-20T06:00:00Z"}"#,
                "lacks `succeeded`"
            ),
            (
                #"{"type":"setup","startedAt":"2026-11-20T06:00:00Z","succeeded":"secret"}"#,
                "has `succeeded` that is not true or false"
            ),
            (
                #"{"type":"setup","startedAt":"2026-11-20T06:00:00Z","error":"secret"}"#,
                "has `error` that is not an object with domain and code"
            ),
            (
                #"{"type":"setup","startedAt":"2026-11-20T06:00:00Z","error":{"domain":"secret"}}"#,
                "lacks `error.code`"
            ),
            (
                #"{"type":"setup","startedAt":"2026-11-20T06:00:00Z","error":{"domain":"secret","code":"x"}}"#,
                "has `error.code` that is not a whole number"
            ),
            (
                #"{"type":"setup","startedAt":"2026-11-20T06:00:00Z","error":{"domain":1,"code":1}}"#,
                "has `error.domain` that is not a text"
            ),
        ])
    func warnsOfUnreadableLines(line: String, complaint: String) throws {
        let (events, warnings) = read("\(setup)\n\n\(line)\n\(failed)\n")
        #expect(events.map(\.phase) == [.setup, .export])
        let warning = try #require(warnings.first)
        #expect(warnings.count == 1)
        #expect(warning.code == "syncEventUnreadable")
        #expect(warning.message.hasPrefix("line 3 of the sync events file "))
        #expect(warning.message.contains(complaint))
        #expect(!warning.message.contains("secret"))
        #expect(warning.hint != nil)
    }

    @Test("an incomplete last line of any length gives its own warning, and all lines before it are read")
    func warnsOfTornLastLine() {
        for length in 1..<failed.utf8.count {
            let torn = String(decoding: failed.utf8.prefix(length), as: UTF8.self)
            let (events, warnings) = read("\(setup)\n\(running)\n\(torn)")
            #expect(events.count == 2)
            #expect(warnings.map(\.code) == ["syncEventTorn"])
            #expect(warnings.first?.message.contains("(3)") == true)
        }
    }

    @Test("bytes that are not text give a warning: zeros after a power cut, and invalid UTF-8")
    func survivesBytes() {
        let zeros = Array("\(setup)\n".utf8) + [UInt8](repeating: 0, count: 512)
        #expect(SyncEventReader().events(in: zeros).warnings.map(\.code) == ["syncEventTorn"])
        let invalid = Array("\(setup)\n".utf8) + [0x22, 0xFF, 0xFE, 0x22, 0x0A] + Array(failed.utf8)
        let (events, warnings) = SyncEventReader().events(in: invalid)
        #expect(events.count == 2)
        #expect(warnings.map(\.code) == ["syncEventUnreadable"])
    }

    @Test("deep nesting is a warning, not a crash")
    func survivesDepth() {
        let deep = String(repeating: "[", count: 60_000)
        let nested = #"{"error":"# + String(repeating: #"{"a":"#, count: 10_000)
        let (events, warnings) = read("\(deep)\n\(nested)\n\(setup)\n")
        #expect(events.count == 1)
        #expect(warnings.map(\.code) == ["syncEventUnreadable", "syncEventUnreadable"])
    }

    @Test("a line longer than the limit is not parsed")
    func boundsLineLength() {
        let limits = SyncEventReader.Limits(lineBytes: setup.utf8.count)
        let (events, warnings) = read("\(setup)\n\(setup) \n\(failed)\n", limits: limits)
        #expect(events.count == 1)
        #expect(warnings.count == 2)
        #expect(warnings.allSatisfy { $0.message.contains("is longer than \(setup.utf8.count) bytes") })
    }

    @Test("unreadable lines are listed up to the limit, and the rest is counted")
    func boundsWarnings() {
        let limits = SyncEventReader.Limits(namedLines: 2)
        let few = read("a\nb\nc\n\(setup)\n", limits: limits)
        #expect(few.events.count == 1)
        #expect(few.warnings.count == 3)
        #expect(few.warnings.last?.message == "1 more line of the sync events file can't be read; it was skipped")
        let many = read("a\nb\nc\nd\n", limits: limits).warnings
        #expect(many.last?.message == "2 more lines of the sync events file can't be read; they were skipped")
        #expect(read("a\nb\nc\nd", limits: limits).warnings.map(\.code).contains("syncEventTorn"))
    }

    @Test("of a file with too many lines, the newest lines are read", arguments: [true, false])
    func boundsLines(endsOpen: Bool) {
        let text = [setup, setup, running, failed].joined(separator: "\n") + (endsOpen ? "" : "\n")
        let (events, warnings) = read(text, limits: .init(lines: 2))
        #expect(events.map(\.phase) == [.import, .export])
        #expect(warnings.map(\.code) == ["syncEventsTruncated"])
        #expect(warnings.first?.message.contains("2 lines were not read") == true)
        #expect(read(text, limits: .init(lines: 4)).warnings.isEmpty)
    }

    @Test("of a file with too many bytes, the newest complete lines are read with their true line numbers")
    func boundsBytes() {
        let lines = [setup, "wrong", running, "wrong", failed]
        let sizes = lines.map { $0.utf8.count + 1 }
        let text = lines.map { $0 + "\n" }.joined()
        for bytes in 0...text.utf8.count {
            let (events, warnings) = read(text, limits: .init(bytes: bytes))
            let kept = (0...5).first { sizes[$0...].reduce(0, +) <= bytes } ?? 5
            let phases: [Int: SyncPhase] = [0: .setup, 2: .import, 4: .export]
            #expect(events.map(\.phase) == (kept..<5).compactMap { phases[$0] })
            var expected = kept > 0 ? ["syncEventsTruncated"] : []
            expected += (kept..<5).filter { phases[$0] == nil }.map { _ in "syncEventUnreadable" }
            #expect(warnings.map(\.code) == expected)
            #expect(warnings.contains { $0.message.hasPrefix("line 4 ") } == (kept <= 3))
        }
        #expect(read(text, limits: .init(bytes: 0)).events.isEmpty)
        #expect(read("one line only", limits: .init(bytes: 4)).warnings.map(\.code) == ["syncEventsTruncated"])
    }

    @Test("the state of a file is the state of its events")
    func foldsState() {
        let bytes = Array("\(failed)\n\(running)\nwrong\n\(setup)\n".utf8)
        let (state, _, warnings) = SyncEventReader().state(in: bytes)
        #expect(state == SyncState(SyncEventReader().events(in: bytes).events))
        #expect(state.setup.isSucceeded)
        #expect(state.importing.isInProgress)
        #expect(state.exporting.isFailed)
        #expect(warnings.count == 1)
    }

    @Test("the text of an error shows domain and code without control characters")
    func errorText() {
        #expect(signInError.description == "CKErrorDomain 9")
        #expect(SyncError.unspecified.description == "unspecified 0")
        #expect(SyncError(domain: "A\u{1B}[31m\nB\u{7F}C", code: -1).description == "A[31mBC -1")
        let long = SyncError(domain: String(repeating: "x", count: 500), code: 1).description
        #expect(long.count == 82)
    }
}
