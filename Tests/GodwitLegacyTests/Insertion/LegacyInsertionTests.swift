import GodwitLegacy
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// What a schema's triggers and clauses do to legacy records is found before the import is recorded as done.
struct LegacyInsertionTests {
    private static let settings = "CREATE TABLE Settings(id TEXT, unit TEXT, updatedAt TEXT);"
    private static let tables = settings + "CREATE TABLE Favorite(name TEXT, createdAt TEXT, place INTEGER);"
    private static let favorites = ["Bench", "bench", "squat"].map(LegacySamples.favorite)

    private func importLegacy(
        _ bench: StoreBench, _ records: [PlannedRecord] = [LegacySamples.settings] + favorites
    ) throws -> RunReport.Legacy {
        let stage = LegacyStage(
            manifest: LegacySamples.manifest, context: .sample(), runIdentifier: "RUN-1", allowsEmpty: false,
            decide: { _ in LegacySamples.plan(records) })
        let writer = try bench.writer()
        defer { try? writer.close(.legacy) }
        return try writer.transaction(.legacy) { connection throws(GodwitError) in
            try stage.importLegacy(within: connection)
        }
    }

    private func receipts(_ bench: StoreBench) throws -> Int {
        try bench.rows("SELECT 1 FROM sqlite_schema WHERE name = 'godwit_receipt'").isEmpty
            ? 0 : bench.rows("SELECT 1 FROM godwit_receipt").count
    }

    /// A trigger on one of the tables, and what the error says of it.
    struct Meddling: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        let says: String

        init(_ name: String, _ sql: String, _ says: String) {
            (testDescription, self.sql, self.says) = (name, sql, says)
        }
    }

    static let meddling = [
        Meddling(
            "the settings row is refused in silence",
            """
            CREATE TRIGGER g BEFORE INSERT ON Settings WHEN (SELECT count(*) FROM Favorite) = 0
            BEGIN SELECT RAISE(IGNORE); END;
            """, "`Settings` records made of legacy values were not stored as planned: 1 of 1 record is missing"),
        Meddling(
            "one favourite is refused in silence",
            "CREATE TRIGGER g BEFORE INSERT ON Favorite WHEN new.name = 'squat' BEGIN SELECT RAISE(IGNORE); END;",
            "`Favorite` records made of legacy values were not stored as planned: 1 of 3 records is missing"),
        Meddling(
            "all favourites are refused in silence",
            "CREATE TRIGGER g BEFORE INSERT ON Favorite BEGIN SELECT RAISE(IGNORE); END;",
            "3 of 3 records are missing, or under another 'name'"),
        Meddling(
            "keys are altered",
            "CREATE TRIGGER g AFTER INSERT ON Favorite BEGIN UPDATE Favorite SET name = 'o' WHERE rowid = new.rowid; END;",
            "3 of 3 records are missing, or under another 'name'"),
        Meddling(
            "keys are spelled otherwise",
            """
            CREATE TRIGGER g AFTER INSERT ON Favorite
            BEGIN UPDATE Favorite SET name = lower(name) WHERE rowid = new.rowid; END;
            """, "1 of 3 records is missing"),
        Meddling(
            "a key changes its storage class",
            """
            CREATE TRIGGER g AFTER INSERT ON Favorite WHEN new.name = 'squat'
            BEGIN UPDATE Favorite SET name = CAST(name AS BLOB) WHERE rowid = new.rowid; END;
            """, "1 of 3 records is missing"),
        Meddling(
            "a setting is altered",
            "CREATE TRIGGER g AFTER INSERT ON Settings BEGIN UPDATE Settings SET unit = 'kg' WHERE rowid = new.rowid; END;",
            "column 'unit' has another value"),
        Meddling(
            "a date is altered",
            """
            CREATE TRIGGER g AFTER INSERT ON Settings
            BEGIN UPDATE Settings SET updatedAt = '2026-05-01' WHERE id = new.id; END;
            """, "column 'updatedAt' has another value"),
        Meddling(
            "a record adds one that was not planned",
            """
            CREATE TRIGGER g AFTER INSERT ON Favorite WHEN new.name = 'squat'
            BEGIN INSERT INTO Favorite(name) VALUES ('seeded'); END;
            """, "there are 4 records instead of 3"),
        Meddling(
            "a record is there twice",
            """
            CREATE TRIGGER g AFTER INSERT ON Favorite WHEN new.name = 'squat'
            BEGIN INSERT INTO Favorite(name) VALUES ('squat'); END;
            """, "there are 4 records instead of 3"),
        Meddling(
            "a trigger of one table reaches into the other",
            "CREATE TRIGGER g AFTER INSERT ON Favorite BEGIN UPDATE Settings SET unit = upper(unit); END;",
            "column 'unit' has another value"),
        Meddling(
            "the records of the other table are taken away",
            "CREATE TRIGGER g AFTER INSERT ON Favorite BEGIN DELETE FROM Settings; END;", "1 of 1 record is missing"),
    ]

    @Test("a trigger that changes or removes inserted records gives 65, and nothing is imported", arguments: meddling)
    func triggers(_ meddling: Meddling) throws {
        let bench = try StoreBench(Self.tables + meddling.sql)
        let error = try #require(failure { try importLegacy(bench) })
        #expect(error.code == .data)
        #expect(error.stage == .legacy)
        #expect(error.message.contains(meddling.says), "\(error.message)")
        #expect(error.message.hasSuffix("; nothing was imported"))
        #expect(error.hint?.contains("trigger") == true)
        for value in ["squat", "ench", "lb", "2026-05-01", "seeded"] { #expect(!error.description.contains(value)) }
        #expect(try bench.text("SELECT (SELECT count(*) FROM Settings) + (SELECT count(*) FROM Favorite)") == ["0"])
        #expect(try receipts(bench) == 0)
    }

    @Test("the hint names the trigger if the table has one")
    func namesTrigger() throws {
        let refusal = "BEFORE INSERT ON Favorite BEGIN SELECT RAISE(IGNORE); END;"
        let one = try StoreBench(Self.tables + "CREATE TRIGGER guard " + refusal)
        #expect(failure { try importLegacy(one) }?.hint?.contains("the trigger 'guard' of the schema") == true)
        let two = try StoreBench(Self.tables + "CREATE TRIGGER b \(refusal) CREATE TRIGGER a \(refusal)")
        #expect(failure { try importLegacy(two) }?.hint?.contains("the triggers of the schema (a, b)") == true)
    }

    @Test(
        "a conflict clause of the schema cannot discard a record: it gives 65 with a hint",
        arguments: [
            "name TEXT COLLATE NOCASE UNIQUE ON CONFLICT IGNORE", "name TEXT COLLATE NOCASE UNIQUE ON CONFLICT REPLACE",
            "name TEXT COLLATE NOCASE PRIMARY KEY ON CONFLICT IGNORE",
            "name TEXT, UNIQUE(name COLLATE NOCASE) ON CONFLICT REPLACE",
        ])
    func conflictClauses(_ column: String) throws {
        let bench = try StoreBench(
            Self.settings + "CREATE TABLE Favorite(createdAt TEXT, \(column));")
        let error = try #require(failure { try importLegacy(bench) })
        #expect(error.code == .data)
        #expect(error.underlying?.hasPrefix("UNIQUE constraint failed") == true)
        #expect(error.hint?.contains("or its collation") == true)
        #expect(try bench.text("SELECT (SELECT count(*) FROM Settings) + (SELECT count(*) FROM Favorite)") == ["0"])
        #expect(try receipts(bench) == 0)
    }

    @Test("a NOT NULL with IGNORE or REPLACE gives 65 too", arguments: ["IGNORE", "REPLACE DEFAULT 'x'"])
    func notNull(_ clause: String) throws {
        let bench = try StoreBench(
            Self.settings + "CREATE TABLE Favorite(name TEXT, createdAt TEXT NOT NULL ON CONFLICT \(clause));")
        let record = PlannedRecord(
            entity: "Favorite", columns: ["name", "createdAt"], values: [.string("squat"), .null])
        let error = try #require(failure { try importLegacy(bench, [record]) })
        #expect(error.underlying?.hasPrefix("NOT NULL") == true)
        #expect(try bench.text("SELECT count(*) FROM Favorite") == ["0"])
    }

    /// Tables with a record, as `mode: merge` finds them.
    private static let merging =
        settings + "CREATE TABLE Favorite(name TEXT, createdAt TEXT, place INTEGER);"
        + "INSERT INTO Favorite VALUES ('row', '2020', 1), ('dip', '2021', 2);"

    @Test(
        "an import that would change existing records is rejected",
        arguments: [
            ("UPDATE Favorite SET place = place + 1 WHERE name = 'row'", "existing records have changed"),
            ("UPDATE Favorite SET createdAt = NULL WHERE name = 'dip'", "existing records have changed"),
            ("UPDATE Favorite SET rowid = rowid + 100 WHERE name = 'row'", "existing records have"),
            ("DELETE FROM Favorite WHERE name = 'row'", "there are 4 records instead of 5"),
            (
                "DELETE FROM Favorite WHERE name = 'row'; INSERT INTO Favorite(name) VALUES ('new')",
                "existing records have changed"
            ),
        ])
    func others(_ statement: String, says: String) throws {
        let bench = try StoreBench(
            Self.merging
                + "CREATE TRIGGER g AFTER INSERT ON Favorite WHEN new.name = 'squat' BEGIN \(statement); END;")
        let before = try bench.text("SELECT rowid, * FROM Favorite")
        let error = try #require(failure { try importLegacy(bench) })
        #expect(error.message.contains(says), "\(error.message)")
        #expect(try bench.text("SELECT rowid, * FROM Favorite") == before)
        #expect(try receipts(bench) == 0)
    }

    @Test(
        "a trigger that would change or remove records of other tables gives 65, and nothing is imported",
        arguments: [
            "DELETE FROM Other", "UPDATE Other SET note = 'auto'", "INSERT OR REPLACE INTO Other VALUES (1, 'auto')",
            "INSERT INTO Other VALUES (1, 'auto') ON CONFLICT(id) DO UPDATE SET note = 'auto'",
            "INSERT INTO Log VALUES (new.name)", "INSERT INTO Kept VALUES (1, 'auto')",
        ])
    func otherTables(_ statement: String) throws {
        let bench = try StoreBench(
            Self.tables + """
                CREATE TABLE Other(id INTEGER PRIMARY KEY, note TEXT); CREATE TABLE Log(what TEXT);
                CREATE TABLE Kept(id INTEGER PRIMARY KEY ON CONFLICT REPLACE, note TEXT);
                CREATE TRIGGER g AFTER INSERT ON Favorite WHEN new.name = 'squat' BEGIN \(statement); END;
                CREATE TRIGGER h AFTER INSERT ON Log BEGIN DELETE FROM Other; END;
                INSERT INTO Other VALUES (1, 'mine'), (2, 'mine too'); INSERT INTO Kept VALUES (1, 'mine');
                """)
        let error = try #require(failure { try importLegacy(bench) })
        #expect(error.code == .data && error.stage == .legacy)
        #expect(error.message.contains(statement.contains("Log") ? "trigger 'h'" : "trigger 'g'"), "\(error.message)")
        #expect(error.message.contains("nothing was changed"))
        #expect(try bench.text("SELECT * FROM Other ORDER BY id") == ["1|mine", "2|mine too"])
        #expect(try bench.text("SELECT * FROM Kept") == ["1|mine"])
        #expect(try bench.text("SELECT count(*) FROM Favorite") == ["0"])
        #expect(try receipts(bench) == 0)
        // Without the record that fires the trigger, the import succeeds.
        #expect(try importLegacy(bench, [LegacySamples.favorite("row")]).inserted == ["Favorite": 1])
    }

    @Test("a REPLACE that would overwrite another favorite is rejected, and the other one stays")
    func replaces() throws {
        let bench = try StoreBench(
            Self.settings + """
                CREATE TABLE Favorite(name TEXT, createdAt TEXT, UNIQUE(createdAt) ON CONFLICT REPLACE);
                INSERT INTO Favorite VALUES ('row', '2020');
                """)
        let record = PlannedRecord(
            entity: "Favorite", columns: ["name", "createdAt"], values: [.string("squat"), .string("2020")])
        let error = try #require(failure { try importLegacy(bench, [record]) })
        #expect(error.underlying?.hasPrefix("UNIQUE constraint failed") == true)
        #expect(try bench.text("SELECT * FROM Favorite") == ["row|2020"])
    }

    @Test("defaults and triggers may fill columns without planned values, and may write to other tables")
    func legitimate() throws {
        let bench = try StoreBench(
            Self.settings + """
                CREATE TABLE Favorite(name TEXT, createdAt TEXT DEFAULT 'd', place INTEGER, upper AS (upper(name)));
                CREATE TABLE Log(what TEXT);
                INSERT INTO Favorite VALUES ('row', '2020', 1);
                CREATE TRIGGER g AFTER INSERT ON Favorite BEGIN
                UPDATE Favorite SET place = (SELECT count(*) FROM Favorite) WHERE rowid = new.rowid;
                INSERT INTO Log VALUES (new.name); END;
                """)
        #expect(try importLegacy(bench).inserted == ["Settings": 1, "Favorite": 3])
        #expect(
            try bench.text("SELECT name, createdAt, place FROM Favorite")
                == ["row|2020|1", "Bench|d|2", "bench|d|3", "squat|d|4"])
        #expect(try bench.text("SELECT count(*) FROM Log") == ["3"])
        #expect(try receipts(bench) == 1)
    }

    @Test(
        "a value that the column's affinity converts passes the check",
        arguments: [
            ("TEXT", Value.integer(7), Value.string("7")), ("TEXT", .real(0.5), .string("0.5")),
            ("INTEGER", .string("007"), .integer(7)), ("INTEGER", .string("seven"), .string("seven")),
            ("INTEGER", .real(7), .integer(7)), ("NUMERIC", .string("1e3"), .integer(1000)),
            ("REAL", .integer(7), .real(7)), ("REAL", .real(-0.0), .real(0)), ("REAL", .string("0.1"), .real(0.1)),
            ("BLOB", .string("7"), .string("7")), ("", .integer(7), .integer(7)),
            ("INTEGER PRIMARY KEY", .string("7"), .integer(7)), ("STRING", .string("0.10"), .real(0.1)),
            ("NUMERIC", .string("9223372036854775809"), .real(9_223_372_036_854_775_808)),
        ])
    func affinity(_ type: String, _ planned: Value, _ stored: Value) throws {
        let bench = try StoreBench("CREATE TABLE Other(id \(type));")
        let record = PlannedRecord(entity: "Other", columns: ["id"], values: [planned])
        #expect(try importLegacy(bench, [record]).inserted == ["Other": 1])
        #expect(try bench.rows("SELECT id FROM Other") == [[stored]])
    }

    @Test(
        "inserted records are read back from tables of all kinds",
        arguments: ["", "WITHOUT ROWID", "STRICT", "STRICT, WITHOUT ROWID"])
    func tableKinds(_ options: String) throws {
        let bench = try StoreBench(
            Self.settings + """
                CREATE TABLE Favorite(createdAt TEXT, name TEXT PRIMARY KEY, rowid INT) \(options);
                INSERT INTO Favorite VALUES (NULL, 'row', 2);
                """)
        #expect(try importLegacy(bench).inserted["Favorite"] == 3)
        #expect(try bench.text("SELECT count(*) FROM Favorite") == ["4"])
    }

    @Test("a temporary table of a schema file does not hide the app's table", arguments: [true, false])
    func temporaryTable(before: Bool) throws {
        let bench = try StoreBench(Self.tables)
        let writer = try bench.writer()
        let stage = LegacyStage(
            manifest: LegacySamples.manifest, context: .sample(), runIdentifier: "RUN-1", allowsEmpty: false,
            decide: { _ in LegacySamples.plan() })
        try writer.transaction(.legacy) { connection throws(GodwitError) in
            if before { try connection.execute("CREATE TEMP TABLE Favorite(name TEXT, createdAt TEXT, place INTEGER)") }
            _ = try stage.importLegacy(within: connection)
        }
        try writer.close(.legacy)
        #expect(try bench.text("SELECT name FROM Favorite") == ["squat", "row"])
    }

    @Test("keys that differ only by collation are all given to the plan")
    func collation() throws {
        let bench = try StoreBench(
            Self.settings + """
                CREATE TABLE Favorite(name COLLATE NOCASE, createdAt TEXT);
                INSERT INTO Favorite(name) VALUES ('Bench'), ('bench'), (1), (1.0);
                """)
        let writer = try bench.writer()
        defer { try? writer.close(.legacy) }
        let expected: Set<Value> = [.string("Bench"), .string("bench"), .integer(1), .real(1)]
        let stage = LegacyStage(
            manifest: LegacySamples.manifest, context: .sample(), runIdentifier: "RUN-1", allowsEmpty: false,
            decide: { targets in
                #expect(targets.keys["Favorite"] == expected)
                return LegacyImportPlan()
            })
        #expect(try writer.read(.legacy) { connection throws(GodwitError) in try !stage.hasWork(connection) })
    }

    @Test("ten thousand favorites are inserted and checked next to ten thousand existing records")
    func many() throws {
        let bench = try StoreBench(
            Self.tables + """
                WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
                INSERT INTO Favorite SELECT 'old ' || i, NULL, i FROM n;
                """)
        let records = (0..<10_000).map { LegacySamples.favorite("new \($0)") }
        #expect(try importLegacy(bench, records).inserted == ["Favorite": 10_000])
        #expect(try bench.text("SELECT count(DISTINCT name) FROM Favorite") == ["20000"])
    }
}
