import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A retention policy over real exports in a folder.
struct ExportRetentionTests {
    let app: TrainLog

    init() throws {
        app = try TrainLog(.twoDevices)
        try app.perform()
        try app.folder.makeFolder("exports")
    }

    private static let day: Int64 = 86_400

    /// Makes an export so many days before the last one of all.
    private func export(
        _ name: String, daysBefore days: Int64, _ change: (inout ExportOptions) -> Void = { _ in }
    ) throws {
        var options = ExportOptions()
        change(&options)
        _ = try app.migration { $0.now = Instant.sampleNow.advanced(bySeconds: -days * Self.day) }
            .exportAndKeep(to: app.folder["exports/\(name)"], options: options)
    }

    private func forget(
        _ counts: [RetentionRule: Int], within: CalendarSpan? = nil, dryRun: Bool = false, at days: Int64 = 0
    ) throws -> ForgetReport {
        var options = RetentionOptions(policy: RetentionPolicy(counts: counts, within: within))
        options.isDryRun = dryRun
        options.now = Instant.sampleNow.advanced(bySeconds: days * Self.day)
        return try ExportRetention(folder: app.folder["exports"], options: options).apply()
    }

    private var names: Set<String> { Set(app.folder.names(in: "exports")) }

    @Test(
        "exports that no rule keeps are removed, the report lists the folder exactly, and a second run changes nothing")
    func applies() throws {
        for day in 0..<5 { try export("\(day).json", daysBefore: Int64(day)) }
        let report = try forget([.daily: 2])
        #expect(names == ["0.json", "1.json"])
        #expect(report.kept.map(\.file) == ["0.json", "1.json"])
        #expect(report.removed.map(\.file) == ["2.json", "3.json", "4.json"])
        #expect(
            report.kept.allSatisfy { $0.reasons == ["daily export"] }
                && report.removed.allSatisfy { $0.reasons.isEmpty })
        #expect(report.policy == ["--keep-daily 2"] && !report.dryRun)
        let before = try app.folder.fingerprint()
        let again = try forget([.daily: 2])
        #expect(again.removed == [] && again.kept == report.kept)
        #expect(try app.folder.fingerprint().differences(from: before) == [])
    }

    @Test("a dry run says the same and removes nothing; without a rule nothing goes")
    func removesNothing() throws {
        for day in 0..<3 { try export("\(day).json", daysBefore: Int64(day)) }
        let before = try app.folder.fingerprint()
        let plan = try forget([.last: 1], dryRun: true)
        #expect(plan.dryRun && plan.removed.map(\.file) == ["1.json", "2.json"])
        #expect(try forget([:]).removed == [])
        #expect(try forget([.last: 0]).removed == [])
        #expect(try app.folder.fingerprint().differences(from: before) == [])
        #expect(try forget([.last: 1]).removed == plan.removed)
    }

    @Test("other files and damaged exports stay, and damaged exports do not count for a rule")
    func others() throws {
        for day in 1..<4 { try export("\(day).json", daysBefore: Int64(day)) }
        try export("0.json", daysBefore: 0)
        let cut = Array(try app.folder.bytes(of: "exports/0.json").dropLast(30))
        try app.folder.remove("exports/0.json")
        try app.folder.write(cut, to: "exports/0.json")
        try app.folder.write("a letter", to: "exports/letter.json")
        try app.folder.write(try app.folder.bytes(of: TrainLog.local), to: "exports/TrainLog.store")
        try app.folder.write(try app.folder.bytes(of: TrainLog.preferences), to: "exports/app.plist")
        try app.folder.makeFolder("exports/more")
        try app.folder.write(try app.folder.bytes(of: "exports/3.json"), to: "exports/more/3.json")
        try app.folder.makeLink("exports/link.json", to: app.folder["exports/more/3.json"])
        try app.folder.makeFIFO("exports/pipe")
        let report = try forget([.last: 1])
        #expect(report.kept.map(\.file) == ["1.json"] && report.leftAlone == ["0.json"])
        #expect(
            names == ["0.json", "1.json", "letter.json", "TrainLog.store", "app.plist", "more", "link.json", "pipe"])
        #expect(app.folder.exists("exports/more/3.json"))
    }

    @Test("apps, selections, and increments are counted apart; a base stays with its increment")
    func series() throws {
        try export("base.json", daysBefore: 9)
        try app.write(
            TrainLog.cloud, "INSERT INTO Workout VALUES ('late', 'x', NULL, 's', NULL, 'c', '2026-11-21T05:00:00Z')")
        try export("more.json", daysBefore: 8) { $0.sincePath = app.folder["exports/base.json"] }
        try export("some.json", daysBefore: 7) { $0.entities = ["Workout"] }
        try export("old.json", daysBefore: 6)
        try export("new.json", daysBefore: 0)
        let other = try app.folder.text(of: "exports/old.json").replacing("TrainLog\",", with: "TrainLog 2\",")
        try app.folder.write(other, to: "exports/other.json")
        let report = try forget([.last: 1])
        #expect(names == ["base.json", "more.json", "some.json", "new.json", "other.json"])
        #expect(report.kept.first { $0.file == "base.json" }?.reasons == ["base of an increment"])
        #expect(report.removed.map(\.file) == ["old.json"])
        #expect(report.kept.first { $0.file == "more.json" }?.isIncrement == true)
        #expect(report.kept.first { $0.file == "some.json" }?.selection == ["Workout"])
    }

    @Test("two names of one file are both removed, and the report does not call an existing file removed")
    func hardLinks() throws {
        for day in 0..<2 { try export("\(day).json", daysBefore: Int64(day)) }
        try app.folder.makeHardLink("exports/other.json", to: "exports/1.json")
        let report = try forget([.last: 1])
        #expect(Set(report.removed.map(\.file)) == ["1.json", "other.json"] && names == ["0.json"])
    }

    @Test("what the link `latest` leads to stays, and what is dated in the future")
    func special() throws {
        for day in 0..<4 { try export("\(day).json", daysBefore: Int64(day)) }
        try app.folder.makeLink("exports/latest.json", to: "3.json")
        let report = try forget([.last: 1], at: -1)
        #expect(names == ["0.json", "1.json", "3.json", "latest.json"])
        #expect(
            Dictionary(uniqueKeysWithValues: report.kept.map { ($0.file, $0.reasons) }) == [
                "0.json": ["dated in the future"], "1.json": ["last"], "3.json": ["latest"],
            ])
    }

    @Test("a missing folder is missing input; a folder without write permission ends with 77 and keeps all files")
    func refused() throws {
        var options = RetentionOptions(policy: RetentionPolicy(counts: [.last: 1]))
        options.now = .sampleNow
        let nowhere = failure { try ExportRetention(folder: app.folder["nowhere"], options: options).apply() }
        #expect(nowhere?.code == .noInput)
        for day in 0..<2 { try export("\(day).json", daysBefore: Int64(day)) }
        guard geteuid() != 0 else { return }
        try app.folder.setMode(0o500, of: "exports")
        #expect(failure { try forget([.last: 1]) }?.code == .permission)
        #expect(names == ["0.json", "1.json"])
    }

    @Test("one that is cancelled removes nothing that it has not decided on")
    func cancelled() throws {
        for day in 0..<2 { try export("\(day).json", daysBefore: Int64(day)) }
        let cancellation = Cancellation()
        cancellation.cancel(.terminated)
        var options = RetentionOptions(policy: RetentionPolicy(counts: [.last: 1]))
        options.now = .sampleNow
        let error = failure {
            try ExportRetention(folder: app.folder["exports"], options: options).apply(cancellation: cancellation)
        }
        #expect(error?.code == .terminated && names == ["0.json", "1.json"])
    }
}
