import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Freshness of real exports, in files and folders.
struct FreshnessCheckTests {
    let app: TrainLog

    init() throws {
        app = try TrainLog(.twoDevices)
        try app.perform()
        try app.folder.makeFolder("exports")
    }

    @discardableResult
    private func export(
        _ name: String, at seconds: Int64 = 0, _ options: ExportOptions = .init()
    ) throws -> ExportReport {
        try app.migration { $0.now = Instant.sampleNow.advanced(bySeconds: seconds) }
            .exportAndKeep(to: app.folder["exports/\(name)"], options: options)
    }

    private func check(
        _ names: [String], at seconds: Int64 = 0, warn: Span? = nil, error: Span? = nil
    ) throws -> [ExportFreshness] {
        var options = FreshnessOptions()
        options.now = Instant.sampleNow.advanced(bySeconds: seconds)
        (options.warnAfter, options.errorAfter) = (warn, error)
        let before = try app.folder.fingerprint()
        let report = try FreshnessCheck(paths: names.map { app.folder[$0] }, options: options).check()
        #expect(try app.folder.fingerprint().differences(from: before) == [])
        #expect(report.counts.values.reduce(0, +) == report.exports.count)
        return report.exports
    }

    @Test("a file says what its export said, with ages as of now", arguments: [[], ["lines"], ["gzip"]])
    func file(_ forms: [String]) throws {
        let options = ExportOptions(lines: forms.contains("lines"), gzip: forms.contains("gzip"))
        let report = try export("e", at: 0, options)
        let entry = try #require(try check(["exports/e"], at: 3600, error: Span("100d")).first)
        #expect(entry.file == app.folder["exports/e"] && entry.app == "TrainLog")
        #expect(entry.exportedAt == Instant.sampleNow && entry.exportAgeSeconds == 3600)
        #expect(entry.newestRecordAt == report.freshness.newestRecordAt)
        #expect(entry.dataAgeSeconds == (report.freshness.ageSeconds ?? 0) + 3600)
        #expect(entry.lastSuccessAt == Instant.sampleNow)
        let ages: [Freshness.Code] = [.olderThanWarnAfter, .olderThanErrorAfter]
        #expect(entry.recorded == report.freshness.reasons.filter { !ages.contains($0.code) })
    }

    @Test("in a folder an export that is dated in the future is named, and the newest of the others decides")
    func datedAhead() throws {
        try export("a.json")
        try export("b.json", at: 2000 * 86_400)
        for (age, status) in [(Int64(60), Freshness.Status.warn), (600 * 86_400, .error)] {
            let entry = try #require(try check(["exports"], at: age, error: Span("500d")).first)
            #expect(entry.status == status)
            #expect(entry.file == app.folder["exports/a.json"])
            let named = entry.findings.first { $0.code == .exportedInFuture }
            #expect(named?.message == "b.json: dated in the future, so Godwit does not compare with it")
        }
        // When that day has come it is an export like any other.
        let entry = try #require(try check(["exports"], at: 2000 * 86_400, error: Span("9000d")).first)
        #expect(entry.file == app.folder["exports/b.json"])
        try app.folder.remove("exports/a.json")
        for names in [["exports"], ["exports/b.json"]] {
            let only = try #require(try check(names, at: 60, error: Span("500d")).first)
            #expect(only.status == .error && only.findings.map(\.code).contains(.onlyInFuture))
        }
    }

    @Test("what is missing, no export, a folder without one, or cut is stale")
    func stale() throws {
        try export("whole.json")
        let bytes = try app.folder.bytes(of: "exports/whole.json")
        try app.folder.write(Array(bytes.dropLast(40)), to: "cut.json")
        try app.folder.write("{}", to: "other.json")
        try app.folder.write("", to: "empty.json")
        try app.folder.makeFolder("none")
        try app.folder.write("a letter", to: "none/letter.txt")
        let found = try check(
            ["nowhere", "cut.json", "other.json", "empty.json", "none"], error: Span("1000d"))
        #expect(found.map { $0.findings.first?.code } == [.missing, .notWhole, .unreadable, .unreadable, .missing])
        #expect(found.allSatisfy { $0.status == .error && $0.lastSuccessAt == nil })
    }

    @Test("of a folder the newest export of each series counts, with any names of the files")
    func series() throws {
        try export("z.json", at: 0)
        try export("a.json", at: 600)
        var some = ExportOptions()
        some.entities = ["Workout"]
        try export("m.json", at: 300, some)
        try app.folder.write("a letter", to: "exports/letter.txt")
        let found = try check(["exports"], at: 900, warn: Span("900d"), error: Span("1000d"))
        #expect(found.map { $0.file.map { URL(filePath: $0).lastPathComponent } } == ["a.json", "m.json"])
        #expect(found.map(\.selection) == [nil, ["Workout"]])
        #expect(found.map(\.exportAgeSeconds) == [300, 600])
        #expect(found.allSatisfy { $0.status == .pass && $0.path == app.folder["exports"] })
    }

    @Test("a newer export that is cut is found, and the last whole one is named")
    func cutInFolder() throws {
        try export("1.json", at: 0)
        try export("2.json", at: 600)
        let bytes = try app.folder.bytes(of: "exports/2.json")
        try app.folder.remove("exports/2.json")
        try app.folder.write(Array(bytes.dropLast(40)), to: "exports/2.json")
        let found = try #require(try check(["exports"], at: 900, warn: Span("900d"), error: Span("1000d")).first)
        #expect(found.status == .error && found.findings.map(\.code) == [.notWhole])
        #expect(found.lastSuccessAt == Instant.sampleNow)
        #expect(found.file == app.folder["exports/1.json"])
    }

    @Test("an increment is judged by its own age if its base exists")
    func increments() throws {
        try export("base.json", at: 0)
        try app.write(
            TrainLog.cloud, "INSERT INTO Workout VALUES ('late', 'x', NULL, 's', NULL, 'c', '2026-11-21T05:00:00Z')")
        var since = ExportOptions()
        since.sincePath = app.folder["exports/base.json"]
        try export("more.json", at: 600, since)
        let both = try #require(try check(["exports"], at: 900, warn: Span("900d"), error: Span("1000d")).first)
        #expect(both.status == .pass && both.exportAgeSeconds == 300)
        try app.folder.remove("exports/base.json")
        let single = try #require(try check(["exports"], at: 900).first)
        #expect(single.status == .error)
        #expect(Set(single.findings.map(\.code)) == [.missing, .baseMissing])
        #expect(single.app == "TrainLog" && single.file == nil)
    }

    @Test("a check can be cancelled")
    func cancelled() throws {
        try export("1.json")
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: GodwitError.self) {
            try FreshnessCheck(paths: [app.folder["exports"]]).check(cancellation: cancellation)
        }
    }
}
