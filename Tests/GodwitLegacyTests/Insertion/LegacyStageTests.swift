import GodwitLegacy
import GodwitModel
import GodwitSQLite
import FoundationLite
import GodwitTestSupport
import Synchronization
import Testing

struct LegacyStageTests {
    private func stage(
        _ plan: LegacyImportPlan, context: RunContext = .sample(), allowsEmpty: Bool = false
    ) -> LegacyStage {
        LegacyStage(
            manifest: LegacySamples.manifest, context: context, runIdentifier: "RUN-1", allowsEmpty: allowsEmpty,
            decide: { _ in plan })
    }

    private func importLegacy(_ stage: LegacyStage, into bench: StoreBench) throws -> RunReport.Legacy {
        let writer = try bench.writer()
        defer { try? writer.close(.legacy) }
        return try writer.transaction(.legacy) { connection throws(GodwitError) in
            try stage.importLegacy(within: connection)
        }
    }

    private func hasWork(_ stage: LegacyStage, _ bench: StoreBench) throws -> Bool {
        let writer = try bench.writer()
        defer { try? writer.close(.legacy) }
        return try writer.read(.legacy) { connection throws(GodwitError) in try stage.hasWork(connection) }
    }

    private func receipts(_ bench: StoreBench) throws -> [String] {
        guard try !bench.rows("SELECT 1 FROM sqlite_schema WHERE name = 'godwit_receipt'").isEmpty else { return [] }
        return try bench.text("SELECT stage, runId, completedAt, manifestSha256 FROM godwit_receipt")
    }

    private let receipt = "legacy|RUN-1|2026-11-21T06:00:00.000Z|feed"

    @Test("records and receipt are written together")
    func imports() throws {
        let bench = try StoreBench(LegacySamples.schema)
        let report = try importLegacy(stage(LegacySamples.plan()), into: bench)
        #expect(report.outcome == .done)
        #expect(report.inserted == ["Settings": 1, "Favorite": 2])
        #expect(report.buckets == ["migrated": 2, "unmapped": 1])
        #expect(report.sources.count == 2)
        #expect(try bench.text("SELECT * FROM Settings") == ["singleton|lb|2026-05-01T00:00:00.000Z"])
        #expect(try bench.text("SELECT name, createdAt FROM Favorite ORDER BY name") == ["row|NULL", "squat|NULL"])
        #expect(try receipts(bench) == [receipt])
    }

    @Test("values of every storage class are stored unchanged")
    func exactValues() throws {
        let bench = try StoreBench("CREATE TABLE Other(id, v);")
        let values: [Value] = [
            .null, .integer(.min), .integer(9_007_199_254_740_993), .real(0.1), .real(-1.5e300), .text([]),
            .text([0x61, 0x00, 0x62]), .blob([]), .blob([0x00, 0xFF]), .string("naïve ☕️"),
        ]
        let records = values.enumerated().map {
            PlannedRecord(entity: "Other", columns: ["id", "v"], values: [.integer(Int64($0)), $1])
        }
        _ = try importLegacy(stage(LegacySamples.plan(records)), into: bench)
        #expect(try bench.rows("SELECT v FROM Other ORDER BY id").map { $0[0] } == values)
    }

    @Test("with a receipt, nothing is imported again")
    func twice() throws {
        let bench = try StoreBench(LegacySamples.schema)
        let stage = stage(LegacySamples.plan())
        #expect(try hasWork(stage, bench))
        _ = try importLegacy(stage, into: bench)
        #expect(try !hasWork(stage, bench))
        let again = try importLegacy(stage, into: bench)
        #expect(again.outcome == .alreadyDone)
        #expect(again.inserted.isEmpty)
        #expect(try bench.text("SELECT count(*) FROM Favorite") == ["2"])
        #expect(try receipts(bench) == [receipt])
    }

    @Test("a fault before the commit rolls everything back, and the next run completes the import")
    func fault() throws {
        let bench = try StoreBench(LegacySamples.schema)
        let context = RunContext.sample(faultPoint: { point throws(GodwitError) in
            guard point == .beforeLegacyCommit else { return }
            throw GodwitError(.legacy, .io, "pulled the plug")
        })
        let error = failure { try importLegacy(stage(LegacySamples.plan(), context: context), into: bench) }
        #expect(error?.message == "pulled the plug")
        #expect(try bench.text("SELECT (SELECT count(*) FROM Settings) + (SELECT count(*) FROM Favorite)") == ["0"])
        #expect(try receipts(bench).isEmpty)
        #expect(try importLegacy(stage(LegacySamples.plan()), into: bench).inserted == ["Settings": 1, "Favorite": 2])
    }

    @Test("without a mapped key in any file, no record and no receipt are written")
    func empty() throws {
        let bench = try StoreBench(LegacySamples.schema)
        var plan = LegacySamples.plan()
        plan.hasMappedKeys = false
        #expect(try !hasWork(stage(plan), bench))
        let report = try importLegacy(stage(plan), into: bench)
        #expect(report.outcome == .nothingToDo)
        #expect(report.inserted.isEmpty)
        #expect(report.ledger.count == 3, "each key is accounted for all the same")
        #expect(try bench.text("SELECT count(*) FROM Settings") == ["0"])
        #expect(try receipts(bench).isEmpty)
    }

    @Test("--allow-empty writes the receipt and the planned records without a mapped key")
    func allowsEmpty() throws {
        let bench = try StoreBench(LegacySamples.schema)
        var plan = LegacySamples.plan([LegacySamples.settings])
        plan.hasMappedKeys = false
        #expect(try hasWork(stage(plan, allowsEmpty: true), bench))
        let report = try importLegacy(stage(plan, allowsEmpty: true), into: bench)
        #expect(report.outcome == .done)
        #expect(report.inserted == ["Settings": 1])
        #expect(try receipts(bench) == [receipt])
    }

    @Test(
        "conflicts and unsupported values make the outcome partial",
        arguments: [RunReport.Legacy.KeyOutcome.conflict, .unsupported])
    func partial(_ bucket: RunReport.Legacy.KeyOutcome) throws {
        let bench = try StoreBench(LegacySamples.schema)
        var plan = LegacySamples.plan()
        plan.ledger.append(RunReport.Legacy.Key(key: "odd", bucket: bucket))
        #expect(try importLegacy(stage(plan), into: bench).outcome == .partial)
        #expect(try receipts(bench) == [receipt])
    }

    @Test("a NOT NULL column without a default gives 65 with a hint, and nothing is imported")
    func notNull() throws {
        let bench = try StoreBench(
            "CREATE TABLE Settings(id TEXT, unit TEXT, updatedAt TEXT); CREATE TABLE Favorite(name TEXT, createdAt TEXT NOT NULL);"
        )
        let error = try #require(failure { try importLegacy(stage(LegacySamples.plan()), into: bench) })
        #expect(error.stage == .legacy)
        #expect(error.code == .data)
        #expect(error.message.contains("Favorite"))
        #expect(error.underlying?.contains("Favorite.createdAt") == true)
        #expect(error.hint?.contains("DEFAULT") == true)
        #expect(!error.description.contains("squat"), "no value of the user's in a message")
        #expect(try bench.text("SELECT count(*) FROM Settings") == ["0"])
        #expect(try receipts(bench).isEmpty)
    }

    @Test("another broken constraint gives 65 without a hint about defaults")
    func unique() throws {
        let bench = try StoreBench(
            "CREATE TABLE Settings(id TEXT, unit TEXT, updatedAt TEXT); CREATE TABLE Favorite(name TEXT UNIQUE, createdAt TEXT);"
        )
        let plan = LegacySamples.plan([LegacySamples.favorite("squat"), LegacySamples.favorite("squat")])
        let error = try #require(failure { try importLegacy(stage(plan), into: bench) })
        #expect(error.code == .data)
        #expect(error.underlying?.contains("UNIQUE") == true)
        #expect(error.hint?.contains("DEFAULT") != true)
    }

    @Test("a record without a table gives an error")
    func missingTable() throws {
        let bench = try StoreBench("CREATE TABLE Favorite(name TEXT, createdAt TEXT);")
        let error = try #require(failure { try importLegacy(stage(LegacySamples.plan()), into: bench) })
        #expect(error.code == .data)
        #expect(error.message.contains("no table 'Settings'"))
        #expect(error.hint?.contains("`Migration.run()`") == true)
    }

    @Test("a missing key column is rejected, not read as text")
    func missingKey() throws {
        let bench = try StoreBench(
            "CREATE TABLE Settings(unit TEXT, updatedAt TEXT); INSERT INTO Settings VALUES ('kg', NULL);")
        let error = try #require(failure { try hasWork(stage(LegacySamples.plan()), bench) })
        #expect(error.message.contains("'id'"))
    }

    @Test("the plan gets the schema and the keys of mapped entities from the store")
    func targets() throws {
        let bench = try StoreBench(
            LegacySamples.schema + """
                CREATE TABLE Other(id); INSERT INTO Other VALUES (1);
                INSERT INTO Favorite(name) VALUES ('squat'), ('squat'), ('SQUAT'), (CAST(x'6100' AS TEXT));
                """)
        let seen = Mutex<[LegacyTargets]>([])
        let stage = LegacyStage(
            manifest: LegacySamples.manifest, context: .sample(), runIdentifier: "R", allowsEmpty: false,
            decide: { targets in
                seen.withLock { $0.append(targets) }
                return LegacyImportPlan()
            })
        _ = try importLegacy(stage, into: bench)
        let targets = try #require(seen.withLock { $0.first })
        #expect(targets.keys["Favorite"] == [.string("squat"), .string("SQUAT"), .text([0x61, 0x00])])
        #expect(targets.keys["Settings"] == [])
        #expect(targets.keys["Other"] == nil)
        #expect(targets.hasRecords("Favorite"))
        #expect(!targets.hasRecords("Settings"))
        #expect(targets.shape.table(named: "Settings")?.columns.count == 3)
    }

    @Test("without a store, the report still has each key")
    func withoutStore() {
        let report = stage(LegacySamples.plan()).reportWithoutImport(outcome: .nothingToDo)
        #expect(report.outcome == .nothingToDo)
        #expect(report.inserted.isEmpty)
        #expect(report.buckets == ["migrated": 2, "unmapped": 1])
    }

    @Test("the receipt's detail is JSON with sources and numbers of keys and outcomes")
    func detail() throws {
        struct Detail: Decodable, Equatable {
            struct Source: Decodable, Equatable {
                let path: String
                let size: Int
                let sha256: String?
                let keys: Int
            }
            let sources: [Source]
            let buckets: [String: Int]
            let lines: Int
        }
        let bench = try StoreBench(LegacySamples.schema)
        _ = try importLegacy(stage(LegacySamples.plan()), into: bench)
        guard case .text(let json)? = try bench.rows("SELECT detail FROM godwit_receipt").first?.first else {
            Issue.record("no detail")
            return
        }
        let detail = try JSONDecoder().decode(Detail.self, from: Data(json))
        #expect(
            detail.sources == [
                .init(path: "Library/Preferences/\"odd\"\n.plist", size: 321, sha256: "abcd", keys: 3),
                .init(path: "Library/Preferences/gone.plist", size: 0, sha256: nil, keys: 0),
            ])
        #expect(detail.buckets == ["migrated": 2, "unmapped": 1])
        #expect(detail.lines == 3)
    }
}
