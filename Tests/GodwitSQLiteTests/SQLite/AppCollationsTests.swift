import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// An app's own collations on read connections.
struct AppCollationsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A store with an app's collation in its schema.
    private func store(_ sql: String) throws -> String {
        let path = folder["app.store"]
        try SampleStore.make(
            path,
            sql + """
                ; PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'APPOWN');
                """)
        return path
    }

    /// A read connection, open as long as it is kept.
    private func read(_ path: String) throws -> SQLiteConnection {
        try SQLiteReader(
            path: path, name: "app.store", stage: .inspect, busyMilliseconds: 0, cancellation: Cancellation()
        ).connection
    }

    private static let rows = "INSERT INTO T VALUES ('b', 1), ('A', 2), ('a', 3), ('C', 4);"

    @Test("data that needs no collation of the app is read")
    func reading() throws {
        let path = try store(
            "CREATE TABLE T(a TEXT COLLATE NOCASE, b); CREATE INDEX I ON T(a); CREATE TABLE U(x); \(Self.rows)")
        let store = try read(path)
        #expect(
            try store.rows("SELECT a FROM T ORDER BY a COLLATE BINARY").map { $0[0].readable } == [
                "A", "C", "a", "b",
            ])
        #expect(try store.first("SELECT count(*) FROM T") == .integer(4))
        #expect(try store.rows("SELECT b FROM T NOT INDEXED WHERE a = 'A' COLLATE BINARY") == [[.integer(2)]])
        let snapshot = try StoreSnapshot(of: path, name: "app.store", stage: .inspect, context: .sample())
        #expect(try snapshot.connection.countRecords(of: "T") == 4)
    }

    @Test(
        "data that needs a collation of the app ends with an error that names it, for any number of records",
        arguments: [
            "SELECT b FROM T WHERE a = 'A'", "SELECT b FROM T WHERE b = 2 AND a = 'A'",
            "SELECT b FROM T NOT INDEXED ORDER BY a",
            "SELECT count(*) FROM T GROUP BY a", "SELECT max(a) FROM T NOT INDEXED",
            "SELECT 'a' = 'b' COLLATE APPOWN", "SELECT 1 FROM T WHERE a > 'A' LIMIT 1",
        ])
    func comparing(_ sql: String) throws {
        let path = try store("CREATE TABLE T(a TEXT COLLATE NOCASE, b); CREATE INDEX I ON T(a); \(Self.rows)")
        let store = try read(path)
        for error in [failure { try store.rows(sql) }, failure { try store.first(sql) }] {
            #expect(error?.underlying == "no such collation sequence: APPOWN")
            #expect(error?.code == .data)
        }
        // The next connection is not affected.
        #expect(try store.first("SELECT count(*) FROM T") == .integer(4))
    }

    @Test(
        "in a store in UTF-16 the collations of SQLite and GRDB work", arguments: ["UTF-16le", "UTF-16be"])
    func wide(_ encoding: String) throws {
        let path = folder["wide.store"]
        try SampleStore.make(
            path, encoding: encoding,
            """
            CREATE TABLE T(a TEXT COLLATE NOCASE UNIQUE, b TEXT COLLATE swiftCaseInsensitiveCompare);
            CREATE INDEX I ON T(b); INSERT INTO T VALUES ('b', 'y'), ('A', 'Z'), ('c', 'X');
            """)
        let snapshot = try StoreSnapshot(of: path, name: "wide.store", stage: .inspect, context: .sample())
        let store = snapshot.connection
        #expect(try store.rows("SELECT a FROM T NOT INDEXED ORDER BY a").map { $0[0].readable } == ["A", "b", "c"])
        #expect(try store.rows("SELECT b FROM T NOT INDEXED ORDER BY b").map { $0[0].readable } == ["X", "y", "Z"])
    }

    @Test("a table without rowids in an app's collation is read, and not reported as damaged")
    func withoutRowid() throws {
        let path = try store(
            "CREATE TABLE T(a TEXT COLLATE NOCASE PRIMARY KEY, b) WITHOUT ROWID;"
                + "INSERT INTO T VALUES ('b', 1), ('A', 2), ('C', 4);")
        let snapshot = try StoreSnapshot(of: path, name: "app.store", stage: .inspect, context: .sample())
        let rows = try snapshot.connection.rows("SELECT a FROM T ORDER BY a COLLATE BINARY")
        #expect(rows.map { $0[0].readable } == ["A", "C", "b"])
    }

    @Test(
        "GRDB's collations sort as in GRDB",
        arguments: [
            "swiftCompare", "swiftCaseInsensitiveCompare", "swiftLocalizedCaseInsensitiveCompare",
            "swiftLocalizedCompare", "swiftLocalizedStandardCompare",
        ])
    func ofGRDB(_ name: String) throws {
        let path = folder["grdb.store"]
        try SampleStore.make(
            path,
            """
            CREATE TABLE T(a TEXT COLLATE \(name)); CREATE INDEX I ON T(a);
            INSERT INTO T VALUES ('b'), ('a'), ('B'), ('A'), ('ä'), ('a10'), ('a9'), ('Ä'), (''), ('z'), ('é'), ('e\u{301}');
            """)
        let sql = "SELECT hex(a) FROM T NOT INDEXED ORDER BY a, a COLLATE BINARY"
        let expected = try SampleStore(path).rows(sql)
        #expect(try read(path).rows(sql) == expected)
        let snapshot = try StoreSnapshot(of: path, name: "grdb.store", stage: .inspect, context: .sample())
        #expect(try snapshot.connection.rows(sql) == expected)
        // Schema files are tried with these collations.
        let memory = try MemoryStore(stage: .schema)
        _ = try memory.run(
            schemaFile: "CREATE TABLE T(a TEXT COLLATE \(name) UNIQUE); INSERT INTO T VALUES ('x'), ('y');")
    }
}
