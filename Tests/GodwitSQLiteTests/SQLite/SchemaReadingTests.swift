import GodwitFiles
import GodwitLedger
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

struct SchemaReadingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func shape(_ sql: String, encoding: String? = nil) throws -> SchemaShape {
        try SampleStore.make(folder["a.store"], encoding: encoding, sql)
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .schema, context: .sample())
        return try snapshot.connection.readShape()
    }

    @Test("columns are described as declared: type, NOT NULL, default, index in the primary key")
    func columns() throws {
        let shape = try shape(
            "CREATE TABLE Note(a TEXT NOT NULL DEFAULT 'x', b, c INTEGER DEFAULT (1 + 1), PRIMARY KEY (c, a))")
        let table = try #require(shape.table(named: "note"))
        #expect(
            table.columns == [
                ColumnShape(name: "a", type: "TEXT", isNotNull: true, defaultSQL: "'x'", primaryKeyIndex: 2),
                ColumnShape(name: "b", type: ""),
                ColumnShape(name: "c", type: "INTEGER", defaultSQL: "1 + 1", primaryKeyIndex: 1),
            ])
        #expect(!table.isStrict)
        #expect(!table.isWithoutRowid)
    }

    @Test("STRICT and WITHOUT ROWID are recognized")
    func options() throws {
        let shape = try shape(
            """
            CREATE TABLE A(id TEXT PRIMARY KEY) WITHOUT ROWID; CREATE TABLE B(id TEXT) STRICT;
            CREATE TABLE C(id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID
            """)
        #expect(shape.tables.map(\.name) == ["A", "B", "C"])
        #expect(shape.tables.map(\.isWithoutRowid) == [true, false, true])
        #expect(shape.tables.map(\.isStrict) == [false, true, true])
    }

    @Test("generated columns are recognized and are not stored ones, virtual or stored")
    func generated() throws {
        let shape = try shape(
            """
            CREATE TABLE Note(a INTEGER, v GENERATED ALWAYS AS (a + 1), s INTEGER GENERATED ALWAYS AS (a + 2) STORED, z)
            """)
        #expect(shape.tables.first?.columns.map(\.isGenerated) == [false, true, true, false])
        #expect(shape.tables.first?.storedColumns.map(\.name) == ["a", "z"])
    }

    @Test("a trigger, view or virtual table is recognized even with a name of Godwit's or SQLite's tables")
    func disguised() throws {
        let shape = try shape(
            """
            CREATE TABLE Note(id); CREATE VIEW godwit_receipt AS SELECT 1; CREATE VIRTUAL TABLE godwit_run USING fts5(a);
            CREATE TRIGGER godwit_trigger AFTER INSERT ON Note BEGIN DELETE FROM Note; END
            """)
        #expect(shape.triggers == ["godwit_trigger"])
        #expect(shape.views == ["godwit_receipt"])
        #expect(shape.virtualTables == ["godwit_run"])
    }

    @Test("code that runs on a write is recognized: triggers, expressions, checks, defaults, cascades")
    func code() throws {
        let shape = try shape(
            """
            CREATE TABLE Parent(id INTEGER PRIMARY KEY);
            CREATE TABLE Note(
                id INTEGER PRIMARY KEY CHECK ( id > 0 AND abs(id) IN (1, 2) ), a DEFAULT (1+1), b DEFAULT 7, "check" TEXT,
                f DEFAULT (random()), g CHECK (g IN (1, 2) AND (g > 0)),
                c AS (a /* ) */ || ')'), d REFERENCES Parent(id) ON DELETE CASCADE, e REFERENCES Parent);
            CREATE INDEX Plain ON Note(a COLLATE NOCASE DESC, "b" ASC);
            CREATE INDEX Partial ON Note(a + 1) WHERE a > 3; CREATE UNIQUE INDEX Computed ON Note(length(a));
            CREATE TRIGGER Spy AFTER INSERT ON Note BEGIN SELECT 'X'; END;
            CREATE TABLE godwit_run(id CHECK(id > 1))
            """)
        #expect(
            shape.code == [
                SchemaCode(.table, name: "Note", table: "Note", text: "check ( id > 0 and abs ( id ) in ( 1 , 2 ) )"),
                SchemaCode(.table, name: "Note", table: "Note", text: "default ( random ( ) )"),
                SchemaCode(.table, name: "Note", table: "Note", text: "as ( a | | ')' )"),
                SchemaCode(.table, name: "Note", table: "Note", text: "references parent ( id ) on delete cascade"),
                SchemaCode(.index, name: "Computed", table: "Note", text: "on note ( length ( a ) )"),
                SchemaCode(
                    .trigger, name: "Spy", table: "Note",
                    text: "create trigger spy after insert on note begin select 'X' ; end"),
            ])
    }

    @Test("views, triggers and virtual tables are listed separately, without indexes and tables of SQLite and Godwit")
    func others() throws {
        let shape = try shape(
            """
            CREATE TABLE Note(id INTEGER PRIMARY KEY AUTOINCREMENT, a UNIQUE); CREATE INDEX I ON Note(a);
            CREATE VIEW Few AS SELECT * FROM Note LIMIT 3;
            CREATE TRIGGER Spy AFTER INSERT ON Note BEGIN SELECT 1; END;
            CREATE VIRTUAL TABLE Found USING fts5(body);
            CREATE TABLE godwit_run(id); CREATE TABLE "create virtual"(id);
            INSERT INTO Note(a) VALUES (1); ANALYZE;
            """)
        #expect(shape.views == ["Few"])
        #expect(shape.triggers == ["Spy"])
        #expect(shape.virtualTables == ["Found"])
        #expect(shape.tables.map(\.name).filter { !$0.hasPrefix("Found_") } == ["Note", "create virtual"])
    }

    @Test("a virtual table with a missing module is listed, with any spacing in its text")
    func unknownModule() throws {
        try SampleStore.make(folder["b.store"], "CREATE TABLE Note(id)")
        let store = try SampleStore(folder["b.store"])
        try store.execute("PRAGMA writable_schema=ON")
        try store.execute(
            """
            INSERT INTO sqlite_schema VALUES
              ('table', 'Odd', 'Odd', 0, 'CREATE  VIRTUAL  TABLE Odd USING nowhere(x)')
            """)
        try store.close()
        let snapshot = try StoreSnapshot(of: folder["b.store"], name: "b", stage: .schema, context: .sample())
        let shape = try snapshot.connection.readShape()
        #expect(shape.virtualTables == ["Odd"])
        #expect(shape.tables.map(\.name) == ["Note"])
    }

    @Test("names with quotes, spaces, brackets and other scripts are read unchanged")
    func names() throws {
        let shape = try shape(
            #"CREATE TABLE "a ""b"" [c]"("x ""y""" TEXT, [z 'w'] INT, "ünï" REAL); CREATE TABLE "select"("from")"#)
        #expect(shape.tables.map(\.name) == [#"a "b" [c]"#, "select"])
        #expect(shape.tables.first?.columns.map(\.name) == [#"x "y""#, "z 'w'", "ünï"])
    }

    @Test("a UTF-16 store is described in the same way")
    func utf16() throws {
        let shape = try shape("CREATE TABLE Note(ünï TEXT DEFAULT 'é')", encoding: "UTF-16le")
        #expect(shape.tables.first?.columns == [ColumnShape(name: "ünï", type: "TEXT", defaultSQL: "'é'")])
    }

    @Test("a table exists under any spelling that SQLite treats as equal, and a view is not a table")
    func hasTable() throws {
        try SampleStore.make(
            folder["a.store"], "CREATE TABLE Godwit_Receipt(stage); CREATE VIEW godwit_run AS SELECT 1")
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a", stage: .schema, context: .sample())
        #expect(try snapshot.connection.has(.receipt))
        #expect(try !snapshot.connection.has(.run))
        #expect(try !snapshot.connection.hasTable("absent"))
    }

    @Test("an empty store has an empty shape")
    func empty() throws {
        let store = try MemoryStore(stage: .schema)
        #expect(try store.connection.readShape() == SchemaShape())
    }
}

struct MemoryStoreTests {
    @Test("a schema file may create tables, views, triggers and indexes in one run")
    func runsSchema() throws {
        let store = try MemoryStore(stage: .schema)
        _ = try store.run(
            schemaFile: """
                -- two tables
                CREATE TABLE A(id TEXT PRIMARY KEY); CREATE TABLE B(id TEXT); CREATE INDEX I ON A(id);
                CREATE VIEW V AS SELECT * FROM A; INSERT INTO A VALUES ('1'); ALTER TABLE B ADD COLUMN c
                """)
        let shape = try store.connection.readShape()
        #expect(shape.tables.map(\.name) == ["A", "B"])
        #expect(shape.views == ["V"])
    }

    @Test(
        "a schema file must not open other files or end its transaction",
        arguments: [
            "ATTACH '/tmp/godwit-test-other' AS o", "DETACH main", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s",
            "RELEASE s", "VACUUM INTO '/tmp/godwit-test-other'",
        ])
    func refuses(sql: String) throws {
        let store = try MemoryStore(stage: .schema)
        let error = failure { _ = try store.run(schemaFile: "CREATE TABLE A(id); \(sql)") }
        #expect(error?.code == .data)
        #expect(error?.stage == .schema)
        #expect(try FileStatus.of("/tmp/godwit-test-other") == nil)
    }
}
