import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// On generated Core Data stores: every count and value is what SQLite itself says, a plan is what the run then does, and
/// no command changes a byte of the store.
struct CoreDataPropertyTests {
    @Test("a generated store arrives as SQLite reads it", arguments: GeneratedCases.numbers(0..<60, few: 15))
    func generated(_ seed: Int) throws {
        let random = try RandomCoreDataApp(seed: UInt64(seed))
        let app = random.app
        let original = try StoreCopy(of: app.folder[CoreDataApp.local])
        let before = try app.source()
        let plan = try Ending { try app.perform(dryRun: true) }
        #expect(!app.folder.exists(CoreDataApp.cloud))
        var report: RunReport?
        let run = try Ending {
            let made = try app.perform()
            report = made
            return made
        }
        #expect(plan == run)
        #expect(report?.failedChecks == [])
        #expect(report?.outcome == .done)
        #expect(report?.warningCodes.filter { !["leftBehind"].contains($0) } == [])
        let cloud = try StoreCopy(of: app.folder[CoreDataApp.cloud])
        for (entity, sql) in random.queries {
            let expected = try original.store.rows(sql)
            #expect(try cloud.store.rows("SELECT * FROM \(entity) ORDER BY id") == expected, "\(entity)")
            #expect(report?.copied(entity)?.local == Int64(expected.count))
        }
        #expect(try app.perform().outcome == .alreadyDone)
        #expect(try app.perform(.verify).failedChecks == [])
        #expect(try app.source() == before)
    }
}
