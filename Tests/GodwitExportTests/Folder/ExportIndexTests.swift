import GodwitModel
import GodwitExport
import GodwitTestSupport
import Testing

struct ExportIndexTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func index() throws -> ExportIndex { try ExportIndex(of: folder.path, stage: .export) }

    private func attempt(_ seconds: Int64, _ outcome: ExportAttempt.Outcome = .exported) -> ExportAttempt {
        ExportAttempt(at: Instant.sampleNow.advanced(bySeconds: seconds), outcome: outcome, app: "TrainLog")
    }

    @Test("recorded attempts are read back, oldest first, one line each")
    func roundTrip() throws {
        var made = try index()
        #expect(made.attempts.isEmpty)
        var failed = attempt(60, .failed)
        (failed.code, failed.message) = (75, "The store is in use.")
        var some = attempt(120)
        some.selection = ["Workout"]
        (some.file, some.bytes, some.counts, some.freshness) = ("a/b.json", 12, ["Workout": 3], .warn)
        for next in [attempt(0), failed, some] { try made.record(next, identifier: "ABCDEFGH") }
        #expect(try index().attempts == [attempt(0), failed, some])
        #expect(try folder.text(of: "exports.jsonl").split(separator: "\n").count == 3)
        #expect(try index().last(app: "TrainLog", selection: nil) == failed)
        #expect(try index().last(app: "TrainLog", selection: ["Workout"]) == some)
        #expect(try index().last(app: "Other", selection: nil) == nil)
        #expect(folder.names() == ["exports.jsonl"])
    }

    @Test("the index keeps only the newest attempts")
    func bounded() throws {
        let line = #"{"app":"TrainLog","at":"2026-11-20T06:00:00Z","outcome":"exported"}"# + "\n"
        try folder.write(String(repeating: line, count: 700), to: "exports.jsonl")
        var made = try index()
        try made.record(attempt(0), identifier: "ABCDEFGH")
        let attempts = try index().attempts
        #expect(attempts.count == ExportIndex.most && attempts.last == attempt(0))
    }

    @Test("the index never exceeds the size that is read: the oldest attempts are removed")
    func boundedBytes() throws {
        let names = (0..<2000).map { "Entity\($0)" }
        let counts = names.map { "\"\($0)\":1" }.joined(separator: ",")
        let line =
            #"{"app":"TrainLog","at":"2026-11-20T06:00:00Z","counts":{\#(counts)},"outcome":"exported"}"# + "\n"
        // As many bytes as are read.
        let before = (8 << 20) / line.utf8.count
        #expect(before < ExportIndex.most)
        try folder.write(String(repeating: line, count: before), to: "exports.jsonl")
        var made = try index()
        #expect(made.attempts.count == before)
        var last = attempt(0)
        last.counts = Dictionary(uniqueKeysWithValues: names.map { ($0, Int64(1)) })
        try made.record(last, identifier: "ABCDEFGH")
        let attempts = try index().attempts
        #expect(attempts == made.attempts && attempts.last == last)
        #expect(attempts.count <= before && attempts.count >= before - 2)
    }

    @Test("unreadable lines are skipped if one line is readable")
    func torn() throws {
        let line = #"{"app":"TrainLog","at":"2026-11-20T06:00:00Z","outcome":"exported","newer":1}"#
        try folder.write("\(line)\n{\"app\":\"Tr\n\(line)\n{\"app\"", to: "exports.jsonl")
        #expect(try index().attempts.count == 2)
    }

    @Test("a file that is not an index is not replaced", arguments: ["a letter\n", "{}\n", "[1]"])
    func foreign(_ content: String) throws {
        try folder.write(content, to: "exports.jsonl")
        let error = failure { try index() }
        #expect(error?.code == .cannotCreate)
        try folder.remove("exports.jsonl")
        try folder.makeFolder("exports.jsonl")
        #expect(failure { try index() }?.code == .cannotCreate)
        try folder.remove("exports.jsonl")
        try folder.makeLink("exports.jsonl", to: "elsewhere")
        #expect(failure { try index() }?.code == .cannotCreate)
    }

    @Test("the index keeps its permissions")
    func rights() throws {
        var made = try index()
        try made.record(attempt(0), identifier: "ABCDEFGH")
        try folder.setMode(0o600, of: "exports.jsonl")
        try made.record(attempt(1), identifier: "ABCDEFGJ")
        #expect(try folder.fingerprint().files["exports.jsonl"].map { $0.mode & 0o777 } == 0o600)
    }
}
