import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// What each depth of a check finds, and on which tables SQLite's checks must not run.
struct IntegrityDepthTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let values = (1...10).map { "(\($0), 'a\($0 % 4)', \($0 > 8 ? "NULL" : "\($0).5"))" }
        .joined(separator: ", ")

    /// What makes a check of a table evaluate an expression.
    private static let reasons = [
        "CREATE INDEX P ON T(b) WHERE b > 3", "CREATE INDEX P ON T(lower(a))",
        "CREATE INDEX P ON T(b COLLATE NOCASE, a || 'x')", "ALTER TABLE T ADD COLUMN v AS (a || b)",
        "ALTER TABLE T ADD COLUMN v AS (a || b); CREATE INDEX P ON T(v)",
    ]

    private var path: String { folder["forged.store"] }

    private func open() throws(GodwitError) -> SQLiteReader {
        try SQLiteReader(path: path, name: "forged", stage: .verify, busyMilliseconds: 0, cancellation: Cancellation())
    }

    /// SQLite's own finding; nil for none.
    private func sqlite(_ check: String) throws -> String? {
        let store = try SampleStore(path)
        let found = try store.text("PRAGMA \(check)(1)")
        try store.close()
        return found == "ok" ? nil : found
    }

    @Test(
        "only the whole check finds an index with other entries than its table, in SQLite's words",
        arguments: [
            "DELETE FROM S WHERE rowid = 5", "DELETE FROM S", "INSERT INTO S VALUES ('a1', 0)",
            "UPDATE S SET rowid = 99 WHERE rowid = 5", "UPDATE S SET a = 'b' WHERE rowid = 5",
        ])
    func forged(change: String) throws {
        try ForgedIndex(values: Self.values, change: change).make(at: path)
        #expect(finding(.quick, in: path) == nil)
        let found = try #require(try sqlite("integrity_check"))
        #expect(finding(.whole, in: path) == found)
        let store = try open().connection
        #expect(try store.access(to: "T") == " NOT INDEXED")
        #expect(failure { try store.requireSoundIndexes(of: ["t"]) }?.underlying == found)
        try store.useSoundIndexes(of: ["T", "S"])
        #expect(try store.access(to: "T") == " NOT INDEXED")
        #expect(try store.access(to: "S") == "")
    }

    @Test("a sound index passes every check, and is used from then on")
    func sound() throws {
        try ForgedIndex(values: Self.values).make(at: path)
        #expect(finding(.quick, in: path) == nil && finding(.whole, in: path) == nil)
        let store = try open().connection
        try store.requireSoundIndexes(of: ["t"])
        #expect(try store.source("T") == "\"T\"")
        #expect(try store.source("S", as: "s", in: "main") == "main.\"S\" AS s NOT INDEXED")
    }

    @Test("no read depends on another index of a table WITHOUT ROWID")
    func withoutRowid() throws {
        try ForgedIndex(
            columns: "k PRIMARY KEY, a, b", options: "WITHOUT ROWID", stored: "k, a, b", values: Self.values,
            change: "DELETE FROM S WHERE k > 3", made: "(a, b)"
        ).make(at: path)
        let store = try open().connection
        #expect(try store.access(to: "T") == " INDEXED BY \"sqlite_autoindex_T_1\"")
        #expect(try store.countRecords(of: "T") == 10)
        #expect(try store.rows("SELECT a FROM \(store.source("T")) WHERE a IS NOT NULL").count == 10)
    }

    @Test("rebuilt indexes have the entries of their tables again; two equal values of a unique index are damage")
    func rebuilt() throws {
        for (isUnique, isPossible) in [(false, true), (true, false)] {
            try ForgedIndex(values: Self.values, change: "DELETE FROM S", isUnique: isUnique).make(at: path)
            let context = RunContext.sample()
            let writer = try StoreWriter(existing: path, name: "forged", stage: .copy, context: context)
            let error = failure {
                try writer.transaction(.copy) { store throws(GodwitError) in
                    try store.rebuildIndexes()
                    #expect(try store.access(to: "T") == "")
                }
            }
            try writer.close(.copy)
            #expect((error == nil) == isPossible)
            #expect(error?.underlying == (isPossible ? nil : "UNIQUE constraint failed: T.a"))
            #expect((finding(.whole, in: path) == nil) == isPossible)
            try folder.remove("forged.store")
        }
    }

    @Test("a check of a table with expressions evaluates none, and trusts no index of it", arguments: reasons)
    func computing(reason: String) throws {
        try ForgedIndex(values: Self.values, change: "DELETE FROM S WHERE b = 3.5", more: reason).make(at: path)
        #expect(finding(.quick, in: path) == nil && finding(.whole, in: path) == nil)
        let store = try open().connection
        try store.requireSoundIndexes()
        #expect(try store.access(to: "T") == " NOT INDEXED" && store.access(to: "S") == "")
    }

    @Test("a table whose key SQLite's checks read as other columns is sound")
    func misread() throws {
        try SampleStore.make(
            path,
            """
            CREATE TABLE T(a NOT NULL, k PRIMARY KEY NOT NULL, b) WITHOUT ROWID; CREATE INDEX J ON T(a);
            INSERT INTO T(a, k, b) VALUES (1, 2, 3), (2, 3, 4), (3, 'a', 5);
            CREATE TABLE K(n TEXT NOT NULL, id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID; INSERT INTO K VALUES ('a', 'b')
            """)
        #expect(finding(.quick, in: path) == nil && finding(.whole, in: path) == nil)
    }

    @Test("a table with computed columns does not count for a table whose name is equal only for Swift")
    func namesake() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        try ForgedIndex(
            values: Self.values, change: "DELETE FROM S WHERE b = 3.5",
            more: """
                CREATE TABLE \(composed)(a, b); CREATE INDEX O ON \(composed)(b) WHERE b > 3;
                UPDATE sqlite_schema SET name = '\(decomposed)', tbl_name = '\(decomposed)',
                  sql = 'CREATE TABLE \(decomposed)(a, b)' WHERE name = 'T';
                UPDATE sqlite_schema SET tbl_name = '\(decomposed)', sql = 'CREATE INDEX J ON \(decomposed)(a)'
                  WHERE name = 'J'
                """
        ).make(at: path)
        #expect(try finding(.whole, in: path) == sqlite("integrity_check"))
    }

    @Test("a collation of the app stops no check, and its order is not checked", arguments: [""] + reasons)
    func unknownOrder(reason: String) throws {
        // One has the app's collation; the other has an index that has it.
        for declared in ["(a COLLATE APPOWN)", "(a)"] {
            // The name is as long as SQLite's own.
            try ForgedIndex(
                values: Self.values, declared: declared,
                more: """
                    \(reason); CREATE INDEX C ON T(a COLLATE NOCASE, b);
                    UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'APPOWN')
                    """
            ).make(at: path)
            #expect(finding(.quick, in: path) == nil && finding(.whole, in: path) == nil)
            let store = try open().connection
            let order = failure { try store.rows("SELECT a FROM T NOT INDEXED ORDER BY a COLLATE APPOWN") }
            #expect(order?.message.contains("by the collation `APPOWN`, which only the app has") == true)
            #expect(order?.message.hasPrefix("T.a") == true)
            #expect(order?.underlying == "no such collation sequence: APPOWN")
            try folder.remove("forged.store")
        }
    }

    /// A store with every kind of page; a few kilobytes of it are free.
    private func makePages(_ more: String = "") throws -> [UInt8] {
        try SampleStore.make(
            path,
            """
            CREATE TABLE T(id TEXT PRIMARY KEY, a TEXT, b TEXT); CREATE TABLE "7"(id TEXT PRIMARY KEY);
            CREATE TABLE K(a, k, b, PRIMARY KEY(k)) WITHOUT ROWID; CREATE TABLE Gone(x);
            CREATE INDEX A ON T(a); CREATE INDEX B ON T(b) WHERE b > 'b2'; CREATE INDEX U ON T(upper(b));
            CREATE INDEX KB ON K(b) WHERE b > 5;
            INSERT INTO T WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 900)
            SELECT 'id' || x, printf('a%.20c', x), 'b' || x FROM n;
            INSERT INTO K SELECT NULL, id, length(id) FROM T; INSERT INTO "7" SELECT id FROM T WHERE id < 'id3';
            INSERT INTO Gone VALUES (zeroblob(30000)); DROP TABLE Gone; \(more)
            """)
        return try folder.bytes(of: "forged.store")
    }

    @Test("a page that SQLite finds damaged is found, also of a computed index and a free page")
    func pages() throws {
        let good = try makePages()
        #expect(finding(.quick, in: path) == nil)
        var refused = 0
        for page in 1..<good.count / 4096 {
            for byte: UInt8 in [0, 0xA5] {
                var bytes = good
                bytes.replaceSubrange(page * 4096..<page * 4096 + 4096, with: [UInt8](repeating: byte, count: 4096))
                try folder.write(bytes, to: "forged.store")
                let isSound = try sqlite("quick_check") == nil
                #expect((finding(.quick, in: path) == nil) == isSound, "page \(page + 1), \(byte)")
                if !isSound { refused += 1 }
            }
        }
        // The content of a free page has no meaning, unless it lists others.
        #expect(refused > good.count / 4096 * 3 / 2)
    }

    @Test("a page that belongs to nothing is reported")
    func unused() throws {
        var bytes = try makePages()
        // The number of pages in the header: https://sqlite.org/fileformat2.html#in_header_database_size
        bytes[31] += 1
        bytes += [UInt8](repeating: 0, count: 4096)
        try folder.write(bytes, to: "forged.store")
        #expect(finding(.quick, in: path)?.contains("never used") == true)
    }

    @Test("next to a virtual column, which is not computed, pages of other tables' indexes are checked")
    func besideVirtualColumn() throws {
        let good = try makePages("CREATE TABLE V(x, y AS (x + 1) NOT NULL); INSERT INTO V VALUES (1)")
        let store = try SampleStore(path)
        let page = try Int(store.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'B'"))
        try store.close()
        #expect(finding(.quick, in: path) == nil)
        var bytes = good
        bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: [UInt8](repeating: 0, count: 4096))
        try folder.write(bytes, to: "forged.store")
        #expect(finding(.quick, in: path) != nil)
    }
}
