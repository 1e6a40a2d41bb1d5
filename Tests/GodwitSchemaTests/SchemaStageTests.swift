import GodwitModel
import GodwitSQLite
import GodwitSchema
import GodwitTestSupport
import Synchronization
import Testing

/// Real stores, through the real writer.
struct SchemaStageTests {
    private func refusal(_ bench: StoreBench, _ stage: SchemaStage) throws -> GodwitError {
        try #require(failure { try bench.bringUpToDate(stage) })
    }

    private let allVersions = ["1|step1", "2|step2", "3|step3"]

    @Test("an empty store gets every schema file, each with its row", arguments: ["DELETE", "WAL"])
    func fresh(_ journal: String) throws {
        let bench = try StoreBench(journal: journal)
        let report = try bench.bringUpToDate(SchemaSamples.stage())
        #expect(report.outcome == .done)
        #expect(report.adoptedAt == nil)
        #expect(report.fromVersion == 0)
        #expect(report.toVersion == 3)
        #expect(report.applied.map(\.version) == [1, 2, 3])
        #expect(report.applied.map(\.checksum) == (try SchemaSamples.files().files.map(\.checksum)))
        #expect(try bench.text("SELECT version, name FROM godwit_migration ORDER BY version") == allVersions)
        #expect(
            try bench.text("SELECT DISTINCT appliedAt, godwitVersion FROM godwit_migration")
                == ["2026-11-21T06:00:00.000Z|\(GodwitVersion.current)"])
        #expect(try bench.text("SELECT group_concat(name) FROM pragma_table_info('Note')") == ["id,body,updatedAt"])
    }

    @Test("a second run applies nothing")
    func twice() throws {
        let bench = try StoreBench()
        _ = try bench.bringUpToDate(SchemaSamples.stage())
        let before = try bench.text("SELECT * FROM godwit_migration ORDER BY version")
        let again = try bench.bringUpToDate(SchemaSamples.stage())
        #expect(again.outcome == .nothingToDo)
        #expect(again.applied.isEmpty)
        #expect(again.fromVersion == 3)
        #expect(again.toVersion == 3)
        #expect(try bench.text("SELECT * FROM godwit_migration ORDER BY version") == before)
    }

    @Test("the plan equals the run, and only reads")
    func plan() throws {
        let bench = try StoreBench(SchemaSamples.notes)
        let stage = try SchemaSamples.stage()
        let writer = try bench.writer()
        let plan = try writer.read(.schema) { connection throws(GodwitError) in try stage.plan(connection) }
        try writer.close(.schema)
        #expect(plan.adoptedAt == 1)
        #expect(try bench.history == nil)
        let foretold = stage.report(plan, role: .local, file: "Notes.store", created: false)
        let done = try bench.bringUpToDate(stage)
        #expect(done.applied == foretold.applied)
        #expect(done.toVersion == foretold.toVersion)
        #expect(done.adoptedAt == foretold.adoptedAt)
    }

    @Test("a later schema file is applied to a store with a history, and to its rows")
    func later() throws {
        let bench = try StoreBench()
        _ = try bench.bringUpToDate(SchemaSamples.stage([SchemaSamples.notes]))
        try SampleStore.make(bench.path, "INSERT INTO Note VALUES ('A', 'first'), ('B', NULL);")
        let texts = [
            SchemaSamples.notes, SchemaSamples.dates, "UPDATE Note SET updatedAt = '2026-01-01T00:00:00.000Z';",
        ]
        let report = try bench.bringUpToDate(SchemaSamples.stage(texts))
        #expect(report.fromVersion == 1)
        #expect(report.applied.map(\.version) == [2, 3])
        #expect(
            try bench.text("SELECT * FROM Note ORDER BY id") == [
                "A|first|2026-01-01T00:00:00.000Z", "B|NULL|2026-01-01T00:00:00.000Z",
            ])
    }

    @Test("a failing third file leaves two applied and recorded, and the next run continues")
    func failingThird() throws {
        let bench = try StoreBench()
        _ = try bench.bringUpToDate(SchemaSamples.stage([SchemaSamples.notes]))
        try SampleStore.make(bench.path, "INSERT INTO Note VALUES ('A', 'one'), ('A', 'two');")
        let third = "CREATE TABLE Half(x); CREATE UNIQUE INDEX Note_id ON Note(id);"
        var reports: [RunReport.Schema] = []
        let error = try #require(
            failure {
                try bench.bringUpToDate(
                    SchemaSamples.stage([SchemaSamples.notes, SchemaSamples.dates, third]),
                    committed: { reports.append($0) })
            })
        #expect(error.stage == .schema)
        #expect(error.code == .data)
        #expect(
            error.message.hasSuffix(
                "V0003__step3 can't be applied to `Notes.store`; the store is as it was before this file"))
        #expect(error.underlying?.contains("UNIQUE") == true)
        #expect(try bench.history == [1, 2])
        #expect(try bench.rows("SELECT 1 FROM sqlite_schema WHERE name IN ('Half', 'Note_id')").isEmpty)
        #expect(reports.map { $0.applied.map(\.version) } == [[], [2]], "what was done is reported although it failed")
        #expect(reports.last?.toVersion == 2)

        try SampleStore.make(bench.path, "UPDATE Note SET id = 'B' WHERE body = 'two';")
        let stage = try SchemaSamples.stage([SchemaSamples.notes, SchemaSamples.dates, third])
        #expect(try bench.bringUpToDate(stage).applied.map(\.version) == [3])
    }

    @Test("a fault before a commit keeps the earlier files", arguments: [1, 2, 3])
    func faults(_ failing: Int) throws {
        let bench = try StoreBench()
        let calls = Counter()
        let context = RunContext.sample(faultPoint: { point throws(GodwitError) in
            guard point == .beforeSchemaCommit, calls.next() == failing else { return }
            throw GodwitError(.schema, .io, "pulled the plug")
        })
        let error = try refusal(bench, SchemaSamples.stage(context: context))
        #expect(error.message == "pulled the plug")
        #expect(try bench.history ?? [] == Array(1..<failing))
        #expect(try bench.bringUpToDate(SchemaSamples.stage()).applied.map(\.version) == Array(failing...3))
        #expect(try bench.text("SELECT version, name FROM godwit_migration ORDER BY version") == allVersions)
    }

    @Test("a cancelled run keeps its exit code and the committed files")
    func cancellation() throws {
        let bench = try StoreBench()
        let cancellation = Cancellation()
        let context = RunContext.sample(
            cancellation: cancellation, faultPoint: { _ throws(GodwitError) in cancellation.cancel(.terminated) })
        let error = try #require(
            failure {
                try bench.bringUpToDate(SchemaSamples.stage(context: context), context: context)
            })
        #expect(error.code == .terminated)
        #expect(try bench.history ?? [] == [])
        #expect(try bench.rows("SELECT 1 FROM sqlite_schema WHERE name = 'Note'").isEmpty)
    }

    @Test("a schema file that rolls back its transaction is an error, and changes nothing")
    func rollback() throws {
        let bench = try StoreBench()
        _ = try bench.bringUpToDate(SchemaSamples.stage([SchemaSamples.notes]))
        try SampleStore.make(bench.path, "CREATE UNIQUE INDEX Mine ON Note(id); INSERT INTO Note VALUES ('A', '');")
        let texts = [SchemaSamples.notes, "CREATE TABLE Half(x); INSERT OR ROLLBACK INTO Note VALUES ('A', '');"]
        #expect(try refusal(bench, SchemaSamples.stage(texts)).code == .data)
        #expect(try bench.history == [1])
        #expect(try bench.rows("SELECT 1 FROM sqlite_schema WHERE name = 'Half'").isEmpty)
    }

    @Test("inside a caller's transaction everything is applied, and rolled back with it")
    func within() throws {
        let bench = try StoreBench(SchemaSamples.notes)
        let stage = try SchemaSamples.stage()
        let writer = try bench.writer()
        let error = failure {
            try writer.transaction(.copy) { connection throws(GodwitError) in
                let report = try stage.bringUpToDate(within: connection, role: .cloud, file: "c", created: true)
                guard report.applied.map(\.version) == [2, 3], report.adoptedAt == 1, report.created else { return }
                throw GodwitError(.copy, .io, "later failure")
            }
        }
        try writer.close(.copy)
        #expect(error?.message == "later failure")
        #expect(try bench.history == nil)
        #expect(try bench.rows("SELECT 1 FROM sqlite_schema WHERE name = 'Tag'").isEmpty)
    }

    @Test("a store locked by its app gives 75, with the hint about the lock")
    func busy() throws {
        let bench = try StoreBench(SchemaSamples.notes)
        let app = try SampleStore(bench.path)
        try app.execute("BEGIN EXCLUSIVE")
        let error = try #require(failure { try bench.bringUpToDate(SchemaSamples.stage()) })
        try app.execute("ROLLBACK")
        #expect(error.code == .busy)
        #expect(error.hint?.contains("Correct the SQL") != true)
    }
}

/// Counts calls from a Sendable closure.
final class Counter: Sendable {
    private let count = Mutex(0)

    /// The number of this call, from 1.
    func next() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}
