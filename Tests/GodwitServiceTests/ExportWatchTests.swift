import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitService
import GodwitTestSupport
import Testing

struct ExportWatchTests {
    private let app: TrainLog

    init() throws {
        app = try TrainLog(.twoDevices)
        try app.folder.makeFolder("exports")
    }

    private func makeWatch(_ options: ExportOptions) throws -> ExportWatch {
        let app = app
        let setup = ExportService.Setup(
            folder: app.folder["exports"], options: options, every: .oneHour, debounce: 0,
            makeMigration: { try app.migration() }, observe: { () throws(GodwitError) in (.unknown, .unknown) },
            supervisor: SupervisorSocket(environment: { _ in nil }, process: 1), log: { _ in })
        return try ExportService(setup).makeWatch()
    }

    private var documents: [String] { app.folder.names(in: "exports").filter { $0.hasSuffix(".json") } }

    /// Checks the files this many times; a request to reload makes an export due each time.
    private func look(_ times: Int, through watch: inout ExportWatch) async throws {
        for _ in 0..<times {
            watch.reload()
            await watch.lookAndExport()
        }
        for name in documents { try MadeExports.keep(app.folder["exports/" + name]) }
    }

    @Test("an increment is made once, and again only after a change", arguments: [false, true])
    func increments(skipsUnchanged: Bool) async throws {
        try app.migration().exportAndKeep(to: app.folder["base.json"], options: .init())
        try app.write(TrainLog.local, "UPDATE Workout SET notes = 'x'")
        var options = ExportOptions()
        (options.sincePath, options.skipsUnchanged) = (app.folder["base.json"], skipsUnchanged)
        var watch = try makeWatch(options)
        try await look(3, through: &watch)
        #expect(documents.count == 1 && documents.allSatisfy { $0.hasPrefix("TrainLog-since-") }, "\(documents)")
        let attempts = try app.folder.text(of: "exports/exports.jsonl").split(separator: "\n")
        #expect(attempts.map { $0.contains(#""outcome":"unchanged""#) } == [false, true, true])
        try app.write(TrainLog.local, "UPDATE Workout SET notes = 'y'")
        try await look(1, through: &watch)
        #expect(documents.count == 2, "\(documents)")
    }

    @Test("a full export is made once")
    func everything() async throws {
        var watch = try makeWatch(.init())
        try await look(3, through: &watch)
        #expect(documents.count == 1, "\(documents)")
    }
}
