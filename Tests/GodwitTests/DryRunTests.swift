import Godwit
import GodwitModel
import GodwitRender
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// `--dry-run` of commands that are no part of `run` is the same: the report is that of the real thing.
struct DryRunTests {
    private func json(_ report: some Encodable) throws -> String {
        String(decoding: try JSONReport.encode(report), as: UTF8.self)
    }

    @Test(
        "the dry run of an export reports what the export reports",
        arguments: Scenario.allCases.filter { $0 != .empty },
        [ExportOptions(), ExportOptions(lines: true), ExportOptions(gzip: true)])
    func export(_ scenario: Scenario, _ options: ExportOptions) throws {
        let app = try TrainLog(scenario)
        let before = try app.folder.fingerprint()
        var dryRun = options
        dryRun.isDryRun = true
        var planned = try app.migration().export(to: app.folder["e.json"], options: dryRun)
        #expect(try app.folder.fingerprint().differences(from: before) == [])
        #expect(planned.dryRun)
        planned.dryRun = false
        let real = try app.migration().exportAndKeep(to: app.folder["e.json"], options: options)
        #expect(try json(planned) == json(real))
    }

    @Test(
        "a store that is one file under several names is refused by plan and run in the same words",
        arguments: [TrainLog.cloud, TrainLog.local], [1, 3])
    func manyNames(store: String, others: Int) throws {
        let app = try TrainLog(.twoDevices)
        for number in 0..<others { try app.folder.makeHardLink("backup \(number)", to: store) }
        let planned = failure { try app.perform(dryRun: true) }
        let real = failure { try app.perform() }
        #expect(real?.code == .data && real?.message.contains("one file with \(others + 1) names") == true)
        #expect(planned?.code == real?.code && planned?.message == real?.message && planned?.hint == real?.hint)
    }

    @Test("an export into a missing folder also fails in its dry run", arguments: ["nowhere", "file"])
    func noFolder(name: String) throws {
        let app = try TrainLog(.container)
        try app.folder.write("a letter", to: "file")
        let path = app.folder["\(name)/e.json"]
        var dryRun = ExportOptions()
        dryRun.isDryRun = true
        let planned = failure { try app.migration().export(to: path, options: dryRun) }
        let real = failure { try app.migration().export(to: path, options: .init()) }
        #expect(real?.code == .cannotCreate)
        #expect(planned?.code == real?.code && planned?.message == real?.message)
    }

    @Test("the dry run of an increment reports what the increment reports")
    func increment() throws {
        let app = try TrainLog(.container)
        _ = try app.migration().exportAndKeep(to: app.folder["full.json"], options: .init())
        try app.write(TrainLog.local, "DELETE FROM ExerciseSet WHERE rowid < 9; UPDATE Workout SET title = 'x'")
        var options = ExportOptions()
        options.sincePath = app.folder["full.json"]
        options.isDryRun = true
        var planned = try app.migration().export(to: app.folder["since.json"], options: options)
        #expect(!app.folder.exists("since.json"))
        planned.dryRun = false
        options.isDryRun = false
        let real = try app.migration().exportAndKeep(to: app.folder["since.json"], options: options)
        #expect(try json(planned) == json(real))
    }

    @Test(
        "the dry run of an import has the report of the import, except identifier and time",
        arguments: [true, false])
    func restore(isPacked: Bool) throws {
        let app = try TrainLog(.twoDevices)
        _ = try app.migration().exportAndKeep(to: app.folder["e.json"], options: ExportOptions(gzip: isPacked))
        let before = try app.folder.fingerprint()
        func restore(isDryRun: Bool) throws -> String {
            var report = try app.migration().restore(
                from: app.folder["e.json"], to: app.folder["new.store"], isDryRun: isDryRun)
            #expect(report.dryRun == isDryRun)
            (report.runId, report.dryRun, report.durationMilliseconds) = ("", false, 0)
            return try json(report)
        }
        let planned = try restore(isDryRun: true)
        #expect(try app.folder.fingerprint().differences(from: before) == [])
        #expect(try planned == restore(isDryRun: false))
    }

    @Test("the dry run of an undo reports what the undo reports", arguments: [Shape.twoDevices, .walLocal, .walCloud])
    func undo(_ shape: Shape) throws {
        let app = try shape.make()
        try app.perform()
        let before = try app.fingerprint()
        let planned = try Ending { try app.migration().undoDedupe(of: "latest", dryRun: true) }
        #expect(try app.fingerprint().differences(from: before) == [])
        #expect(try planned == Ending { try app.migration().undoDedupe(of: "latest", dryRun: false) })
    }
}
