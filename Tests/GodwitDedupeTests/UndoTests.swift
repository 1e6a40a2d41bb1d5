import GodwitModel
import GodwitSQLite
import GodwitDedupe
import GodwitTestSupport
import Testing

/// Removed records are restored as they were, in real stores.
struct UndoTests {
    private static let notes = """
        CREATE TABLE Note(id TEXT, body, at TEXT);
        INSERT INTO Note VALUES ('n', 'old', '2026-01-01T00:00:00Z'), ('n', 'new', '2026-01-03T00:00:00Z'),
          ('n', 'older', '2025-01-01T00:00:00Z'), ('m', 'single', NULL);
        """
    static let settings = """
        CREATE TABLE Settings(id TEXT PRIMARY KEY, unit TEXT, at TEXT);
        INSERT INTO Settings VALUES
          ('singleton', 'old', '2026-01-01T00:00:00Z'), ('B', 'new', '2026-01-03T00:00:00Z'),
          ('C', 'older', '2025-01-01T00:00:00Z');
        """
    static let colors = """
        INSERT INTO Color VALUES ('of old', 'singleton'), ('of new', 'B'), ('of older', 'C'), ('of none', NULL),
          ('of older too', 'C');
        """

    /// Deduplicates, undoes, and requires the state before; then deduplicates again and requires the same choice.
    @discardableResult
    private func requireRoundTrip(_ bench: DedupeBench) throws -> RunReport.Undo.Store {
        let before = try bench.contents()
        try bench.dedupe()
        let after = try bench.contents()
        #expect(after != before)
        let store = try bench.undo()
        #expect(try bench.contents() == before)
        #expect(store.outcome == .done)
        #expect(store.kept == 0)
        try bench.dedupe(run: "RUN-2")
        #expect(try bench.contents() == after)
        return store
    }

    @Test("duplicates of a key are restored, and the ledger keeps and marks them")
    func plain() throws {
        let bench = try DedupeBench([.note], Self.notes)
        let store = try requireRoundTrip(bench)
        #expect(store.restored == ["Note": 2])
        #expect(
            try bench.text("SELECT runId, undoneBy, undoneAt FROM godwit_removed ORDER BY id") == [
                "RUN-1|UNDO-1|2026-11-21T06:00:00.000Z", "RUN-1|UNDO-1|2026-11-21T06:00:00.000Z", "RUN-2|NULL|NULL",
                "RUN-2|NULL|NULL",
            ])
    }

    @Test(
        "a singleton's records get their own keys again, and their children follow",
        arguments: ["", " REFERENCES Settings ON DELETE CASCADE ON UPDATE CASCADE", " REFERENCES Settings"])
    func singleton(_ reference: String) throws {
        let bench = try DedupeBench(
            [.settings(), .color],
            Self.settings + "CREATE TABLE Color(id TEXT PRIMARY KEY, settingsId TEXT\(reference));" + Self.colors)
        let store = try requireRoundTrip(bench)
        #expect(store.restored == ["Settings": 2])
        #expect(store.repointed == 3)
        #expect(store.rekeyed == 1)
        #expect(try bench.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test("one record with a wrong key gets it again")
    func onlyRekeyed() throws {
        let bench = try DedupeBench(
            [.settings()], "CREATE TABLE Settings(id TEXT, at TEXT); INSERT INTO Settings VALUES ('x', NULL);")
        #expect(try requireRoundTrip(bench).rekeyed == 1)
    }

    @Test("orphans that got a parent through the fixed key are orphans again")
    func adopted() throws {
        for reference in ["", " REFERENCES Settings"] {
            let bench = try DedupeBench(
                [.settings(), .color],
                """
                CREATE TABLE Settings(id TEXT PRIMARY KEY, at TEXT); INSERT INTO Settings VALUES ('x', NULL);
                CREATE TABLE Color(id TEXT, settingsId TEXT\(reference));
                INSERT INTO Color VALUES ('lost', 'singleton'), ('mine', 'x');
                """)
            try requireRoundTrip(bench)
        }
    }

    @Test("references inside one table are restored for winners, removed records and between groups")
    func selfReferences() throws {
        let node = Entity(
            name: "Node", key: "id", modified: ModifiedColumn(column: "at"),
            belongsTo: [Reference(column: "parent", parent: "Node")])
        let bench = try DedupeBench(
            [node],
            """
            CREATE TABLE Node(pk INTEGER PRIMARY KEY, id TEXT, parent TEXT, at TEXT);
            INSERT INTO Node VALUES (1, 'a', 'b', '1'), (2, 'a', 'a', '2'), (3, 'b', 'a', '3'), (4, 'b', NULL, '4');
            """)
        try requireRoundTrip(bench)
        let one = try DedupeBench(
            [.settings(belongsTo: [Reference(column: "base", parent: "Settings")])],
            """
            CREATE TABLE Settings(id TEXT PRIMARY KEY, base TEXT, at TEXT) WITHOUT ROWID;
            INSERT INTO Settings VALUES ('a', NULL, '2026-01-01T00:00:00Z'), ('b', 'a', '2026-01-02T00:00:00Z'),
              ('c', 'b', '2026-01-03T00:00:00Z');
            """)
        try requireRoundTrip(one)
    }

    @Test(
        "a child that became a duplicate is restored with its own parent",
        arguments: ["", " WITHOUT ROWID"])
    func childKeyedByParent(_ options: String) throws {
        let badge = Entity(
            name: "Badge", key: "settingsId", modified: ModifiedColumn(column: "at"),
            belongsTo: [Reference(column: "settingsId", parent: "Settings")])
        let key = options.isEmpty ? "" : ", PRIMARY KEY(settingsId, at)"
        let bench = try DedupeBench(
            [badge, .settings()],
            """
            CREATE TABLE Settings(id TEXT, at TEXT); CREATE TABLE Badge(settingsId TEXT, at TEXT\(key))\(options);
            INSERT INTO Settings VALUES ('a', '2026-01-01T00:00:00Z'), ('b', '2026-01-02T00:00:00Z');
            INSERT INTO Badge VALUES ('a', '2026-01-01T00:00:00Z'), ('b', '2026-01-02T00:00:00Z');
            """)
        try requireRoundTrip(bench)
    }

    @Test("two children with one key are restored each to its own parent")
    func twins() throws {
        let child = Entity(name: "Color", key: "id", belongsTo: [Reference(column: "settingsId", parent: "Settings")])
        for order in ["('k', 'a'), ('k', 'b')", "('k', 'b'), ('k', 'a')"] {
            let bench = try DedupeBench(
                [.settings(), child],
                """
                CREATE TABLE Settings(id TEXT, at TEXT); CREATE TABLE Color(id TEXT, settingsId TEXT);
                INSERT INTO Settings VALUES ('a', '2026-01-01T00:00:00Z'), ('b', '2026-01-02T00:00:00Z');
                INSERT INTO Color VALUES \(order), ('other', 'b');
                """)
            try requireRoundTrip(bench)
        }
    }

    @Test("foreign keys of several columns, and children outside of the manifest, are restored")
    func compositeForeignKey() throws {
        let bench = try DedupeBench(
            [.settings()],
            """
            CREATE TABLE Settings(id TEXT, part INTEGER, at TEXT, UNIQUE(id, part));
            INSERT INTO Settings VALUES ('a', 1, '2026-01-01T00:00:00Z'), ('b', 2, '2026-01-02T00:00:00Z');
            CREATE TABLE Tag(name TEXT, sid TEXT, spart INTEGER,
              FOREIGN KEY(sid, spart) REFERENCES Settings(id, part) ON DELETE CASCADE ON UPDATE CASCADE);
            INSERT INTO Tag VALUES ('x', 'a', 1), ('y', 'b', 2), ('z', NULL, 2), ('x', 'a', 1);
            """)
        try requireRoundTrip(bench)
    }

    @Test(
        "every storage class is restored to the last bit", arguments: ["UTF-8", "UTF-16le", "UTF-16be"],
        ["", " STRICT"])
    func storageClasses(_ encoding: String, _ options: String) throws {
        let type = options.isEmpty ? "" : " ANY"
        let bench = try DedupeBench(
            [Entity(name: "Note", key: "id")],
            "CREATE TABLE Note(id\(type), body\(type), weight\(options.isEmpty ? " NUMERIC" : " REAL"))\(options);",
            encoding: encoding)
        let values: [Value] = [
            .null, .integer(.max), .integer(.min), .integer(9_007_199_254_740_993), .real(-0.0), .real(0.1),
            .real(1e300),
            .real(.leastNonzeroMagnitude), .real(.infinity), .real(-.infinity), .real(9_223_372_036_854_775_808),
            .text([]),
            .text(Array("a\0b".utf8)), .string("é \u{1F3CB} \" \\ \n\u{1} /"), .string("12"), .blob([]),
            .blob([0, 255, 1]), .string("{\"$int\":\"1\"}"), .string("\u{FEFF}x"),
        ]
        // The empty text is there already.
        let odd = WideSample.all.dropFirst().map { Value.text($0.bytes) }
        let invalid: [Value] = encoding == "UTF-8" ? [.text([0xFF, 0xC3])] : []
        try bench.write { connection throws(GodwitError) in
            for value in values + odd + invalid {
                for weight in [Value.real(1.5), .real(-0.0), .null] {
                    try connection.execute("INSERT INTO Note VALUES (?, ?, ?)", [.string("k"), value, weight])
                }
                if value != .null {
                    try connection.execute("INSERT INTO Note VALUES (?1, 1, 2.5), (?1, 1, 2.5)", [value])
                }
            }
        }
        try requireRoundTrip(bench)
    }

    @Test("tables of all kinds are restored: rowid aliases keep their number, generated columns are computed again")
    func kinds() throws {
        let schemas = [
            "CREATE TABLE Note(pk INTEGER PRIMARY KEY, id TEXT, at TEXT)",
            "CREATE TABLE Note(pk INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT, at TEXT)",
            "CREATE TABLE Note(pk TEXT, id TEXT, at TEXT, PRIMARY KEY(id, pk)) WITHOUT ROWID",
            "CREATE TABLE Note(pk TEXT COLLATE NOCASE PRIMARY KEY, id TEXT COLLATE NOCASE, at TEXT) WITHOUT ROWID",
            "CREATE TABLE Note(pk TEXT, id TEXT, at TEXT, twice TEXT AS (pk || pk) STORED, \"order\" TEXT DEFAULT 'x')",
            "CREATE TABLE \"note\"(\"PK\" TEXT, \"Id\" TEXT, \"At\" TEXT)",
        ]
        for schema in schemas {
            let bench = try DedupeBench(
                [.note],
                schema
                    + ";INSERT INTO Note(pk, id, at) VALUES (7, 'n', '1'), (3, 'n', '3'), (5, 'n', '2'), (9, 'm', '1');"
                    + "DELETE FROM Note WHERE pk = 9;")
            try requireRoundTrip(bench)
        }
    }

    @Test("a row without its own key gets its old rowid if that is free")
    func rowid() throws {
        let bench = try DedupeBench([.note], Self.notes)
        let before = try bench.text("SELECT rowid, * FROM Note ORDER BY rowid")
        try bench.dedupe()
        try bench.undo()
        #expect(try bench.text("SELECT rowid, * FROM Note ORDER BY rowid") == before)
        try bench.dedupe(run: "RUN-2")
        try bench.execute("INSERT INTO Note(rowid, id) VALUES (1, 'squatter')")
        try bench.undo("RUN-2")
        #expect(try bench.count("Note") == 5)
    }

    @Test("triggers see the restored rows, and harmless triggers do not prevent an undo")
    func triggers() throws {
        let bench = try DedupeBench(
            [.settings(), .color],
            Self.settings + "CREATE TABLE Color(id TEXT PRIMARY KEY, settingsId TEXT);" + Self.colors + """
                CREATE TABLE Log(what TEXT);
                CREATE TRIGGER Back AFTER INSERT ON Settings BEGIN INSERT INTO Log VALUES ('back ' || new.id); END;
                """)
        try bench.dedupe()
        try bench.undo()
        #expect(try bench.text("SELECT what FROM Log ORDER BY what") == ["back C", "back singleton"])
        #expect(try bench.text("SELECT id FROM Settings ORDER BY id") == ["B", "C", "singleton"])
    }

    @Test("a second undo, or an undo of an unknown run, changes nothing")
    func twice() throws {
        let bench = try DedupeBench([.note], Self.notes)
        try bench.dedupe()
        try bench.undo()
        let contents = try bench.contents()
        #expect(try bench.undo(by: "UNDO-2").outcome == .nothingToDo)
        #expect(try bench.undo("RUN-9").outcome == .nothingToDo)
        #expect(try bench.contents() == contents)
        #expect(try bench.text("SELECT DISTINCT undoneBy FROM godwit_removed") == ["UNDO-1"])
    }

    @Test("an undo that stops before its commit changes nothing, and the next one completes it")
    func interrupted() throws {
        let bench = try DedupeBench(
            [.settings(), .color],
            Self.settings + "CREATE TABLE Color(id TEXT PRIMARY KEY, settingsId TEXT REFERENCES Settings);"
                + Self.colors)
        let before = try bench.contents()
        try bench.dedupe()
        let deduped = try bench.contents()
        let context = RunContext.sample(faultPoint: { point throws(GodwitError) in
            if point == .beforeUndoCommit { throw GodwitError(.dedupe, .io, "Stopped.") }
        })
        #expect(failure { try bench.undo("RUN-1", context) }?.code == .io)
        #expect(try bench.contents() == deduped)
        #expect(try bench.count("godwit_removed WHERE undoneBy IS NOT NULL") == 0)
        try bench.undo()
        #expect(try bench.contents() == before)
    }

    @Test("a cancelled undo is rolled back")
    func cancelled() throws {
        let bench = try DedupeBench([.note], Self.notes)
        try bench.dedupe()
        let deduped = try bench.contents()
        let cancellation = Cancellation()
        cancellation.cancel(.terminated)
        #expect(failure { try bench.undo("RUN-1", .sample(cancellation: cancellation)) }?.code == .terminated)
        #expect(try bench.contents() == deduped)
    }
}
