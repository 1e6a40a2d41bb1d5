import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// Stores whose schema tries to run code.
///
/// `abs` of the smallest integer raises an error, so any evaluation is noticed.
struct HostileStoreTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let boom = "abs(-9223372036854775807 - 1)"

    private func makeTrap() throws {
        let store = try SampleStore(folder["trap.store"])
        try store.execute(
            """
            PRAGMA ignore_check_constraints=ON;
            CREATE TABLE Log(line);
            CREATE TABLE Note(
              id TEXT PRIMARY KEY, body TEXT CHECK (\(Self.boom) > 0),
              bomb INTEGER GENERATED ALWAYS AS (0 + 0) VIRTUAL,
              lazy TEXT DEFAULT (hex(zeroblob(\(Self.boom)))));
            INSERT INTO Note(id, body, lazy) VALUES ('1', 'one', '');
            CREATE TRIGGER Snitch AFTER INSERT ON Note BEGIN INSERT INTO Log VALUES (\(Self.boom)); END;
            CREATE VIEW Endless AS
              WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id FROM n;
            PRAGMA writable_schema=ON;
            UPDATE sqlite_schema SET sql = replace(sql, '(0 + 0)', '(\(Self.boom))') WHERE name = 'Note';
            """)
        try store.close()
    }

    private func open(_ cancellation: Cancellation = Cancellation()) throws -> StoreSnapshot {
        try StoreSnapshot(
            of: folder["trap.store"], name: "trap.store", stage: .copy, context: .sample(cancellation: cancellation))
    }

    @Test("opening, checking, describing and reading stored columns evaluates nothing of a schema")
    func nothingEvaluated() throws {
        try makeTrap()
        let before = try folder.fingerprint()
        let snapshot = try open()
        let shape = try snapshot.connection.readShape()
        #expect(shape.views == ["Endless"])
        #expect(shape.triggers == ["Snitch"])
        let note = try #require(shape.table(named: "Note"))
        #expect(note.storedColumns.map(\.name) == ["id", "body", "lazy"])
        let table = try snapshot.connection.table(for: Entity(name: "Note", key: "id"), in: shape)
        let rows = try snapshot.connection.rows(table.selectInKeyOrder)
        #expect(rows == [[.string("1"), .string("one"), .string("")]])
        _ = consume snapshot
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("a view cannot be read, even by name")
    func views() throws {
        try makeTrap()
        let snapshot = try open()
        #expect(failure { try snapshot.connection.rows("SELECT * FROM Endless") } != nil)
    }

    @Test("a view as an entity is rejected with its name")
    func entityIsView() throws {
        try makeTrap()
        let snapshot = try open()
        let shape = try snapshot.connection.readShape()
        let error = failure { _ = try snapshot.connection.table(for: Entity(name: "endless", key: "id"), in: shape) }
        #expect(error?.code == .data)
        #expect(error?.message == "'endless' is a view in `trap.store`, not a table")
    }

    @Test(
        "a statement that is not a plain read is rejected when it is compiled",
        arguments: [
            "INSERT INTO Note(id) VALUES ('2')", "UPDATE Note SET body = 'x'", "DELETE FROM Note",
            "REPLACE INTO Note(id) VALUES ('1')", "CREATE TABLE More(a)", "CREATE TEMP TABLE More(a)",
            "CREATE INDEX I ON Note(body)", "DROP TABLE Note", "DROP TRIGGER Snitch", "ALTER TABLE Note RENAME TO N",
            "ATTACH ':memory:' AS other", "DETACH main", "VACUUM", "VACUUM INTO '/tmp/godwit-test-vacuum'", "REINDEX",
            "ANALYZE", "SAVEPOINT s", "PRAGMA journal_mode=WAL", "PRAGMA user_version=3", "PRAGMA writable_schema=ON",
            "PRAGMA query_only=OFF", "PRAGMA trusted_schema=ON", "PRAGMA temp_store_directory='/tmp'",
            "CREATE VIRTUAL TABLE V USING fts5(a)", "SELECT load_extension('/tmp/x.so')",
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
        ])
    func refusedStatements(sql: String) throws {
        try makeTrap()
        let before = try folder.fingerprint()
        let snapshot = try open()
        #expect(failure { try snapshot.connection.execute(sql) } != nil)
        _ = consume snapshot
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("a cancelled run ends a statement that would never end")
    func cancellation() throws {
        try SampleStore.make(
            folder["trap.store"],
            """
            CREATE TABLE Note(id INTEGER PRIMARY KEY);
            INSERT INTO Note WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000)
            SELECT x FROM n
            """)
        let cancellation = Cancellation()
        let snapshot = try open(cancellation)
        cancellation.cancel()
        let error = failure {
            try snapshot.connection.first("SELECT count(*) FROM Note a, Note b, Note c, Note d WHERE a.id + d.id < 0")
        }
        #expect(error?.code == .interrupted)
    }

    @Test("an index over an expression does not prevent reading")
    func expressionIndex() throws {
        try SampleStore.make(
            folder["trap.store"],
            """
            CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT);
            CREATE INDEX Folded ON Note(lower(body)) WHERE body IS NOT NULL;
            INSERT INTO Note VALUES ('1', 'ONE'), ('2', NULL)
            """)
        #expect(try open().connection.countRecords(of: "Note") == 2)
    }

    @Test("a generated NOT NULL column that cannot be computed does not prevent reading")
    func generatedNotNull() throws {
        try makeTrap()
        let store = try SampleStore(folder["trap.store"])
        try store.execute("PRAGMA writable_schema=ON")
        try store.execute(
            "UPDATE sqlite_schema SET sql = replace(sql, ') VIRTUAL', ') VIRTUAL NOT NULL') WHERE name = 'Note'")
        try store.close()
        let snapshot = try open()
        #expect(try snapshot.connection.rows("SELECT id, body FROM Note") == [[.string("1"), .string("one")]])
    }

    @Test("an index over an expression that fails is not computed, and damage of records is still found")
    func readsThrough() throws {
        try SampleStore.make(
            folder["trap.store"],
            """
            CREATE TABLE Note(id INTEGER PRIMARY KEY, a TEXT, b TEXT, "v""v" AS (length(a)) VIRTUAL);
            CREATE TABLE "7"(id TEXT PRIMARY KEY);
            CREATE TABLE Plain(id TEXT PRIMARY KEY) WITHOUT ROWID;
            CREATE INDEX NoteA ON Note(a); CREATE INDEX NoteB ON Note(abs(0 + 0)); CREATE INDEX Few ON Note(b) WHERE b > 'b5';
            INSERT INTO Note WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000)
            SELECT x, 'a' || x, 'b' || x FROM n;
            INSERT INTO "7" VALUES ('x'); INSERT INTO Plain VALUES ('y');
            PRAGMA writable_schema=ON;
            UPDATE sqlite_schema SET sql = replace(sql, 'abs(0 + 0)', '\(Self.boom)') WHERE name = 'NoteB'
            """)
        #expect(try open().connection.countRecords(of: "Note") == 3000)
        let good = try folder.bytes(of: "trap.store")
        var refused = 0
        for page in 4..<good.count / 4096 {
            var bytes = good
            bytes.replaceSubrange(page * 4096..<page * 4096 + 4096, with: [UInt8](repeating: 0xA5, count: 4096))
            try folder.write(bytes, to: "trap.store")
            guard let error = failure(of: { _ = try open() }) else { continue }
            #expect(error.code == .data)
            refused += 1
        }
        // All but the pages of the two indexes that are never read: about a third of the store.
        #expect(refused > good.count / 4096 / 4)
    }
}
