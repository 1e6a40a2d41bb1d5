import GodwitModel
import GodwitDedupe
import GodwitTestSupport
import Testing

/// References to a removed record are set to the winner, and none is lost.
struct ReferenceTests {
    private static let settings = """
        CREATE TABLE Settings(id TEXT PRIMARY KEY, unit TEXT, at TEXT);
        INSERT INTO Settings VALUES
          ('singleton', 'old', '2026-01-01T00:00:00Z'), ('B', 'new', '2026-01-03T00:00:00Z'),
          ('C', 'older', '2025-01-01T00:00:00Z');
        """
    private static let colors = """
        INSERT INTO Color VALUES ('of old', 'singleton'), ('of new', 'B'), ('of older', 'C'), ('of none', NULL),
          ('of older too', 'C');
        """
    private static let allRepointed = [
        "of new|singleton", "of none|NULL", "of old|singleton", "of older|singleton", "of older too|singleton",
    ]
    /// The references changed in the end, without those that had the fixed key from the start.
    private static let changes = [
        "Color|of new|settingsId|B|singleton|repointed", "Color|of older|settingsId|C|singleton|repointed",
        "Color|of older too|settingsId|C|singleton|repointed", "Settings|B|id|B|singleton|rekeyed",
    ]

    private func expectRepointed(_ bench: DedupeBench, _ report: RunReport.Dedupe) throws {
        #expect(report.repointed == 3)
        #expect(report.removed == ["Settings": 2])
        #expect(try bench.text("SELECT id, unit FROM Settings") == ["singleton|new"])
        #expect(try bench.text("SELECT id, settingsId FROM Color ORDER BY id") == Self.allRepointed)
        #expect(
            try bench.text(
                """
                SELECT entity, key, "column", oldValue, newValue, reason FROM godwit_changed ORDER BY entity, key
                """) == Self.changes)
        #expect(try bench.rows("PRAGMA foreign_key_check").isEmpty)
        #expect(try !bench.hasWork())
        #expect(try bench.dedupe().groupCount == 0)
    }

    @Test("children by the manifest's references are changed and recorded")
    func byManifest() throws {
        let bench = try DedupeBench(
            [.settings(), .color], Self.settings + "CREATE TABLE Color(id TEXT, settingsId TEXT);" + Self.colors)
        try expectRepointed(bench, bench.dedupe())
    }

    @Test(
        "no foreign key deletes or empties a child, inside or outside of the manifest",
        arguments: [
            "ON DELETE CASCADE", "ON DELETE SET NULL", "ON DELETE SET DEFAULT", "ON DELETE RESTRICT", "",
            "ON DELETE CASCADE ON UPDATE CASCADE", "ON UPDATE RESTRICT",
            "ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED",
        ], [true, false])
    func foreignKeys(_ action: String, _ isInManifest: Bool) throws {
        let color = isInManifest ? Entity.color : Entity(name: "Color", key: "id")
        for target in ["Settings", "Settings(id)", "SETTINGS(ID)"] {
            let bench = try DedupeBench(
                [.settings(), color],
                Self.settings + "CREATE TABLE Color(id TEXT, settingsId TEXT REFERENCES \(target) \(action));"
                    + Self.colors)
            try expectRepointed(bench, bench.dedupe())
        }
    }

    @Test("a child table outside of the manifest keeps its rows")
    func unknownTable() throws {
        let bench = try DedupeBench(
            [.settings()],
            Self.settings + """
                CREATE TABLE Color(id TEXT PRIMARY KEY, settingsId TEXT REFERENCES Settings ON DELETE CASCADE)
                  WITHOUT ROWID;
                """ + Self.colors)
        try expectRepointed(bench, bench.dedupe())
    }

    @Test("children by a row number follow the winner of records with one key")
    func byOtherColumn() throws {
        let bench = try DedupeBench(
            [.note],
            """
            CREATE TABLE Note(pk INTEGER PRIMARY KEY, id TEXT, at TEXT);
            CREATE TABLE Tag(name TEXT, note INTEGER REFERENCES Note(pk) ON DELETE CASCADE);
            INSERT INTO Note VALUES (1, 'A', '2026-01-01T00:00:00Z'), (2, 'A', '2026-01-02T00:00:00Z'), (3, 'B', NULL);
            INSERT INTO Tag VALUES ('x', 1), ('y', 2), ('z', 3), ('w', 1);
            """)
        let report = try bench.dedupe()
        #expect(report.repointed == 2)
        #expect(try bench.text("SELECT pk, id FROM Note ORDER BY pk") == ["2|A", "3|B"])
        #expect(try bench.text("SELECT name, note FROM Tag ORDER BY name") == ["w|2", "x|2", "y|2", "z|3"])
        #expect(
            try bench.text("SELECT entity, key, \"column\", oldValue, newValue FROM godwit_changed ORDER BY key")
                == ["Tag|1|note|1|2", "Tag|4|note|1|2"], "a table without a key in the manifest is named by rowid")
    }

    @Test("foreign keys of several columns are followed")
    func compositeKeys() throws {
        let bench = try DedupeBench(
            [.note],
            """
            CREATE TABLE Note(a TEXT, b TEXT, id TEXT, at TEXT, UNIQUE(a, b));
            CREATE TABLE Tag(name TEXT, b2 TEXT, a2 TEXT, FOREIGN KEY(a2, b2) REFERENCES Note(a, b) ON DELETE CASCADE);
            INSERT INTO Note VALUES ('a', '1', 'A', '2026-01-01T00:00:00Z'), ('a', '2', 'A', '2026-01-02T00:00:00Z');
            INSERT INTO Tag VALUES ('x', '1', 'a'), ('y', '2', 'a'), ('half', NULL, 'a');
            """)
        #expect(try bench.dedupe().repointed == 1)
        #expect(try bench.text("SELECT * FROM Tag ORDER BY name") == ["half|NULL|a", "x|2|a", "y|2|a"])
        #expect(
            try bench.text("SELECT \"column\", oldValue, newValue FROM godwit_changed") == ["b2|1|2"],
            "only what changed is written down")
    }

    @Test("foreign keys compare as the parent's column does")
    func collation() throws {
        let bench = try DedupeBench(
            [.settings()],
            """
            CREATE TABLE Settings(id TEXT COLLATE NOCASE PRIMARY KEY, at TEXT);
            CREATE TABLE Color(id TEXT, settingsId TEXT REFERENCES Settings ON DELETE CASCADE);
            INSERT INTO Settings VALUES ('Alpha', '2026-01-01T00:00:00Z'), ('Beta', '2026-01-02T00:00:00Z');
            INSERT INTO Color VALUES ('x', 'ALPHA'), ('y', 'beta');
            """)
        #expect(try bench.dedupe().repointed == 2)
        #expect(try bench.text("SELECT * FROM Color ORDER BY id") == ["x|singleton", "y|singleton"])
    }

    @Test("references of the manifest compare by bytes, so that another case is another key")
    func bytes() throws {
        let bench = try DedupeBench(
            [.settings(), .color],
            """
            CREATE TABLE Settings(id TEXT COLLATE NOCASE, at TEXT);
            CREATE TABLE Color(id TEXT, settingsId TEXT COLLATE NOCASE);
            INSERT INTO Settings VALUES ('a', '2026-01-01T00:00:00Z'), ('b', '2026-01-02T00:00:00Z');
            INSERT INTO Color VALUES ('x', 'a'), ('y', 'A');
            """)
        #expect(try bench.dedupe().repointed == 1)
        #expect(try bench.text("SELECT * FROM Color ORDER BY id") == ["x|singleton", "y|A"])
    }

    @Test(
        "references inside one table follow too, and removed records are kept unchanged",
        arguments: [true, false])
    func selfReferences(_ hasForeignKey: Bool) throws {
        let reference = hasForeignKey ? "REFERENCES Settings(id) ON DELETE CASCADE" : ""
        let bench = try DedupeBench(
            [.settings(belongsTo: [Reference(column: "base", parent: "Settings")])],
            """
            CREATE TABLE Settings(id TEXT PRIMARY KEY, base TEXT \(reference), at TEXT);
            INSERT INTO Settings VALUES ('a', NULL, '2026-01-01T00:00:00Z'), ('b', 'a', '2026-01-02T00:00:00Z'),
              ('c', 'b', '2026-01-03T00:00:00Z');
            """)
        let report = try bench.dedupe()
        #expect(report.removed == ["Settings": 2])
        #expect(report.repointed == 1, "references of losers go with them")
        #expect(try bench.text("SELECT id, base FROM Settings") == ["singleton|singleton"])
        #expect(
            try bench.removedRecords().map { [$0["id"], $0["base"]] } == [
                [.string("a"), .null], [.string("b"), .string("a")],
            ])
        #expect(try bench.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test("children of removed records with one key are counted once")
    func sharedKey() throws {
        let bench = try DedupeBench(
            [.settings(), .color],
            """
            CREATE TABLE Settings(id TEXT, at TEXT); CREATE TABLE Color(id TEXT, settingsId TEXT);
            INSERT INTO Settings VALUES ('a', '1'), ('a', '2'), ('a', '2026-01-01T00:00:00Z'), ('b', '3');
            INSERT INTO Color VALUES ('x', 'a'), ('y', 'b');
            """)
        #expect(try bench.dedupe().repointed == 2)
        #expect(try bench.count("godwit_changed") == 3)
        #expect(try bench.text("SELECT DISTINCT settingsId FROM Color") == ["singleton"])
    }

    @Test("a child with its parent's key may become a duplicate, and is deduped in the same run")
    func childKeyedByParent() throws {
        let badge = Entity(
            name: "Badge", key: "settingsId", modified: ModifiedColumn(column: "at"),
            belongsTo: [Reference(column: "settingsId", parent: "Settings")])
        let bench = try DedupeBench(
            [badge, .settings()],
            """
            CREATE TABLE Settings(id TEXT, at TEXT); CREATE TABLE Badge(settingsId TEXT, at TEXT);
            INSERT INTO Settings VALUES ('a', '2026-01-01T00:00:00Z'), ('b', '2026-01-02T00:00:00Z');
            INSERT INTO Badge VALUES ('a', '2026-01-01T00:00:00Z'), ('b', '2026-01-02T00:00:00Z');
            """)
        let report = try bench.dedupe()
        #expect(report.removed == ["Settings": 1, "Badge": 1])
        #expect(try bench.text("SELECT * FROM Badge") == ["singleton|2026-01-02T00:00:00Z"])
        #expect(try !bench.hasWork())
    }

    @Test(
        "rows identified by their own reference are found again when they move twice",
        arguments: [
            "(settingsId TEXT, at TEXT, PRIMARY KEY(settingsId, at)) WITHOUT ROWID",
            "(settingsId TEXT, at TEXT, PRIMARY KEY(at, settingsId)) WITHOUT ROWID",
        ])
    func identifiedByReference(_ columns: String) throws {
        let badge = Entity(name: "Badge", key: "at", belongsTo: [Reference(column: "settingsId", parent: "Settings")])
        let bench = try DedupeBench(
            [badge, .settings()],
            """
            CREATE TABLE Settings(id TEXT, at TEXT); CREATE TABLE Badge\(columns);
            INSERT INTO Settings VALUES ('a', '2026-01-01T00:00:00Z'), ('b', '2026-01-02T00:00:00Z');
            INSERT INTO Badge VALUES ('a', '1'), ('b', '2');
            """)
        #expect(try bench.dedupe().repointed == 2)
        #expect(try bench.text("SELECT settingsId, at FROM Badge ORDER BY at") == ["singleton|1", "singleton|2"])
    }

    @Test("a singleton's reference to itself or a removed record gets the fixed key, in tables of every kind")
    func selfReferenceByKey() throws {
        for options in ["", " WITHOUT ROWID"] {
            let bench = try DedupeBench(
                [.settings(belongsTo: [Reference(column: "base", parent: "Settings")])],
                """
                CREATE TABLE Settings(id TEXT PRIMARY KEY, base TEXT, at TEXT)\(options);
                INSERT INTO Settings VALUES ('a', 'b', '2026-01-01T00:00:00Z'), ('b', 'a', '2026-01-02T00:00:00Z');
                """)
            #expect(try bench.dedupe().repointed == 1)
            #expect(try bench.text("SELECT id, base FROM Settings") == ["singleton|singleton"], "\(options)")
        }
        let numbered = try DedupeBench(
            [
                Entity(
                    name: "Settings", key: "id", modified: ModifiedColumn(column: "at"),
                    belongsTo: [Reference(column: "base", parent: "Settings")], singleton: "1")
            ],
            """
            CREATE TABLE Settings(id INTEGER PRIMARY KEY, base INTEGER, at TEXT);
            INSERT INTO Settings VALUES (7, 8, '2026-01-01T00:00:00Z'), (8, 7, '2026-01-02T00:00:00Z');
            """)
        #expect(try numbered.dedupe().repointed == 1)
        #expect(try numbered.text("SELECT id, base FROM Settings") == ["1|1"])
    }

    @Test("changing references removes no other row, with any conflict clause")
    func conflictClause() throws {
        let bench = try DedupeBench(
            [.settings(), .color],
            Self.settings + "CREATE TABLE Color(id TEXT, settingsId TEXT UNIQUE ON CONFLICT REPLACE);"
                + "INSERT INTO Color VALUES ('x', 'singleton'), ('y', 'B');")
        let error = try #require(failure { try bench.dedupe() })
        #expect(error.code == .data)
        #expect(try bench.text("SELECT * FROM Color ORDER BY id") == ["x|singleton", "y|B"])
    }

    @Test("a child that cannot be doubled for one parent ends the run, and nothing changes")
    func uniqueChild() throws {
        let bench = try DedupeBench(
            [.settings(), .color],
            Self.settings + "CREATE TABLE Color(id TEXT, settingsId TEXT UNIQUE REFERENCES Settings ON DELETE CASCADE);"
                + "INSERT INTO Color VALUES ('x', 'singleton'), ('y', 'B');")
        let error = try #require(failure { try bench.dedupe() })
        #expect(error.code == .data)
        #expect(try bench.count("Settings") == 3)
        #expect(try bench.text("SELECT * FROM Color ORDER BY id") == ["x|singleton", "y|B"])
        #expect(try !bench.has("godwit_removed"))
    }

    @Test("triggers of the store see every change")
    func triggers() throws {
        let bench = try DedupeBench(
            [.settings(), .color],
            Self.settings + "CREATE TABLE Color(id TEXT, settingsId TEXT REFERENCES Settings ON DELETE CASCADE);"
                + Self.colors + """
                    CREATE TABLE Log(what TEXT);
                    CREATE TRIGGER Gone AFTER DELETE ON Settings BEGIN INSERT INTO Log VALUES ('gone ' || old.id); END;
                    CREATE TRIGGER Renamed AFTER UPDATE OF id ON Settings
                      BEGIN INSERT INTO Log VALUES (old.id || ' to ' || new.id); END;
                    """)
        try expectRepointed(bench, bench.dedupe())
        #expect(Set(try bench.text("SELECT what FROM Log")) == ["gone singleton", "gone C", "B to singleton"])
    }

    @Test("existing orphans stay and do not prevent a dedupe")
    func orphans() throws {
        let bench = try DedupeBench(
            [.settings(), .color],
            Self.settings + "CREATE TABLE Color(id TEXT, settingsId TEXT REFERENCES Settings ON DELETE CASCADE);"
                + "INSERT INTO Color VALUES ('lost', 'nowhere'), ('of new', 'B');")
        #expect(try bench.dedupe().repointed == 1)
        #expect(try bench.text("SELECT * FROM Color ORDER BY id") == ["lost|nowhere", "of new|singleton"])
    }
}
