import GodwitModel
import GodwitSQLite
import GodwitDedupe
import GodwitTestSupport
import Testing

/// The whole stage: once, in order, all or nothing, and equal on every device.
struct DedupeStageTests {
    private static let note = "CREATE TABLE Note(id TEXT NOT NULL, body TEXT, at TEXT);"

    @Test("a second dedupe changes nothing")
    func twice() throws {
        let bench = try DedupeBench([.note], Self.note + "INSERT INTO Note VALUES ('A', 1, NULL), ('A', 2, NULL);")
        try bench.dedupe(run: "RUN-1")
        let (rows, removed) = (try bench.rows("SELECT * FROM Note"), try bench.rows("SELECT * FROM godwit_removed"))
        #expect(try !bench.hasWork())
        let again = try bench.dedupe(run: "RUN-2")
        #expect(again.outcome == .nothingToDo)
        #expect(again.groupCount == 0)
        #expect(again.removed.isEmpty)
        #expect(try bench.rows("SELECT * FROM Note") == rows)
        #expect(try bench.rows("SELECT * FROM godwit_removed") == removed)
    }

    @Test("without duplicates nothing is done, and no byte changes")
    func nothing() throws {
        let bench = try DedupeBench([.note], Self.note + "INSERT INTO Note VALUES ('A', 1, NULL), ('B', 2, NULL);")
        let before = try bench.folder.fingerprint()
        #expect(try !bench.hasWork())
        #expect(try bench.folder.fingerprint().differences(from: before) == [])
        #expect(try DedupeBench([.note], Self.note).dedupe().outcome == .nothingToDo)
    }

    @Test("an entity without a table is skipped")
    func noTable() throws {
        let bench = try DedupeBench(
            [.note, .color], Self.note + "INSERT INTO Note VALUES ('A', 1, NULL), ('A', 2, NULL);")
        #expect(try bench.dedupe().removed == ["Note": 1])
    }

    @Test("of many groups, a thousand are listed, and all are counted and processed")
    func many() throws {
        let bench = try DedupeBench(
            [.note],
            Self.note + """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2600)
                INSERT INTO Note SELECT printf('%05d', i / 2), i, NULL FROM n;
                """)
        let report = try bench.dedupe()
        // Keys 1 ... 1299 occur twice, 0 and 1300 once.
        #expect(report.groupCount == 1299)
        #expect(report.groups.count == 1000)
        #expect(report.groups.map(\.key) == report.groups.map(\.key).sorted())
        #expect(report.groups.first?.key == "00001")
        #expect(report.removed == ["Note": 1299])
        #expect(try bench.count("Note") == 1301)
        #expect(try bench.count("godwit_removed") == 1299)
    }

    @Test("groups are listed in manifest order, though parents are processed first")
    func listing() throws {
        let child = Entity(name: "Tag", key: "id", belongsTo: [Reference(column: "noteId", parent: "Note")])
        let bench = try DedupeBench(
            [child, .note],
            Self.note + """
                CREATE TABLE Tag(id TEXT, noteId TEXT); INSERT INTO Tag VALUES ('t', 'A'), ('t', 'A');
                INSERT INTO Note VALUES ('A', 1, NULL), ('A', 2, NULL);
                """)
        #expect(try bench.dedupe().groups.map(\.entity) == ["Tag", "Note"])
        #expect(try bench.text("SELECT * FROM Tag") == ["t|A"])
    }

    @Test("dates in the future take part and are counted")
    func future() throws {
        let bench = try DedupeBench(
            [.note],
            Self.note + """
                INSERT INTO Note VALUES ('A', 'now', '2026-11-21T06:05:00Z'), ('A', 'later', '2026-11-21T06:05:01Z'),
                  ('B', 'single', '2099-01-01T00:00:00Z');
                """)
        let report = try bench.dedupe()
        #expect(report.dates.future == ["Note": 1])
        #expect(report.dates.unreadable.isEmpty)
        #expect(try bench.text("SELECT body FROM Note WHERE id = 'A'") == ["later"])
    }

    @Test("a hundred orders of the same rows give the same winners and the same ledger")
    func shuffles() throws {
        var rows: [String] = []
        var generator = SeededGenerator(seed: 3)
        for key in ["A", "a", "B", "C"] {
            for number in 0..<4 {
                let date = ["NULL", "'2026-01-01T12:00:00+05:00'", "'2026-01-01T07:00:00Z'", "'2026-01-01T10:00:00Z'"]
                    .randomElement(using: &generator)
                rows.append("('\(key)', \(number % 3), \(date ?? "NULL"))")
            }
        }
        var outcomes: Set<[[String]]> = []
        for _ in 0..<100 {
            let insert = "INSERT INTO Note VALUES \(rows.shuffled(using: &generator).joined(separator: ", "));"
            let bench = try DedupeBench([.note], "CREATE TABLE Note(id TEXT, body INTEGER, at TEXT);" + insert)
            let report = try bench.dedupe()
            outcomes.insert([
                try bench.text("SELECT * FROM Note ORDER BY id"),
                // Only the number of the row differs.
                try bench.text(
                    "SELECT id, entity, key, record, reason, winnerKey, runId, removedAt, step FROM godwit_removed ORDER BY id"
                ),
                report.groups.map { "\($0.key) \($0.winner) \($0.losers) \($0.reason)" },
            ])
        }
        #expect(outcomes.count == 1)
    }

    @Test("a cancelled dedupe is rolled back: nothing is removed")
    func cancellation() throws {
        let bench = try DedupeBench([.note], Self.note + "INSERT INTO Note VALUES ('A', 1, NULL), ('A', 2, NULL);")
        let cancellation = Cancellation()
        cancellation.cancel(.terminated)
        // Asked between groups, before any other part of the run could notice.
        let stage = DedupeStage(
            manifest: bench.manifest, context: .sample(cancellation: cancellation), runIdentifier: "R")
        let writer = try StoreWriter(existing: bench.path, name: "Notes.store", stage: .dedupe, context: .sample())
        let error = failure {
            try writer.transaction(.dedupe) { connection throws(GodwitError) in
                try stage.dedupe(within: connection, role: .local)
            }
        }
        try writer.close(.dedupe)
        #expect(error?.code == .terminated)
        #expect(try bench.count("Note") == 2)
        #expect(try !bench.has("godwit_removed"))
    }

    @Test("a fault before the commit rolls back the dedupe, and the next run completes it")
    func fault() throws {
        let bench = try DedupeBench([.note], Self.note + "INSERT INTO Note VALUES ('A', 1, NULL), ('A', 2, NULL);")
        let context = RunContext.sample(faultPoint: { _ throws(GodwitError) in
            throw GodwitError(.dedupe, .io, "pulled the plug")
        })
        #expect(failure { try bench.dedupe(context) }?.message == "pulled the plug")
        #expect(try bench.count("Note") == 2)
        #expect(try !bench.has("godwit_removed"))
        #expect(try bench.dedupe().removed == ["Note": 1])
    }

    @Test("a trigger that prevents a deletion ends the run, and nothing changes")
    func stubbornTrigger() throws {
        let bench = try DedupeBench(
            [.note],
            Self.note + """
                INSERT INTO Note VALUES ('A', 1, NULL), ('A', 2, NULL);
                CREATE TRIGGER Keep BEFORE DELETE ON Note BEGIN SELECT RAISE(IGNORE); END;
                """)
        #expect(failure { try bench.dedupe() }?.code == .data)
        #expect(try bench.count("Note") == 2)
        #expect(try !bench.has("godwit_removed"))
    }
}
