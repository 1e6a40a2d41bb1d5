import GodwitModel
import GodwitSQLite
import GodwitInspect
import GodwitTestSupport
import Testing

/// What is found in a store, compared with what its SQL put there.
struct StoreInspectorTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func inspect(
        _ sql: String, journal: String? = nil, showsValues: Bool = false
    ) throws -> StoreInspection {
        try SampleStore.make(folder["a.store"], journal: journal, sql)
        let before = try folder.fingerprint()
        let found = try StoreInspector(context: .sample(), showsValues: showsValues, archives: nil)
            .inspect(folder["a.store"], name: "a.store")
        #expect(try folder.fingerprint().differences(from: before) == [])
        return found
    }

    private static let notes = """
        CREATE TABLE Folder (id TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE Note (id TEXT NOT NULL, folderId TEXT REFERENCES Folder(id), title TEXT, authToken TEXT, body BLOB,
          isDone INTEGER, createdAt TEXT, updatedAt INTEGER, seenAt REAL, stampedAt INTEGER);
        INSERT INTO Folder VALUES ('F1', 'Home'), ('F2', 'Work');
        INSERT INTO Note VALUES
          ('A', 'F1', 'One', 'hush', x'0102', 1, '2026-01-01T00:00:00Z', 1760000000, 700000000.5, 1760000000000),
          ('B', 'F9', NULL, 'hush', NULL, 0, '2026-02-01T09:00:00+09:00', 1770000000, 710000000, 1770000000123),
          ('C', NULL, 'Three', NULL, x'', 0, '2026-03-01', 1999999999, NULL, 1780000000000);
        """

    @Test("an inspection reports counts, kinds, missing values and date ranges in every encoding")
    func columns() throws {
        let found = try inspect(Self.notes)
        #expect(found.report.layout == .tables)
        let note = try #require(found.report.entities.first { $0.name == "Note" })
        #expect(note.count == 3)
        let kinds = Dictionary(uniqueKeysWithValues: note.columns.map { ($0.name, $0.kind) })
        #expect(kinds["isDone"] == .boolean && kinds["title"] == .text && kinds["body"] == .data)
        let dates = note.columns.filter { $0.kind == .date }
        #expect(
            dates.map { "\($0.name) \($0.encoding?.rawValue ?? "")" } == [
                "createdAt iso8601", "updatedAt unixSeconds", "seenAt coreData", "stampedAt unixMilliseconds",
            ])
        #expect(
            dates[0].earliest == Instant(iso8601: "2026-01-01") && dates[0].latest == Instant(iso8601: "2026-03-01"))
        #expect(dates[2].earliest == Instant(coreDataSeconds: 700_000_000.5) && dates[2].missing == 1)
        #expect(note.columns.first { $0.name == "title" }?.missing == 1)
        #expect(note.columns.first { $0.name == "body" }?.longest == 2)
        #expect(note.modified == "updatedAt")
    }

    @Test("an inspection reports keys, references, orphans, and a wrong clock")
    func relations() throws {
        let found = try inspect(Self.notes)
        let note = try #require(found.report.entities.first { $0.name == "Note" })
        #expect(note.key == "id" && note.keyEvidence == .values)
        #expect(found.report.entities.first { $0.name == "Folder" }?.keyEvidence == .primaryKey)
        let relation = try #require(note.relations.first)
        #expect(relation.name == "folderId" && relation.target == "Folder" && relation.evidence == "foreignKey")
        #expect(relation.count == 2 && relation.orphans == 1)
        #expect(Set(found.report.risks.map(\.code)) == ["orphans", "clockSkew"])
    }

    @Test("in a table with a primary key of several columns, a unique name is not a key")
    func severalColumns() throws {
        let rows = "INSERT INTO Place VALUES ('jp', '1', 'Ginza'), ('jp', '2', 'Shibuya');"
        for (constraint, key) in [(", PRIMARY KEY (country, code)", nil), ("", "code"), (", UNIQUE (name)", "name")] {
            let folder = try TemporaryFolder()
            let path = folder["a.store"]
            try SampleStore.make(path, "CREATE TABLE Place(country TEXT, code TEXT, name TEXT\(constraint)); \(rows)")
            let found = try StoreInspector(context: .sample(), showsValues: false, archives: nil)
                .inspect(path, name: "a.store")
            #expect(found.report.entities.first?.key == key, "\(constraint)")
        }
    }

    @Test("a column with a table's name is a reference only if most of its values match")
    func byName() throws {
        let sql = """
            CREATE TABLE workouts (id TEXT, n TEXT); INSERT INTO workouts VALUES ('a', ''), ('b', '');
            CREATE TABLE sets (id TEXT, workout_id TEXT, user_id TEXT);
            INSERT INTO sets VALUES ('1', 'a', 'x'), ('2', 'b', 'y'), ('3', 'zz', 'z');
            CREATE TABLE users (id TEXT); INSERT INTO users VALUES ('q');
            """
        let sets = try #require(try inspect(sql).report.entities.first { $0.name == "sets" })
        #expect(sets.relations.map(\.name) == ["workout_id"])
        #expect(sets.relations.first?.orphans == 1 && sets.relations.first?.evidence == "names")
    }

    @Test("values are shown on request, and secrets never")
    func values() throws {
        let hidden = try inspect(Self.notes)
        #expect(hidden.report.entities.allSatisfy { $0.columns.allSatisfy { $0.samples == nil } })
        try folder.remove("a.store")
        let shown = try inspect(Self.notes, showsValues: true)
        let note = try #require(shown.report.entities.first { $0.name == "Note" })
        #expect(note.columns.first { $0.name == "title" }?.samples == ["One", "Three"])
        let secret = try #require(note.columns.first { $0.name == "authToken" })
        #expect(secret.isSecret && secret.samples == nil)
    }

    @Test("values of a key-value table are hidden, and those of other tables shown")
    func settings() throws {
        let found = try inspect(
            """
            CREATE TABLE a (key TEXT, value ANY); INSERT INTO a VALUES ('theme', 'zz1'), ('pin', 1234);
            CREATE TABLE b (id TEXT PRIMARY KEY, json TEXT, at TEXT); INSERT INTO b VALUES ('me', '{"a":"zz1"}', 'seen');
            CREATE TABLE c (account INT, name TEXT, stringValue TEXT, PRIMARY KEY (account, name));
            INSERT INTO c VALUES (1, 'x', 'zz1');
            CREATE TABLE d (id INTEGER PRIMARY KEY, content TEXT); INSERT INTO d VALUES (1, 'seen');
            CREATE TABLE e (name TEXT, data TEXT); INSERT INTO e VALUES ('x', 'seen');
            """, showsValues: true)
        func samples(_ table: String, _ column: String) -> [String]? {
            found.report.entities.first { $0.name == table }?.columns.first { $0.name == column }?.samples
        }
        let hidden = ["(hidden: values of a key-value table)"]
        #expect(
            samples("a", "value") == hidden && samples("b", "json") == hidden && samples("c", "stringValue") == hidden)
        #expect(
            samples("b", "at") == ["seen"] && samples("d", "content") == ["seen"] && samples("e", "data") == ["seen"])
        #expect(samples("a", "key") == ["theme", "pin"])
    }

    @Test("an inspection reports duplicates of a key, tables without a key, and single records")
    func duplicates() throws {
        let found = try inspect(
            """
            CREATE TABLE Card (uuid TEXT, n TEXT); INSERT INTO Card VALUES ('a', ''), ('a', ''), ('b', ''), (NULL, '');
            INSERT INTO Card SELECT 'c' || value, '' FROM json_each('[' || substr(replace(hex(zeroblob(100)), '00', ',1'), 2) || ']');
            UPDATE Card SET uuid = 'd' || rowid WHERE uuid = 'c1';
            CREATE TABLE Chain (id TEXT, n TEXT); INSERT INTO Chain SELECT n, uuid FROM Card;
            CREATE TABLE Pair (a INTEGER, b INTEGER, PRIMARY KEY (a, b)); INSERT INTO Pair VALUES (1, 1), (1, 2);
            CREATE TABLE AppSettings (id TEXT, theme TEXT); INSERT INTO AppSettings VALUES ('x', 'dark');
            """)
        let card = try #require(found.report.entities.first { $0.name == "Card" })
        #expect(card.key == "uuid" && card.keyEvidence == .name && card.duplicates == 1)
        #expect(found.report.entities.first { $0.name == "Pair" }?.key == nil)
        let chain = try #require(found.tables.first { $0.entity.name == "Chain" })
        #expect(chain.entity.key == nil && chain.repeatedKey?.column == "id" && chain.repeatedKey?.records == 103)
        #expect(
            found.report.risks.contains {
                $0.message
                    == "Chain has no single column that identifies its records: 103 records repeat another's id, so it can't be an entity of a manifest"
            })
        #expect(found.report.entities.first { $0.name == "AppSettings" }?.isSingleton == true)
        #expect(Set(found.report.risks.map(\.code)) == ["keyNotUnique", "noKey"])
    }

    @Test(
        "repeated identifiers in a Core Data store are reported, few or many",
        arguments: [3, 300])
    func repeatedIdentifiers(count: Int) throws {
        let found = try inspect(
            CoreDataSample.bookkeeping + """
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 9), (2, 'Tag', 0, 9);
                CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID BLOB);
                CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID BLOB);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                INSERT INTO ZITEM SELECT i, 1, 1, CAST(printf('%016d', i) AS BLOB) FROM n;
                INSERT INTO ZTAG SELECT Z_PK, 2, 1, ZID FROM ZITEM;
                INSERT INTO ZITEM VALUES (1000, 1, 1, CAST(printf('%016d', 1) AS BLOB));
                """)
        let repeated = found.report.risks.filter { $0.code == "keyRepeated" }.map(\.message)
        #expect(repeated == ["Item.id: 1 record repeats the value of another one"])
        #expect(found.report.entities.first?.key == "Z_PK")
    }

    @Test("an inspection reports full-text tables, triggers, foreign ledger tables and Godwit's own history")
    func others() throws {
        let found = try inspect(
            """
            CREATE TABLE Note (id TEXT PRIMARY KEY, title TEXT);
            CREATE VIRTUAL TABLE Note_search USING fts5(title);
            CREATE TRIGGER t AFTER INSERT ON Note BEGIN SELECT 1; END;
            CREATE TABLE godwit_receipt (a);
            CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
            PRAGMA user_version = 7;
            """)
        #expect(found.report.entities.map(\.name) == ["Note"])
        #expect(
            found.report.otherTables.contains("Note_search_data") && found.report.otherTables.contains("godwit_receipt")
        )
        #expect(found.report.otherTables.contains("grdb_migrations"))
        #expect(found.report.userVersion == 7 && found.report.triggers == ["t"])
        #expect(Set(found.report.risks.map(\.code)) == ["foreignBooks", "triggers", "virtualRecords"])
    }

    @Test("records only in a virtual table are counted without its module, and records in another table are not lost")
    func virtualTables() throws {
        let found = try inspect(
            """
            CREATE TABLE n(id TEXT PRIMARY KEY, t TEXT); CREATE TABLE "of it_content"(id TEXT PRIMARY KEY);
            CREATE VIRTUAL TABLE "own text" USING FTS5("content", title); INSERT INTO "own text" VALUES ('a', 'b'), ('c', '');
            CREATE VIRTUAL TABLE four USING fts4(a, content="n"); CREATE VIRTUAL TABLE three USING fts3(a);
            CREATE VIRTUAL TABLE box USING rtree_i32(id, a, b); INSERT INTO box VALUES (1, 0, 1), (2, 0, 1), (3, 0, 1);
            CREATE VIRTUAL TABLE "of it" USING fts5(id, content = 'of it_content');
            INSERT INTO "of it_content" VALUES ('1');
            CREATE VIRTUAL TABLE words USING fts5vocab('own text', 'row');
            PRAGMA writable_schema=ON;
            INSERT INTO sqlite_schema VALUES ('table', 'odd', 'odd', 0, 'CREATE VIRTUAL TABLE odd USING acme(x)');
            """)
        let holdings = Dictionary(uniqueKeysWithValues: found.virtualTables.map { ($0.name, $0.holding) })
        #expect(
            holdings == [
                "own text": .records(2), "four": .nothing, "three": .records(0), "box": .records(3),
                "of it": .records(1),
                "words": .nothing, "odd": .notKnown,
            ])
        #expect(found.report.entities.map(\.name) == ["n"])
        let said = found.report.risks.filter { $0.code == "virtualRecords" }.map(\.message)
        #expect(said.contains("own text is a full-text table with records of its own; 2 records are not read"))
        #expect(said.contains("box is an R-tree with records of its own; 3 records are not read"))
        #expect(said.contains { $0.hasPrefix("odd is a virtual table") && $0.contains("not known") } && said.count == 5)
        let others = try #require(found.report.risks.first { $0.code == "virtualTables" })
        #expect(others.message == "it has virtual tables (four, words)")
    }

    @Test("a virtual table with a module named content counts as one with an unknown module")
    func moduleCalledContent() throws {
        let found = try inspect(
            """
            CREATE TABLE n(id TEXT PRIMARY KEY); PRAGMA writable_schema=ON;
            INSERT INTO sqlite_schema VALUES ('table', 'odd', 'odd', 0, 'CREATE VIRTUAL TABLE odd USING content(a)');
            """)
        #expect(found.virtualTables.map(\.module) == ["content"])
        #expect(found.virtualTables.map(\.holding) == [.notKnown])
    }

    @Test("a date without fractions is a key if the schema makes it one")
    func datesAsKeys() throws {
        let found = try inspect(
            """
            CREATE TABLE DailyStats(createdDay TEXT PRIMARY KEY, steps INT);
            INSERT INTO DailyStats VALUES ('2026-03-01', 5), ('2026-03-02', 6);
            CREATE TABLE reading(timestamp INTEGER PRIMARY KEY, v);
            INSERT INTO reading VALUES (1760000000, 1), (1760000060, 2);
            CREATE TABLE sample(uuid TEXT, timestamp INTEGER PRIMARY KEY); INSERT INTO sample VALUES ('a', 1760000000);
            CREATE TABLE night(date TEXT UNIQUE, updatedAt TEXT);
            INSERT INTO night VALUES ('2026-03-01', '2026-03-02T08:00:00Z');
            CREATE TABLE beat(at TIMESTAMP PRIMARY KEY, date TEXT) WITHOUT ROWID;
            INSERT INTO beat VALUES (1760000000.5, '2026-03-01');
            """)
        func entity(_ name: String) -> InspectedEntity? { found.report.entities.first { $0.name == name } }
        let stats = try #require(entity("DailyStats"))
        #expect(stats.key == "createdDay" && stats.keyEvidence == .primaryKey && stats.modified == nil)
        #expect(entity("reading")?.key == "timestamp" && entity("reading")?.keyEvidence == .primaryKey)
        // The rowid may be a counter, so the unique column is the better key.
        #expect(entity("sample")?.key == "uuid")
        #expect(entity("night")?.key == "date" && entity("night")?.keyEvidence == .uniqueIndex)
        #expect(entity("night")?.modified == "updatedAt")
        #expect(entity("beat")?.key == nil)
    }

    @Test("a foreign key without columns refers to the primary key, even if another column is a better key")
    func referenceToPrimaryKey() throws {
        let found = try inspect(
            """
            CREATE TABLE Author(id INTEGER PRIMARY KEY, uuid TEXT);
            INSERT INTO Author VALUES (1, '0A000000-0000-4000-8000-000000000001'),
              (2, '0A000000-0000-4000-8000-000000000002');
            CREATE TABLE Book(id TEXT PRIMARY KEY, author_id INTEGER REFERENCES Author);
            INSERT INTO Book VALUES ('a', 1), ('b', 2), ('c', 9);
            """)
        #expect(found.report.entities.first { $0.name == "Author" }?.key == "uuid")
        let relation = try #require(found.report.entities.first { $0.name == "Book" }?.relations.first)
        #expect(relation.target == "Author" && relation.targetColumn == "id")
        #expect(relation.count == 3 && relation.orphans == 1)
    }

    @Test("checks are tried unless they call a slow function")
    func checks() throws {
        let found = try inspect(
            """
            CREATE TABLE a(id TEXT PRIMARY KEY, t TEXT CHECK (length(trim(t)) > 0));
            CREATE TABLE b(id TEXT PRIMARY KEY, t TEXT CHECK (rtrim(lower(t), id) <> ''));
            CREATE TABLE c(id TEXT PRIMARY KEY, t TEXT CHECK (instr(t, id) > 0));
            PRAGMA ignore_check_constraints=ON;
            INSERT INTO a VALUES ('x', ' '); INSERT INTO b VALUES ('x', 'x'); INSERT INTO c VALUES ('x', ' ');
            """)
        let broken = Dictionary(uniqueKeysWithValues: found.tables.map { ($0.entity.name, $0.brokenChecks.records) })
        #expect(broken == ["a": 1, "b": 0, "c": 0])
    }

    @Test("a store in WAL mode is read with its -wal file, and a missing one is reported")
    func log() throws {
        let store = try SampleStore(folder["b.store"], journal: "WAL", "CREATE TABLE T (id TEXT PRIMARY KEY)")
        try store.execute("INSERT INTO T VALUES ('a'), ('b')")
        try folder.copyStore("b.store", to: "whole.store")
        try folder.copyStore("b.store", to: "bare.store", companions: [])
        let inspector = StoreInspector(context: .sample(), showsValues: false, archives: nil)
        #expect(try inspector.inspect(folder["whole.store"], name: "whole").report.entities.first?.count == 2)
        let bare = folder.exists("bare.store") ? try? inspector.inspect(folder["bare.store"], name: "bare") : nil
        #expect(bare?.report.risks.contains { $0.code == "walMissing" } ?? true)
        try store.close()
    }

    @Test("an inspection of Core Data reports entities, relations, pairs, history and mirroring")
    func coreData() throws {
        let found = try inspect(CoreDataSample.workouts + CoreDataSample.mirroring)
        #expect(found.report.layout == .coreData && found.report.isMirrored)
        let counts = Dictionary(uniqueKeysWithValues: found.report.entities.map { ($0.name, $0.count) })
        #expect(counts == ["ExerciseSet": 4, "Workout": 3, "Tag": 3, "Run": 1, "Nothing": 0])
        let set = try #require(found.report.entities.first { $0.name == "ExerciseSet" })
        #expect(set.relations.contains { $0.name == "workout" && $0.count == 3 && $0.orphans == 0 && $0.isOrdered })
        #expect(set.columns.first { $0.name == "updatedat" }?.encoding == .coreData)
        let workout = try #require(found.report.entities.first { $0.name == "Workout" })
        #expect(workout.relations.contains { $0.kind == "manyToMany" && $0.target == "Tag" && $0.count == 3 })
        #expect(found.report.entities.first { $0.name == "Tag" }?.superEntity == nil)
        #expect(found.report.entities.first { $0.name == "Run" }?.superEntity == "Workout")
        #expect(found.report.risks.contains { $0.code == "mirrored" })
    }

    @Test("inspecting a damaged store gives 65")
    func damaged() throws {
        try folder.write("SQLite format 3\u{0} and then nothing", to: "a.store")
        let error = failure {
            try StoreInspector(context: .sample(), showsValues: false, archives: nil).inspect(
                folder["a.store"], name: "a")
        }
        #expect(error?.code == .data)
    }
}
