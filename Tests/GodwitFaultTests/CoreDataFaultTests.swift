import GodwitModel
import Godwit
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A run over a Core Data store that stops at any point and runs again gives the result of one complete run.
struct CoreDataFaultTests {
    @Test(
        "a run of a Core Data store that stops at any point is completed by the next",
        arguments: [
            FaultPoint.beforeSchemaCommit, .beforeLegacyCommit, .beforeCopyCommit, .afterCopyCommit,
            .beforeRenameIntoPlace, .beforeFlag, .afterFlag,
        ], [true, false])
    func stopped(at point: FaultPoint, hasLegacy: Bool) throws {
        let preferences: [String: Any] = hasLegacy ? ["unit": "lb"] : ["other": true]
        let calm = try CoreDataApp(preferences: preferences)
        try calm.perform()
        let app = try CoreDataApp(journal: "WAL", preferences: preferences)
        let before = try app.source()
        let fault = Fault(at: point)
        let error = failure { try app.perform(faultPoint: fault.meet) }
        #expect((error?.code == .io) == fault.wasMet)
        #expect(try app.source() == before)
        #expect(try app.perform().failedChecks == [])
        #expect(try app.contents().differences(from: calm.contents()) == [])
        #expect(try app.perform().outcome == .alreadyDone)
        #expect(try app.source() == before)
    }
}
