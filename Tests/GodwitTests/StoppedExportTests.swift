import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Exports into a folder, when they are stopped.
struct StoppedExportTests {
    @Test(
        "a stopped export is not a failed attempt: the index keeps its last entry, also a failure",
        arguments: [GodwitError.Code.interrupted, .terminated], [false, true])
    func stopped(code: GodwitError.Code, afterFailure: Bool) throws {
        let app = try TrainLog(.twoDevices)
        try app.perform()
        let folder = try app.folder.makeFolder("exports")
        func migration(at seconds: Int64) throws -> Migration {
            try app.migration { $0.now = Instant.sampleNow.advanced(bySeconds: seconds) }
        }
        let made = try migration(at: 0).export(into: folder, options: .init())
        try MadeExports.keep(try #require(made.file))
        if afterFailure {
            var refused = ExportOptions()
            refused.minRecords = .max
            #expect(failure { try migration(at: 60).export(into: folder, options: refused) }?.code == .data)
        }
        let (index, names) = (try app.folder.bytes(of: "exports/exports.jsonl"), app.folder.names(in: "exports"))
        let cancellation = Cancellation()
        let error = failure {
            try migration(at: 120).export(
                into: folder, options: .init(), cancellation: cancellation,
                faultPoint: { point throws(GodwitError) in
                    guard point == .beforeExportRename else { return }
                    cancellation.cancel(code)
                    try cancellation.check(.export)
                })
        }
        #expect(error?.code == code)
        #expect(try app.folder.bytes(of: "exports/exports.jsonl") == index)
        #expect(app.folder.names(in: "exports") == names)
        var check = FreshnessOptions()
        check.now = Instant.sampleNow.advanced(bySeconds: 180)
        (check.warnAfter, check.errorAfter) = (Span("900d"), Span("1000d"))
        let found = try FreshnessCheck(paths: [folder], options: check).check().exports
        #expect(found.count == 1)
        #expect(found.first?.findings.map(\.code).contains(.attemptFailed) == afterFailure)
    }
}
