import GodwitModel
import GodwitSQLite
import GodwitDedupe
import GodwitTestSupport
import Testing

/// More duplicates than are kept in memory: those on disk are handled like those in memory.
struct ManyDuplicatesTests {
    private static let tag = Entity(name: "Tag", key: "id", belongsTo: [Reference(column: "noteId", parent: "Note")])

    /// Notes with each key twice and every tenth key three times, and a tag that refers to each note by its rowid.
    private static func bench(_ keys: Int, tables: String = "") throws -> DedupeBench {
        try DedupeBench(
            [.note, tag],
            """
            CREATE TABLE Note(id TEXT, body, at TEXT); \(tables)
            CREATE TABLE Tag(id INTEGER PRIMARY KEY, noteId TEXT, label TEXT);
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(keys * 21 / 10 - 1))
            INSERT INTO Note SELECT 'note ' || (i % \(keys)), 'body ' || i, date('2026-01-01', i || ' minutes') FROM n;
            INSERT INTO Tag SELECT rowid, id, body FROM Note;
            """)
    }

    @Test(
        "every group is found once, with any part in memory",
        arguments: [[0, 600], [1, 600], [2, 600], [50, 600], [.max, 600]])
    func groups(sizes: [Int]) throws {
        var bench = try Self.bench(sizes[1])
        bench.rowsInMemory = sizes[0]
        let before = try bench.contents()
        let report = try bench.dedupe()
        #expect(report.groupCount == 600)
        #expect(report.removed == ["Note": 660])
        #expect(report.groups.map(\.key) == report.groups.map(\.key).sorted())
        #expect(try bench.text("SELECT count(*), count(DISTINCT id) FROM Note") == ["600|600"])
        let kept = "SELECT count(*) FROM Note JOIN Tag ON Tag.noteId = Note.id"
        #expect(try bench.text(kept) == ["1260"])
        let store = try bench.undo()
        #expect(store.restored == ["Note": 660])
        #expect(try bench.contents() == before)
    }

    @Test("more duplicates than fit into memory are restored, also with triggers")
    func byDefault() throws {
        let bench = try Self.bench(
            SpillableRowMap.maxRowsInMemory,
            tables: """
                CREATE TABLE Audit(what TEXT); CREATE TRIGGER Noticed AFTER INSERT ON Note WHEN new.id = 'note 3'
                BEGIN INSERT INTO Audit VALUES (new.body); END;
                """)
        try bench.execute("DELETE FROM Audit")
        let before = try bench.rows("SELECT rowid, * FROM Note ORDER BY rowid")
        let report = try bench.dedupe()
        #expect(report.groupCount == SpillableRowMap.maxRowsInMemory)
        let store = try bench.undo()
        #expect(store.restored["Note"] ?? 0 > SpillableRowMap.maxRowsInMemory)
        #expect(try bench.rows("SELECT rowid, * FROM Note ORDER BY rowid") == before)
        #expect(try bench.text("SELECT count(*) FROM Audit") == ["2"])
    }

    @Test(
        "a trigger that changes records during an undo is found, also among records on disk", arguments: [0, 100_000])
    func watched(rowsInMemory: Int) throws {
        var bench = try Self.bench(100)
        bench.rowsInMemory = rowsInMemory
        try bench.dedupe()
        // The first record that is restored changes when a later one is restored.
        try bench.execute(
            """
            CREATE TRIGGER Meddling AFTER INSERT ON Note WHEN new.id = 'note 3'
            BEGIN UPDATE Note SET body = 'meddled' WHERE body = 'body 99'; END
            """)
        let before = try bench.contents()
        #expect(throws: GodwitError.self) { try bench.undo() }
        #expect(try bench.contents() == before)
    }

    @Test("a later run with one of many records is named", arguments: [0, 100_000])
    func later(rowsInMemory: Int) throws {
        var bench = try Self.bench(300)
        bench.rowsInMemory = rowsInMemory
        try bench.dedupe()
        for (number, key) in [(2, "another note"), (3, "note 17"), (4, "a third note")] {
            for _ in 0..<2 { try bench.execute("INSERT INTO Note VALUES (?, 'late', NULL)", [.string(key)]) }
            try bench.dedupe(run: "RUN-\(number)")
        }
        let error = #expect(throws: GodwitError.self) { try bench.undo() }
        #expect(error?.code == .data)
        #expect(error?.message.contains("RUN-3") == true)
        try bench.undo("RUN-3", by: "UNDO-3")
        #expect(throws: Never.self) { try bench.undo() }
    }
}
