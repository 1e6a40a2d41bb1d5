import GodwitModel
import Foundation
import GodwitFleet
import GodwitTestSupport
import Testing

struct JournalContentsTests {
    private let folder: TemporaryFolder
    private let fleet = MadeFleet(6)

    init() throws { folder = try TemporaryFolder() }

    private func read(_ bytes: [UInt8]) throws -> JournalContents {
        try folder.write(bytes, to: "j")
        return try JournalContents(of: folder["j"])
    }

    private func read(_ lines: [String], end: String = "\n") throws -> JournalContents {
        try read(Array((lines.joined(separator: "\n") + end).utf8))
    }

    @Test("a complete journal has its header, every container and its duration")
    func whole() throws {
        let contents = try read(fleet.lines(nil))
        #expect(contents.header?.fleet == fleet.identity)
        #expect(contents.header?.differences(from: fleet.header(nil)) == [])
        #expect(contents.entries.map(\.container) == fleet.entries.map(\.container))
        #expect(contents.entries.map(\.verdict) == fleet.entries.map(\.verdict))
        #expect(contents.durationMilliseconds == 100)
        #expect(contents.doneTwice.isEmpty && !contents.endsTorn)
    }

    @Test("a truncated journal has exactly the lines before the cut")
    func torn() throws {
        let bytes = Array((try fleet.lines(nil).joined(separator: "\n") + "\n").utf8)
        let header = try #require(bytes.firstIndex(of: 0x0A))
        for length in stride(from: 0, through: bytes.count, by: GeneratedCases.count(7, few: 31)) {
            let contents = try read(Array(bytes[..<length]))
            let newlines = bytes[..<length].count { $0 == 0x0A }
            // A complete last line is read even without its newline.
            let whole = length < bytes.count && bytes[length] == 0x0A && length > header ? 1 : 0
            #expect(contents.entries.count == min(6, max(0, newlines - 1 + whole)))
            #expect(contents.endsTorn == (length > 0 && bytes[length - 1] != 0x0A))
            #expect((contents.header != nil) == (length >= header))
        }
    }

    @Test("lines after an incomplete line count, and so do resumed runs")
    func goingOn() throws {
        var lines = try fleet.lines(nil)
        lines.removeLast()
        let torn = String(lines[3].prefix(20))
        let second = try [MadeFleet.line(fleet.header(nil)), lines[3]]
        let contents = try read(lines[..<3] + [torn] + second + lines[4...])
        #expect(Set(contents.entries.map(\.container)) == Set(fleet.entries.map(\.container)))
        #expect(contents.doneTwice.isEmpty && contents.durationMilliseconds == 0)
    }

    @Test("a journal with one or several incomplete headers is still read")
    func tornHeader() throws {
        let lines = try fleet.lines(Shard(index: 1, count: 1))
        let torn = [String(lines[0].prefix(30)), String(lines[0].prefix(200))]
        #expect(try read([torn[0]], end: "").header == nil)
        #expect(try read(torn + lines).entries.count == 6)
        try folder.write((torn + lines).joined(separator: "\n"), to: "j.jsonl")
        #expect(try MergedFleet(ShardReport.all(at: [folder["j.jsonl"]])).report.containers.count == 6)
    }

    @Test("zeros after a power cut are skipped")
    func zeroes() throws {
        let lines = try fleet.lines(nil)
        var bytes = Array((lines[..<3].joined(separator: "\n") + "\n").utf8) + [UInt8](repeating: 0, count: 9_000)
        #expect(try read(bytes).entries.count == 2)
        bytes += Array(("\n" + lines[3] + "\n").utf8)
        #expect(try read(bytes).entries.count == 3)
        let contents = try read(bytes + [0, 0, 0] + Array((lines[4] + "\n").utf8))
        #expect(contents.entries.count == 4)
        #expect(try read([0, 0, 0]).header == nil)
    }

    @Test("the last line of a container counts, and one that was done twice is reported")
    func again() throws {
        var (failed, done) = (fleet.entries[0], fleet.entries[0])
        (failed.verdict, done.verdict) = (.failed, .completed)
        let header = try MadeFleet.line(fleet.header(nil))
        var contents = try read([header, MadeFleet.line(failed), MadeFleet.line(failed), MadeFleet.line(done)])
        #expect(contents.entries.map(\.verdict) == [.completed] && contents.doneTwice.isEmpty)
        contents = try read([header, MadeFleet.line(done), MadeFleet.line(done)])
        #expect(contents.doneTwice == [done.container])
    }

    @Test("durations of complete runs add up")
    func times() throws {
        let lines = try fleet.lines(nil)
        #expect(try read(lines + lines.prefix(1) + lines.suffix(1)).durationMilliseconds == 200)
    }

    @Test("an empty journal has no entries and is not an error")
    func empty() throws {
        let contents = try read([UInt8]())
        #expect(contents.header == nil && contents.entries.isEmpty && !contents.endsTorn)
    }

    @Test(
        "a file that is not a journal is rejected",
        arguments: [
            "notes\n", "{}\n", "{\"messageType\":\"run\"}\n", "[1]\n", "\u{FEFF}{}\n", "{\"reportVersion\":1}\n",
        ])
    func foreign(_ text: String) {
        #expect(failure { try read(Array(text.utf8)) }?.code == .data)
    }

    @Test("containers before a header, and the header of another run, are rejected")
    func mixed() throws {
        let lines = try fleet.lines(nil)
        #expect(failure { try read(Array(lines[1...])) }?.code == .data)
        let other = try MadeFleet.line(MadeFleet(3).header(nil))
        #expect(failure { try read(lines + [other]) }?.code == .data)
    }

    @Test("a journal of a later version is rejected with its version")
    func later() throws {
        var header = fleet.header(nil)
        header.journalVersion = 2
        let error = failure { try read([MadeFleet.line(header)]) }
        #expect(error?.code == .data && error?.message.contains("version 2") == true)
    }

    @Test("unknown kinds of lines are skipped")
    func unknown() throws {
        var lines = try fleet.lines(nil)
        lines.insert("{\"messageType\":\"note\",\"text\":\"x\"}", at: 2)
        #expect(try read(lines).entries.count == 6)
    }

    @Test("a pipe is not read as a journal")
    func kinds() throws {
        try folder.makeFIFO("pipe")
        #expect(failure { try JournalContents(of: folder["pipe"]) }?.code == .noInput)
        #expect(failure { try JournalContents(of: folder["gone"]) }?.code == .noInput)
    }

    // MARK: As a shard's report

    private func write(_ count: Int) throws -> [String] {
        try MadeFleet.shards(count).map { shard in
            let text = try fleet.lines(shard).joined(separator: "\n") + "\n"
            return try folder.write(text, to: "shard-\(shard.index).jsonl")
        }
    }

    @Test("journals and reports are recognized by content, and merge together")
    func reading() throws {
        let paths = try write(3)
        let report = try JSONEncoder().encode(fleet.report(Shard(index: 2, count: 3)))
        try folder.write(Array(report), to: "two")
        let mixed = try ShardReport.all(at: [paths[0], folder["two"], paths[2]])
        #expect(mixed.map(\.settings) == ["settings", nil, "settings"])
        #expect(try MergedFleet(mixed).report.containers.count == 6)
        #expect(try MergedFleet(ShardReport.all(at: paths)).report.shards == 3)
    }

    @Test("a folder means every journal directly inside")
    func folders() throws {
        _ = try write(4)
        try folder.write("", to: "notes.txt")
        try folder.write("", to: ".hidden.jsonl")
        #expect(try MergedFleet(ShardReport.all(at: [folder.path])).report.containers.count == 6)
        try folder.makeFolder("empty")
        #expect(failure { try ShardReport.all(at: [folder["empty"]]) }?.code == .noInput)
        #expect(failure { try ShardReport.all(at: [folder["gone"]]) }?.code == .noInput)
    }

    @Test("a journal of an incomplete run merges if no container is missing")
    func unfinished() throws {
        let shard = try #require(Shard(index: 1, count: 1))
        let lines = try fleet.lines(shard)
        try folder.write(lines.dropLast().joined(separator: "\n"), to: "j")
        #expect(try MergedFleet(ShardReport.all(at: [folder["j"]])).report.containers.count == 6)
        try folder.write(lines.dropLast(2).joined(separator: "\n"), to: "k")
        let error = failure { try MergedFleet(ShardReport.all(at: [folder["k"]])) }
        #expect(error?.message.contains("1 of the 6 containers of shard 1/1 is missing") == true)
    }

    @Test(
        "a file that is neither a journal nor a report is rejected",
        arguments: ["", "\n", "text", "{\"reportVersion\": 1}", "{\"messageType\": 3}", "[]", "\0\0"])
    func neither(_ text: String) throws {
        try folder.write(text, to: "x")
        #expect(failure { try ShardReport.all(at: [folder["x"]]) }?.code == .data)
    }

    @Test("a report of a later version is rejected with its version, and a pipe is not read")
    func laterReport() throws {
        try folder.write("{\n  \"reportVersion\": 2\n}\n", to: "x")
        #expect(failure { try ShardReport.all(at: [folder["x"]]) }?.message.contains("version 2") == true)
        try folder.makeFIFO("pipe")
        #expect(failure { try ShardReport.all(at: [folder["pipe"]]) }?.code == .noInput)
    }

    @Test("a report from before shards existed is read")
    func oldReport() throws {
        let old = """
            {
              "app": "TrainLog", "command": "verify", "containers": [
                {"container": "a", "failed": [], "passed": 3, "verdict": "passed"}
              ], "counts": {"failed": 0, "passed": 1, "unreadable": 0}, "durationMilliseconds": 5,
              "folder": "f", "godwitVersion": "0.1.0", "reportVersion": 1, "startedAt": "2026-11-21T06:00:00.000Z"
            }
            """
        try folder.write(old, to: "old.json")
        let report = try MergedFleet(ShardReport.all(at: [folder["old.json"]])).report
        #expect(report.counts == ["passed": 1, "failed": 0, "unreadable": 0])
        #expect(!report.dryRun && report.doneEarlier == 0 && report.slowest.isEmpty)
    }
}
