import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Testing

/// Records with keys of every kind, in tables of every kind, are matched by bytes, not by SQL's comparison.
struct MergeKeyTests {
    /// A table, and the keys that are only local, only in the cloud, and in both stores, all as SQL.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let table: String
        let onlyLocal: [String]
        let both: [String]
        let onlyCloud: [String]
        var encoding: String?
    }

    static let cases: [Case] = [
        .init(
            testDescription: "integers", table: "CREATE TABLE Item(id INTEGER PRIMARY KEY, v)",
            onlyLocal: ["-9223372036854775808", "9"], both: ["-1", "0", "10", "9223372036854775807"],
            onlyCloud: ["1", "100"]),
        .init(
            testDescription: "blobs", table: "CREATE TABLE Item(id BLOB PRIMARY KEY, v)",
            onlyLocal: ["x'00'", "x'ff00'"], both: ["x''", "x'0001'", "x'80'"], onlyCloud: ["x'000100'", "x'ff'"]),
        .init(
            testDescription: "every storage class at once", table: "CREATE TABLE Item(id, v)",
            onlyLocal: ["1", "2.0", "'1'", "x'31'"], both: ["2", "1.5", "'a'", "x'61'", "9007199254740993"],
            onlyCloud: ["1.0", "'2'", "x'32'", "9007199254740992.0"]),
        .init(
            testDescription: "letter case", table: "CREATE TABLE Item(id TEXT, v)",
            onlyLocal: ["'A'", "'b'"], both: ["'Aa'", "'aA'", "'aa'"], onlyCloud: ["'a'", "'B'"]),
        .init(
            testDescription: "a column that ignores case", table: "CREATE TABLE Item(id TEXT COLLATE NOCASE, v)",
            onlyLocal: ["'A'", "'b'", "'zz'"], both: ["'Aa'", "'aA'", "'aa'", "'m'"], onlyCloud: ["'a'", "'B'", "'Zz'"]),
        .init(
            testDescription: "a column that ignores blanks at the end",
            table: "CREATE TABLE Item(id TEXT COLLATE RTRIM, v)", onlyLocal: ["'a'"], both: ["'b '", "'b'", "''"],
            onlyCloud: ["'a '", "' '"]),
        .init(
            testDescription: "without rowid", table: "CREATE TABLE Item(id TEXT PRIMARY KEY, v) WITHOUT ROWID",
            onlyLocal: ["'a'"], both: ["'b'", "'B'"], onlyCloud: ["'c'"]),
        .init(
            testDescription: "without rowid, a primary key of two columns that is not the record's key",
            table: "CREATE TABLE Item(id TEXT, v, p INTEGER DEFAULT 4, PRIMARY KEY(p, id)) WITHOUT ROWID",
            onlyLocal: ["'a'"], both: ["'b'", "'B'"], onlyCloud: ["'c'"]),
        .init(
            testDescription: "columns named like the rowid",
            table: "CREATE TABLE Item(id TEXT, v, rowid TEXT DEFAULT 'r', _rowid_ TEXT DEFAULT 'r')",
            onlyLocal: ["'a'"], both: ["'b'"], onlyCloud: ["'c'"]),
        .init(
            testDescription: "generated columns",
            table: "CREATE TABLE Item(g AS (v || '!') VIRTUAL, id TEXT, s AS (v || '?') STORED, v)",
            onlyLocal: ["'a'"], both: ["'b'"], onlyCloud: ["'c'"]),
        .init(
            testDescription: "a strict table", table: "CREATE TABLE Item(id TEXT NOT NULL, v ANY) STRICT",
            onlyLocal: ["'a'"], both: ["'b'"], onlyCloud: ["'c'"]),
        .init(
            testDescription: "UTF-16, little end first", table: "CREATE TABLE Item(id TEXT, v)",
            onlyLocal: ["'a'", "'zz'"], both: ["'b'", "'z'"], onlyCloud: ["'aa'", "'c'"], encoding: "UTF-16le"),
        .init(
            testDescription: "UTF-16, big end first", table: "CREATE TABLE Item(id TEXT, v)",
            onlyLocal: ["'é'", "'zz'"], both: ["'b'", "'z'", "'日本'"], onlyCloud: ["'aa'", "'c'"],
            encoding: "UTF-16be"),
    ]

    @Test("records are matched by key", arguments: cases)
    func meet(example: Case) throws {
        let fixture = try CopyFixture(
            [Entity(name: "Item", key: "id", conflict: .keepLocal)], schema: example.table + ";")
        let local = try fixture.local(encoding: example.encoding)
        let cloud = try fixture.cloud()
        for key in example.onlyLocal + example.both {
            try local.execute("INSERT INTO Item(id, v) VALUES (\(key), 'l')")
        }
        for key in example.onlyCloud + example.both {
            try cloud.execute("INSERT INTO Item(id, v) VALUES (\(key), 'c')")
        }
        try local.close()
        try cloud.close()
        let before = try fixture.localFingerprint()
        let entity = try #require(try fixture.copy().entities.first)
        #expect(try fixture.localFingerprint().differences(from: before).isEmpty)
        #expect(entity.inserted == Int64(example.onlyLocal.count))
        #expect(entity.updated == Int64(example.both.count))
        #expect(entity.cloudAfter == Int64(example.onlyLocal.count + example.both.count + example.onlyCloud.count))
        for (keys, value) in [(example.onlyLocal + example.both, "l"), (example.onlyCloud, "c")] {
            for key in keys {
                let sql = "SELECT v FROM Item WHERE id = \(key) COLLATE BINARY AND typeof(id) = typeof(\(key))"
                #expect(try fixture.cloudText(sql) == value, "\(key)")
            }
        }
    }

    @Test("a generated column follows the copied values")
    func generated() throws {
        let fixture = try CopyFixture(
            [Entity(name: "Item", key: "id", conflict: .keepLocal)],
            schema: "CREATE TABLE Item(g AS (v || '!') VIRTUAL, id TEXT, s AS (v || '?') STORED, v);")
        try fixture.local("INSERT INTO Item VALUES ('a', 'new'), ('b', 'two')").close()
        try fixture.cloud("INSERT INTO Item VALUES ('a', 'old')").close()
        try fixture.copy()
        #expect(try fixture.cloudText("SELECT g || s FROM Item ORDER BY id") == "new!new? two!two?")
    }

    @Test("columns are matched by name, in any order and ASCII case")
    func columnOrder() throws {
        let fixture = try CopyFixture(
            [Entity(name: "Item", key: "id", modified: .init(column: "at"))],
            schema: "CREATE TABLE Item(id TEXT, at, first, second);")
        try fixture.local("INSERT INTO Item VALUES ('a', 2, 'f', 's'), ('b', 2, 'f', 's'), ('e', 1, 'f', 's')").close()
        try SampleStore.make(
            fixture.cloudPath,
            """
            CREATE TABLE item(SECOND, at, "First", id TEXT);
            INSERT INTO item VALUES ('old', 1, 'old', 'a'), ('s', 1, 'f', 'e'), ('x', 1, 'y', 'z');
            """)
        let entity = try #require(try fixture.copy().entities.first)
        #expect((entity.inserted, entity.updated, entity.equal) == (1, 1, 1))
        #expect(try fixture.cloudText("SELECT id || first || second FROM Item ORDER BY id") == "afs bfs efs zyx")
        #expect(
            try fixture.cloudText("SELECT record FROM godwit_removed")
                == #"{"SECOND":"old","at":1,"First":"old","id":"a"}"#)
    }

    @Test("names that differ beyond ASCII case are two columns, as in SQLite")
    func unicodeNames() throws {
        let fixture = try CopyFixture(
            [Entity(name: "Item", key: "id", conflict: .keepLocal)],
            schema: "CREATE TABLE Item(id TEXT, \"É\", \"é\");")
        try fixture.local("INSERT INTO Item VALUES ('a', 'upper', 'lower')").close()
        try SampleStore.make(
            fixture.cloudPath,
            "CREATE TABLE Item(\"é\", \"É\", id TEXT); INSERT INTO Item VALUES ('lower', 'upper', 'a')")
        #expect(try fixture.copy().entities.first?.equal == 1)
    }

    @Test(
        "stores with different columns are rejected with the column",
        arguments: [
            ("CREATE TABLE Item(id TEXT, v)", "Item.extra"),
            ("CREATE TABLE Item(id TEXT, v, extra, more)", "Item.more"),
            ("CREATE TABLE Item(id TEXT, v, other)", "Item.extra"),
        ])
    func missingColumns(table: String, named: String) throws {
        let fixture = try CopyFixture(
            [Entity(name: "Item", key: "id")], schema: "CREATE TABLE Item(id TEXT, v, extra);")
        try fixture.local("INSERT INTO Item VALUES ('a', 1, 2)").close()
        try SampleStore.make(fixture.cloudPath, table)
        let before = try fixture.folder.bytes(of: "cloud/C.store")
        let error = failure { try fixture.copy() }
        #expect(error?.code == .data)
        #expect(error?.message.contains(named) == true)
        #expect(error?.hint != nil)
        #expect(try fixture.folder.bytes(of: "cloud/C.store") == before)
        #expect(fixture.cloudNames == ["C.store"])
    }

    @Test("a store without the table is rejected with the table", arguments: [true, false])
    func missingTable(inCloud: Bool) throws {
        let fixture = try CopyFixture([Entity(name: "Item", key: "id")], schema: "CREATE TABLE Item(id TEXT);")
        if inCloud {
            try fixture.local().close()
            try SampleStore.make(fixture.cloudPath, "CREATE TABLE Other(id TEXT)")
        } else {
            try SampleStore.make(fixture.localPath, "CREATE TABLE Other(id TEXT)")
            try fixture.cloud().close()
        }
        let error = failure { try fixture.copy() }
        #expect(error?.code == .data)
        #expect(error?.message.contains("'Item'") == true)
    }

    @Test("text in UTF-16 is copied as the same characters", arguments: ["UTF-16le", "UTF-16be"])
    func utf16Values(encoding: String) throws {
        let fixture = try CopyFixture.items()
        try fixture.local(encoding: encoding, "INSERT INTO Item VALUES ('k', '日本 🏋️ é', x'0001', '2026-01-01')").close()
        try fixture.copy()
        let all = "SELECT id, title, amount, updatedAt FROM Item"
        #expect(try fixture.cloudRows(all) == fixture.localRows(all))
        #expect(try fixture.cloudText("PRAGMA encoding") == "UTF-8")
    }

    @Test(
        "keys that UTF-16 sorts in another order are not duplicated",
        arguments: ["UTF-16le", "UTF-16be"])
    func utf16Order(encoding: String) throws {
        let fixture = try CopyFixture.items()
        // U+0100 sorts before 'a' in UTF-16le; U+1F600 before U+FF21 in both.
        let rows = "INSERT INTO Item VALUES ('a', 1, 1, 1), ('Ā', 1, 1, 1), ('Ａ', 1, 1, 1), ('😀', 1, 1, 1);"
        try fixture.local(encoding: encoding, rows).close()
        try fixture.cloud(rows).close()
        #expect(try fixture.copy().entities.first?.equal == 4)
        #expect(try fixture.cloudRows("SELECT count(*) FROM Item") == [[.integer(4)]])
    }
}
