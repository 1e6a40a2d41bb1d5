import GodwitSQLite
import GodwitModel
import GodwitTestSupport
import Testing

/// Scans prove large stores sound only if SQLite's own `integrity_check` finds nothing either.
struct IntegrityProofTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Ten records; two have no `b`.
    private static let values = (1...10).map { "(\($0), 'a\($0 % 4)', \($0 > 8 ? "NULL" : "\($0).5"))" }
        .joined(separator: ", ")
    /// Similar values of every storage class.
    private static let every = """
        (1, NULL, 0), (2, 1, 0), (3, 0.0, 0), (4, -7.25, 0), (5, 9007199254740993, 0), (6, 9.3e18, 0), (7, '', 0),
        (8, 'a', 0), (9, CAST(x'610062' AS TEXT), 0), (10, 'A', 0), (11, x'', 0), (12, x'61', 0), (13, '1', 0),
        (14, -9223372036854775808, 0), (15, -9.3e18, 0), (16, 9223372036854775807, 0), (17, 1e999, 0), (18, -1e999, 0)
        """

    private func verdicts(_ forged: ForgedIndex, encoding: String? = nil) throws -> (proof: Verdict, sqlite: Verdict) {
        try forged.make(at: folder["forged.store"], encoding: encoding)
        let path = folder["forged.store"]
        return (Verdict(of: path, largeFrom: 0), Verdict(of: path, largeFrom: .max))
    }

    @Test(
        "an index with the contents of its table is sound, with any values and order",
        arguments: [
            ForgedIndex(values: values), ForgedIndex(values: every), ForgedIndex(values: every, made: "(a DESC)"),
            ForgedIndex(values: values, made: "(a, b DESC)"), ForgedIndex(values: values, made: "(b)", isUnique: true),
            ForgedIndex(columns: "a TEXT, b REAL", values: values, made: "(b, a)"),
            ForgedIndex(columns: "a REAL, b", values: "(1, 5, 0), (2, 5.5, 0), (3, -0.0, 0), (4, 9007199254740993, 0)"),
            ForgedIndex(columns: "a TEXT, b REAL", options: "STRICT", values: values, made: "(a DESC, b)"),
            ForgedIndex(columns: "a TEXT, b, c AS (a || 'x') STORED", values: values, made: "(b, a)"),
            ForgedIndex(columns: "rowid, a, b", stored: "_rowid_, a, b", values: values),
            ForgedIndex(columns: "k INTEGER PRIMARY KEY, a, b", stored: "k, a, b", values: values, made: "(b DESC, a)"),
            ForgedIndex(
                columns: "k PRIMARY KEY, a, b", options: "WITHOUT ROWID", stored: "k, a, b", values: values,
                made: "(a DESC)"),
            ForgedIndex(
                columns: "k, a, b, PRIMARY KEY(a DESC, k)", options: "WITHOUT ROWID", stored: "k, a, b", values: values,
                made: "(b)"),
            // Values that SQLite compares as equal are no difference.
            ForgedIndex(values: every, change: "UPDATE S SET a = 1.0 WHERE a = 1 AND typeof(a) = 'integer'"),
            ForgedIndex(values: every, change: "UPDATE S SET a = -0.0 WHERE a = 0"),
            ForgedIndex(values: every, change: "UPDATE S SET b = 'no column of the index'"),
        ])
    func sound(_ forged: ForgedIndex) throws {
        let (proof, sqlite) = try verdicts(forged)
        // A table WITHOUT ROWID is an index itself.
        #expect(proof == .sound(proven: forged.options == "WITHOUT ROWID" ? ["T", "S"] : ["T"]))
        #expect(sqlite == .sound(proven: []))
    }

    @Test(
        "each changed byte of an index entry is found, in entries of any length",
        arguments: [
            1, 7, 8, 9, 15, 16, 17, 24, 25, 31, 33, 36, 240, 241, 1000, 1007, 1008, 1009, 1023, 1024, 1040, 2100,
        ])
    func everyByte(count: Int) throws {
        let text = "hex(zeroblob(\(count)))"
        let places = count < 40 ? Array(1...count) : [1, 8, 9, 16, count / 2, count - 16, count - 8, count - 7, count]
        for kind in ["TEXT", "BLOB"] {
            func forged(_ change: String) -> ForgedIndex {
                ForgedIndex(
                    values: "(1, CAST(substr(\(text), 1, \(count)) AS \(kind)), 0), (2, 'z', 0)", change: change)
            }
            #expect(try verdicts(forged("")).proof == .sound(proven: ["T"]))
            try folder.remove("forged.store")
            for place in places {
                let (proof, sqlite) = try verdicts(
                    forged(
                        "UPDATE S SET a = CAST(substr(a, 1, \(place - 1)) || '1' || substr(a, \(place + 1)) AS \(kind)) "
                            + "WHERE rowid = 1"))
                #expect(!proof.isSound && proof == sqlite, "\(kind), byte \(place)")
                try folder.remove("forged.store")
            }
        }
    }

    @Test(
        "an index with any other contents is damaged",
        arguments: [
            ForgedIndex(values: values, change: "DELETE FROM S WHERE rowid = 5"),
            ForgedIndex(values: values, change: "DELETE FROM S"),
            ForgedIndex(values: values, change: "INSERT INTO S VALUES ('a1', 0)"),
            ForgedIndex(values: values, change: "UPDATE S SET a = 'b' WHERE rowid = 5"),
            ForgedIndex(values: values, change: "UPDATE S SET rowid = 99 WHERE rowid = 5"),
            // Two records swap their values: the same values as before, in other rows.
            ForgedIndex(
                values: values, change: "UPDATE S SET a = CASE a WHEN 'a1' THEN 'a2' ELSE 'a1' END WHERE rowid < 3"),
            ForgedIndex(values: values, change: "UPDATE S SET b = 3.5 - b WHERE rowid < 3", made: "(a, b)"),
            ForgedIndex(values: every, change: "UPDATE S SET a = '' WHERE a IS NULL"),
            ForgedIndex(values: every, change: "UPDATE S SET a = NULL WHERE a = ''"),
            ForgedIndex(values: every, change: "UPDATE S SET a = x'61' WHERE a = 'a'"),
            ForgedIndex(values: every, change: "UPDATE S SET a = 1 WHERE a = '1'"),
            ForgedIndex(values: every, change: "UPDATE S SET a = 'a' WHERE rowid = 9"),
            ForgedIndex(values: every, change: "UPDATE S SET a = 9007199254740992.0 WHERE rowid = 5"),
            ForgedIndex(values: every, change: "UPDATE S SET a = 9223372036854775808.0 WHERE rowid = 16"),
            ForgedIndex(values: "(1, 'B', 0), (2, 'a', 0)", made: "(a COLLATE NOCASE)", declared: "(a)"),
            ForgedIndex(values: every, made: "(a DESC)", declared: "(a)"),
            ForgedIndex(values: values, made: "(a)", declared: "(a DESC)"),
            ForgedIndex(values: values, made: "(a, b)", declared: "(a, b DESC)"),
            ForgedIndex(values: values, isUnique: true),
            ForgedIndex(values: "(1, 2, 0), (2, 2.0, 0), (3, NULL, 0), (4, NULL, 0)", isUnique: true),
            ForgedIndex(
                columns: "a TEXT, b REAL", options: "STRICT", values: values,
                change: "UPDATE S SET b = b + 1 WHERE rowid = 1", made: "(b)"),
            ForgedIndex(
                columns: "k PRIMARY KEY, a, b", options: "WITHOUT ROWID", stored: "k, a, b", values: values,
                change: "UPDATE S SET k = 11 WHERE k = 1"),
            ForgedIndex(
                columns: "a TEXT, b, c AS (a || 'x') STORED", values: values,
                change: "UPDATE S SET a = 'z' WHERE rowid = 1", made: "(c)"),
        ])
    func damaged(_ forged: ForgedIndex) throws {
        let (proof, sqlite) = try verdicts(forged)
        #expect(!sqlite.isSound)
        #expect(proof == sqlite)
    }

    @Test("the index of a primary key is checked like others")
    func primaryKey() throws {
        func make(_ change: String) throws -> Verdict {
            let path = folder["key\(change.count).store"]
            try SampleStore.make(
                path,
                """
                CREATE TABLE T(k, a); CREATE TABLE S(k TEXT PRIMARY KEY, a);
                INSERT INTO T VALUES ('k1', 0), ('k2', 0), ('k3', 0); INSERT INTO S SELECT * FROM T;
                \(change);
                PRAGMA writable_schema=ON;
                UPDATE sqlite_schema SET name = 'sqlite_autoindex_T_1', tbl_name = 'T' WHERE type = 'index';
                UPDATE sqlite_schema SET sql = 'CREATE TABLE T(k TEXT PRIMARY KEY, a)' WHERE name = 'T';
                UPDATE sqlite_schema SET sql = 'CREATE TABLE S(k, a)' WHERE name = 'S'
                """)
            #expect(Verdict(of: path, largeFrom: .max).isSound == change.isEmpty)
            return Verdict(of: path, largeFrom: 0)
        }
        #expect(try make("") == .sound(proven: ["T"]))
        let changed = try make("UPDATE S SET k = 'k4' WHERE k = 'k3'")
        #expect(changed == .damaged("row 3 missing from index sqlite_autoindex_T_1"))
    }

    @Test("a table WITHOUT ROWID must have the order of its key", arguments: ["k", "k DESC"])
    func withoutRowid(key: String) throws {
        let forged = ForgedIndex(
            columns: "k, a, b, PRIMARY KEY(k)", options: "WITHOUT ROWID", stored: "k, a, b",
            values: "(1, 5, 1), (2, 5, 0), (3, 4, 1)", made: "(b)",
            more: "UPDATE sqlite_schema SET sql = replace(sql, '(k))', '(\(key)))') WHERE name = 'S'")
        let (proof, sqlite) = try verdicts(forged)
        #expect(sqlite == (key == "k" ? .sound(proven: []) : .damaged("row not in PRIMARY KEY order for S")))
        #expect(proof == (key == "k" ? .sound(proven: ["T", "S"]) : sqlite))
    }

    @Test("damage outside of indexes is found")
    func records() throws {
        let forged = ForgedIndex(
            values: Self.values,
            more: "UPDATE sqlite_schema SET sql = 'CREATE TABLE T(a, b NOT NULL)' WHERE name = 'T'")
        let (proof, sqlite) = try verdicts(forged)
        #expect(sqlite == .damaged("NULL value in T.b"))
        #expect(proof == sqlite)
    }

    @Test("a small store is checked by integrity_check, and a large one is not", arguments: [100, 5000])
    func size(kilobytes: Int) throws {
        let forged = ForgedIndex(
            values: Self.values, more: "CREATE TABLE Filling(x); INSERT INTO Filling VALUES (zeroblob(\(kilobytes)000))"
        )
        try forged.make(at: folder["a.store"])
        let verdict = Verdict(of: folder["a.store"], largeFrom: SoundnessCheck.large)
        #expect(verdict == .sound(proven: kilobytes == 100 ? [] : ["T"]))
    }

    /// Tables that scans can't prove, each with the reason in its definition.
    static let beyond: [ForgedIndex] = [
        ForgedIndex(columns: "a COLLATE NOCASE, b", values: values),
        ForgedIndex(columns: "a, b", values: values, made: "(a COLLATE RTRIM)"),
        ForgedIndex(columns: "k INTEGER PRIMARY KEY, a, b", stored: "k, a, b", values: values, made: "(a, k)"),
        ForgedIndex(columns: "rowid, oid, _rowid_, a, b", stored: "a, b", values: "('a', 1), ('b', 2), ('c', 3)"),
        ForgedIndex(
            columns: "a, b, " + (1...120).map { "c\($0)" }.joined(separator: ", "), values: values,
            made: "(a, " + (1...120).map { "c\($0)" }.joined(separator: ", ") + ")"),
        ForgedIndex(columns: "a, b", values: "(1, 1, zeroblob(1200000)), (3, 1, 1)", made: "(a, b)"),
    ]

    @Test("what Godwit's check cannot decide is left to integrity_check, which finds the damage", arguments: beyond)
    func left(_ forged: ForgedIndex) throws {
        let (sound, sqlite) = try verdicts(forged)
        #expect(sound == .sound(proven: []) && sqlite == sound)
        try folder.remove("forged.store")
        var damaged = forged
        damaged.change = "UPDATE S SET a = 'other' WHERE b = (SELECT max(b) FROM T)"
        let (proof, own) = try verdicts(damaged)
        #expect(!own.isSound)
        #expect(proof == own)
    }

    @Test("a store in UTF-16 is checked by integrity_check", arguments: WideSample.wideEncodings)
    func wide(encoding: String) throws {
        var forged = ForgedIndex(values: Self.values)
        #expect(try verdicts(forged, encoding: encoding).proof == .sound(proven: []))
        try folder.remove("forged.store")
        forged.change = "DELETE FROM S WHERE rowid = 3"
        #expect(try verdicts(forged, encoding: encoding).proof == .damaged("row 3 missing from index J"))
    }

    @Test(
        "entries made for other columns than the schema's are reported, even if a scan reads the right values",
        arguments: [("(a, b)", "(a)"), ("(a, b)", "(a, b, a)"), ("(a)", "(a, b)"), ("(b, a)", "(b)")])
    func otherColumns(made: String, declared: String) throws {
        let values = (1...9).map { "(\($0), 'a\($0)', '\($0)')" }.joined(separator: ", ")
        let (proof, sqlite) = try verdicts(ForgedIndex(values: values, made: made, declared: declared))
        #expect(!sqlite.isSound)
        #expect(proof == sqlite)
    }

    /// The entries end in bytes that could begin a longer rowid: see the file format's serial types.
    @Test(
        "an entry whose header gives its rowid another length is reported, even if a scan reads the right one",
        arguments: [
            ("9007199254740992.0", 6, 1, 5), ("256", 6, 1, 3), ("CAST(x'6100' AS TEXT)", 6, 1, 2), ("x'6100'", 6, 1, 2),
            ("x'61FF'", -6, 1, 2), ("x'6101'", 1, 9, 1), ("1.5", 6, 1, 6), ("-256", 6, 1, 2),
        ])
    func lengthOfRowid(value: String, rowid: Int, type: UInt8, other: UInt8) throws {
        let forged = ForgedIndex(
            columns: "a, b", values: "(\(rowid), \(value), 0), (77, 'z', 0), (78, 'zz', 0), (79, 1, 0)")
        try forged.make(at: folder["a.store"])
        #expect(Verdict(of: folder["a.store"], largeFrom: 0) == .sound(proven: ["T"]))
        let page = try Int(
            SampleStore(folder["a.store"]).integer("SELECT rootpage FROM sqlite_schema WHERE name = 'J'"))
        var bytes = try folder.bytes(of: "a.store")
        // Each entry of the leaf: its size, the size of its header, the type of the value, the type of the rowid.
        let start = (page - 1) * 4096
        var changed = 0
        for cell in 0..<4 {
            let entry = start + Int(bytes[start + 8 + 2 * cell]) << 8 + Int(bytes[start + 9 + 2 * cell])
            let last = entry + Int(bytes[entry])
            guard bytes[entry + 3] == type, type == 9 || bytes[last] == UInt8(truncatingIfNeeded: rowid) else {
                continue
            }
            bytes[entry + 3] = other
            changed += 1
        }
        #expect(changed == 1)
        try folder.write(bytes, to: "a.store")
        let (proof, sqlite) = (
            Verdict(of: folder["a.store"], largeFrom: 0), Verdict(of: folder["a.store"], largeFrom: .max)
        )
        #expect(!sqlite.isSound)
        #expect(proof == sqlite)
    }

    @Test("a table with computed columns is checked by its other indexes, and other tables as usual")
    func besideComputing() throws {
        var forged = ForgedIndex(
            values: Self.values,
            more: "CREATE TABLE C(x, y AS (x + 1)); CREATE INDEX CX ON C(x); CREATE TABLE \"7up\"(x)")
        #expect(try verdicts(forged) == (.sound(proven: ["T", "C"]), .sound(proven: [])))
        try folder.remove("forged.store")
        forged.change = "DELETE FROM S WHERE rowid = 5"
        let (proof, sqlite) = try verdicts(forged)
        #expect(sqlite == .damaged("row 5 missing from index J"))
        #expect(proof == sqlite)
    }

    @Test("a table whose name is a number is checked with the whole store")
    func number() throws {
        var forged = ForgedIndex(values: Self.values, more: "CREATE TABLE \"7up\"(x UNIQUE)")
        #expect(try verdicts(forged).proof == .sound(proven: []))
        try folder.remove("forged.store")
        forged.change = "DELETE FROM S WHERE rowid = 5"
        #expect(try verdicts(forged).proof == .damaged("row 5 missing from index J"))
    }

    @Test("if an edited schema gives a table another name, integrity_check checks the whole store")
    func otherName() throws {
        let forged = ForgedIndex(
            values: Self.values, change: "DELETE FROM S WHERE rowid = 5",
            more: "UPDATE sqlite_schema SET name = 'U' WHERE name = 'T'")
        let (proof, sqlite) = try verdicts(forged)
        #expect(proof == sqlite)
        #expect(!proof.isSound)
    }
}

extension ForgedIndex: CustomTestStringConvertible {
    var testDescription: String { "\(columns) \(options); \(change); \(made) as \(declared ?? made)" }
}
