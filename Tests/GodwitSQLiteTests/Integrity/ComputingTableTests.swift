import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// Tables for which `integrity_check` would evaluate an expression are not checked by it, and damage in them is found.
struct ComputingTableTests {
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

    /// Compares the check's verdict on a store, as a large and as a small one, with SQLite's.
    private func expectSameVerdicts(_ comment: String) throws -> Bool {
        let path = folder["forged.store"]
        let store = try SampleStore(path)
        let isSound = try store.text("PRAGMA integrity_check(1)") == "ok"
        try store.close()
        for size in [0, Int64.max] {
            let verdict = Verdict(of: path, largeFrom: size)
            #expect(verdict.isSound == isSound, "\(comment), large from \(size): \(verdict)")
        }
        try folder.remove("forged.store")
        return isSound
    }

    @Test("the verdict on an index of stored columns is SQLite's", arguments: reasons)
    func plainIndex(reason: String) throws {
        let indexes = [
            ForgedIndex(values: Self.values), ForgedIndex(values: Self.values, made: "(a COLLATE NOCASE, b)"),
            ForgedIndex(columns: "a COLLATE RTRIM, b", values: Self.values, made: "(a COLLATE BINARY)"),
            ForgedIndex(columns: "k INTEGER PRIMARY KEY, a, b", stored: "k, a, b", values: Self.values),
            ForgedIndex(
                columns: "k PRIMARY KEY, a, b", options: "WITHOUT ROWID", stored: "k, a, b", values: Self.values,
                made: "(a DESC)"),
            ForgedIndex(
                columns: "a, k, b NOT NULL, PRIMARY KEY(k, b)", options: "WITHOUT ROWID", stored: "k, a, b",
                values: "(1, 2, 3), (2, NULL, 4), (3, 'a', 5)"),
        ]
        let changes = [
            "", "DELETE FROM S WHERE b = 3.5 OR b = 4", "UPDATE S SET a = 'zz' WHERE b = 3.5 OR b = 4",
            "UPDATE S SET a = CASE b WHEN 3.5 THEN 'a2' ELSE 'a3' END WHERE b = 3.5 OR b = 2.5",
        ]
        var sound = 0
        for index in indexes {
            for change in changes {
                var forged = index
                forged.change = change
                forged.more = reason
                try forged.make(at: folder["forged.store"])
                if try expectSameVerdicts("\(forged)") { sound += 1 }
            }
        }
        #expect(sound >= indexes.count && sound <= 2 * indexes.count)
    }

    @Test(
        "a table whose key SQLite's checks read as other columns is sound, and damaged indexes are found",
        arguments: [0, Int64.max])
    func misread(size: Int64) throws {
        for change in ["", "DELETE FROM S WHERE b = 4"] {
            try ForgedIndex(
                columns: "a NOT NULL, k PRIMARY KEY NOT NULL, b", options: "WITHOUT ROWID", stored: "a, k, b",
                values: "(1, 2, 3), (2, 3, 4), (3, 'a', 5)", change: change,
                more: """
                    CREATE TABLE K(n TEXT NOT NULL, id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
                    INSERT INTO K VALUES ('a', 'b')
                    """
            ).make(at: folder["forged.store"])
            let verdict = Verdict(of: folder["forged.store"], largeFrom: size)
            #expect(verdict.isSound == change.isEmpty, "\(verdict)")
            try folder.remove("forged.store")
        }
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
        ).make(at: folder["forged.store"])
        #expect(try !expectSameVerdicts("a namesake"))
    }

    @Test("a repeated key in a unique index is reported", arguments: reasons)
    func unique(reason: String) throws {
        for (values, isSound) in [
            (Self.values, false), ("(1, NULL, 1), (2, NULL, 1), (3, 'x', 2)", true),
            ("(1, 'y', 1), (2, 'z', 1), (3, 'y', 2)", false),
        ] {
            try ForgedIndex(values: values, isUnique: true, more: reason).make(at: folder["forged.store"])
            #expect(try expectSameVerdicts(values) == isSound)
        }
    }

    @Test("a collation of the app hides no damage, and its order is not checked", arguments: [""] + reasons)
    func unknownOrder(reason: String) throws {
        let path = folder["forged.store"]
        let missing = "DELETE FROM S WHERE b = 4.5"
        // One has the app's collation; the other has an index that has it.
        for (declared, change) in [
            ("(a COLLATE APPOWN)", ""), ("(a)", ""), ("(a COLLATE APPOWN)", missing), ("(a)", missing),
        ] {
            // The name is as long as SQLite's own.
            try ForgedIndex(
                values: Self.values, change: change, declared: declared,
                more: """
                    \(reason); CREATE INDEX C ON T(a COLLATE NOCASE, b);
                    UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'APPOWN')
                    """
            ).make(at: path)
            for size in [0, Int64.max] {
                let reader = try SQLiteReader(
                    path: path, name: "forged", stage: .verify, busyMilliseconds: 0, cancellation: Cancellation())
                let store = reader.connection
                let error = failure { try reader.checkIntegrity(largeFrom: size) }
                #expect(error?.message == (change.isEmpty ? nil : "`forged` is not a usable SQLite store"))
                #expect(error?.underlying?.contains("index J") != false)
                let order = failure { try store.rows("SELECT a FROM T NOT INDEXED ORDER BY a COLLATE APPOWN") }
                #expect(order?.message.contains("by the collation `APPOWN`, which only the app has") == true)
                #expect(order?.message.hasPrefix("T.a") == true)
                #expect(order?.underlying == "no such collation sequence: APPOWN")
            }
            try folder.remove("forged.store")
        }
    }

    /// A store with every kind of page; a few kilobytes of it are free.
    private func makePages(_ more: String = "") throws -> [UInt8] {
        try SampleStore.make(
            folder["forged.store"],
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
        let path = folder["forged.store"]
        #expect(Verdict(of: path, largeFrom: 0).isSound && Verdict(of: path, largeFrom: .max).isSound)
        var refused = 0
        for page in 1..<good.count / 4096 {
            for byte: UInt8 in [0, 0xA5] {
                var bytes = good
                bytes.replaceSubrange(page * 4096..<page * 4096 + 4096, with: [UInt8](repeating: byte, count: 4096))
                try folder.write(bytes, to: "forged.store")
                if try !expectSameVerdicts("page \(page + 1), \(byte)") { refused += 1 }
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
        #expect(try !expectSameVerdicts("one page more"))
    }

    @Test("next to a virtual column, which is not computed, pages of other tables' indexes are checked")
    func besideVirtualColumn() throws {
        let good = try makePages("CREATE TABLE V(x, y AS (x + 1) NOT NULL); INSERT INTO V VALUES (1)")
        let store = try SampleStore(folder["forged.store"])
        let page = try Int(store.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'B'"))
        try store.close()
        #expect(Verdict(of: folder["forged.store"], largeFrom: 0).isSound)
        var bytes = good
        bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: [UInt8](repeating: 0, count: 4096))
        try folder.write(bytes, to: "forged.store")
        #expect(try !expectSameVerdicts("the partial index"))
    }
}
