import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// An export says how many records wait for the cloud, one for each key; of a large store other threads count them.
struct UndedupedExportTests {
    private func export(_ app: TrainLog, _ options: ExportOptions = .init()) throws -> ExportReport {
        try app.migration().exportAndKeep(to: app.folder["export.json"], options: options)
    }

    @Test("without duplicates all records wait", arguments: [true, false])
    func plain(isLarge: Bool) throws {
        let app = try UndedupedStore.make("", isLarge: isLarge)
        let before = try app.fingerprint()
        let report = try export(app)
        let all: Int64 = isLarge ? 12_002 : 2
        #expect(report.counts.values.reduce(0, +) == all)
        #expect(report.freshness.pendingChanges == all)
        #expect(try app.leftovers() == [])
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("with some, all are exported, and one of each key waits", arguments: [true, false])
    func duplicates(isLarge: Bool) throws {
        let app = try UndedupedStore.make(UndedupedStore.twice, isLarge: isLarge)
        let before = try app.fingerprint()
        let report = try export(app)
        #expect(report.counts["Workout"] == 2 && report.counts["FavoriteExercise"] == 2)
        let waiting: Int64 = isLarge ? 12_002 : 2
        #expect(report.freshness.pendingChanges == waiting)
        #expect(try app.leftovers() == [])
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("an index that hides a duplicate changes nothing: one of each key waits")
    func hidden() throws {
        // The index of a copy without the duplicate changes places with the table's.
        let app = try UndedupedStore.make(
            UndedupedStore.twice + """
                CREATE TABLE S AS SELECT * FROM Workout;
                UPDATE S SET id = 'W-2' WHERE title = 'Pull';
                CREATE INDEX J ON S(id);
                CREATE TABLE R AS SELECT name AS n, rootpage AS p FROM sqlite_schema;
                PRAGMA writable_schema=ON;
                UPDATE sqlite_schema SET rootpage =
                    (SELECT p FROM R WHERE n = CASE name WHEN 'J' THEN 'Workout_id' ELSE 'J' END)
                    WHERE name IN ('J', 'Workout_id');
                PRAGMA writable_schema=RESET; DROP TABLE S; DROP TABLE R;
                """, isLarge: true)
        let report = try export(app)
        #expect(report.counts["Workout"] == 2 && report.freshness.pendingChanges == 12_002)
    }

    @Test("records without a key are exported, and how many wait is not known", arguments: [0, 3000])
    func noKey(bytes: Int) throws {
        let app = try UndedupedStore.makeWithoutKey(bytes: bytes)
        let report = try app.migration().exportAndKeep(to: app.folder["export.json"], options: .init())
        #expect(report.counts["Note"] == 2000)
        #expect(report.freshness.pendingChanges == nil)
        #expect(report.warnings.map(\.code).contains("pendingUnknown"))
    }
}
