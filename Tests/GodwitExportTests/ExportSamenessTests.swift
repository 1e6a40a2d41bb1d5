import GodwitModel
import GodwitExport
import GodwitTestSupport
import Testing

struct ExportSamenessTests {
    private static let rows = [
        "('b', 1, 'x')", "('a', 2.5, NULL)", "(10, x'00', 'é')", "(9, 'q', 1)", "('B', NULL, NULL)", "(x'61', 1, 1)",
        "(1.5, 1, 1)", "('', 1, 1)",
    ]

    private static func make(
        _ rows: [String], columns: String = "id, a, b", journal: String? = nil, before: String = "", after: String = ""
    ) throws -> ExportFixture {
        let fixture = try ExportFixture(
            [Entity(name: "Item", key: "id")], journal: journal,
            sql: before + "CREATE TABLE Item(\(columns)); INSERT INTO Item VALUES \(rows.joined(separator: ", "));"
                + after)
        return fixture
    }

    @Test("two exports with the same clock and identifier have the same bytes")
    func twice() throws {
        let fixture = try Self.make(Self.rows)
        try fixture.export(to: "1.json")
        try fixture.export(to: "2.json")
        #expect(try fixture.folder.bytes(of: "exports/1.json") == fixture.folder.bytes(of: "exports/2.json"))
    }

    @Test("clock and identifier change the document, not its content version")
    func clock() throws {
        let fixture = try Self.make(Self.rows)
        let first = try fixture.export(to: "1.json")
        let second = try fixture.export(
            to: "2.json", context: .sample(now: Instant(seconds: 1)),
            identifier: "11111111-AAAA-4AAA-8AAA-AAAAAAAAAAAA", freshness: .empty)
        #expect(first.sha256 == second.sha256)
        #expect(try fixture.text("1.json") != fixture.text("2.json"))
    }

    @Test("keys are sorted by bytes as in SQLite: numbers, text, blobs")
    func keyOrder() throws {
        let fixture = try Self.make(Self.rows)
        try fixture.export()
        let keys = try fixture.records().map { $0.prefix { $0 != "," } }
        #expect(
            keys == [
                #"{"id":1.5"#, #"{"id":9"#, #"{"id":10"#, #"{"id":"""#, #"{"id":"B""#, #"{"id":"a""#, #"{"id":"b""#,
                #"{"id":{"$blob":"YQ=="}"#,
            ])
    }

    static let variants: [@Sendable () throws -> ExportFixture] = [
        { try make(rows.reversed()) }, { try make(rows.shuffled()) },
        { try make(rows, before: "PRAGMA page_size=512;") }, { try make(rows, before: "PRAGMA page_size=65536;") },
        { try make(rows, journal: "WAL") }, { try make(rows, before: "PRAGMA auto_vacuum=FULL;") },
        { try make(rows, after: "CREATE INDEX i ON Item(id COLLATE NOCASE); CREATE INDEX j ON Item(a);") },
        { try make(rows, after: "CREATE INDEX i ON Item(id);") },
        { try make(rows + ["('gone', 1, 1)"], after: "DELETE FROM Item WHERE id = 'gone'; VACUUM;") },
        { try make(rows, columns: "id PRIMARY KEY, a, b") },
        { try make(rows, after: "CREATE TABLE godwit_run(x); CREATE TABLE Other(x); INSERT INTO Other VALUES (1)") },
    ]

    @Test("the content version does not depend on the storage of the content", arguments: variants.indices)
    func storage(index: Int) throws {
        let version = try Self.make(Self.rows).export().sha256
        #expect(try Self.variants[index]().export().sha256 == version)
    }

    static let changes = [
        "UPDATE Item SET a = 1.0 WHERE id = 'b'", "UPDATE Item SET b = 'X' WHERE id = 'b'",
        "UPDATE Item SET b = '' WHERE id = 'a'", "UPDATE Item SET b = x'' WHERE id = 'a'",
        "UPDATE Item SET a = char(0) WHERE id = 'a'", "DELETE FROM Item WHERE id = 9",
        "INSERT INTO Item VALUES ('c', NULL, NULL)", "INSERT INTO Item VALUES ('b', 1, 'x')",
        "UPDATE Item SET id = 'A' WHERE id = 'a'", "UPDATE Item SET id = 9.0 WHERE id = 9",
        "UPDATE Item SET b = 'e' || char(769) WHERE id = 10", "ALTER TABLE Item ADD COLUMN c",
        "ALTER TABLE Item RENAME COLUMN b TO bb",
    ]

    @Test("any other value, record or column gives another content version", arguments: changes)
    func changed(sql: String) throws {
        let version = try Self.make(Self.rows).export().sha256
        #expect(try Self.make(Self.rows, after: sql).export().sha256 != version)
    }

    @Test(
        "records with one key have one order, even if SQL treats their columns as equal",
        arguments: ["id, a, b", "id TEXT COLLATE NOCASE, a TEXT COLLATE NOCASE, b COLLATE RTRIM"])
    func duplicateKeys(columns: String) throws {
        let rows = [
            "('k', 'a', 1)", "('k', 'A', 1)", "('k', 'a', 1.0)", "('k', 'a', '1')", "('k', 'a', '1 ')",
            "('k', NULL, 1)", "('k', x'61', 1)", "('K', 'a', 1)", "('k', 'a', 1)", "('k', 2, 9007199254740992)",
            "('k', 2, 9007199254740993)", "('k', 2, 9007199254740992.0)",
        ]
        let first = try Self.make(rows, columns: columns)
        try first.export()
        #expect(try first.records().count == rows.count)
        for _ in 0..<10 {
            let other = try Self.make(rows.shuffled(), columns: columns)
            try other.export()
            #expect(try other.text() == first.text())
        }
    }

    @Test("equal numbers are ordered as INTEGER before REAL, then by the other columns, then by the sign of zero")
    func equalNumbers() throws {
        let rows = [
            "(1.0, 1, 1)", "(1, 2, 1)", "(1, 1, 1.0)", "(1, 1, 1)", "(1.0, 0, 0)", "(1, 1.0, 0)", "(2, 0, 0)",
            "(-0.0, 1, 1)", "(0.0, 2, 1)", "(0.0, 1, 1)", "(-0.0, 0, 1)", "(0, 9, 9)", "(NULL, 1, 1)",
            "(-9e999, 1, 1)", "(9007199254740993, 1, 1)", "(9007199254740992.0, 1, 1)", "(9e999, 1, 1)",
        ]
        let fixture = try Self.make(rows.shuffled())
        try fixture.export()
        #expect(
            try fixture.records() == [
                #"{"id":null,"a":1,"b":1}"#, #"{"id":{"$real":"-Infinity"},"a":1,"b":1}"#, #"{"id":0,"a":9,"b":9}"#,
                #"{"id":-0.0,"a":0,"b":1}"#, #"{"id":0.0,"a":1,"b":1}"#, #"{"id":-0.0,"a":1,"b":1}"#,
                #"{"id":0.0,"a":2,"b":1}"#, #"{"id":1,"a":1,"b":1}"#, #"{"id":1,"a":1,"b":1.0}"#,
                #"{"id":1,"a":1.0,"b":0}"#, #"{"id":1,"a":2,"b":1}"#, #"{"id":1.0,"a":0,"b":0}"#,
                #"{"id":1.0,"a":1,"b":1}"#, #"{"id":2,"a":0,"b":0}"#, #"{"id":9007199254740992.0,"a":1,"b":1}"#,
                #"{"id":{"$int":"9007199254740993"},"a":1,"b":1}"#, #"{"id":{"$real":"Infinity"},"a":1,"b":1}"#,
            ])
    }

    @Test("the sign of zero decides column by column, after all values")
    func signsOfZero() throws {
        let rows = ["(1, -0.0, 0.0)", "(1, 0.0, -0.0)", "(1, 0.0, 0.0)", "(1, -0.0, -0.0)", "(1, -0.0, -1)"]
        let fixture = try Self.make(rows.shuffled())
        try fixture.export()
        #expect(
            try fixture.records() == [
                #"{"id":1,"a":-0.0,"b":-1}"#, #"{"id":1,"a":0.0,"b":0.0}"#, #"{"id":1,"a":0.0,"b":-0.0}"#,
                #"{"id":1,"a":-0.0,"b":0.0}"#, #"{"id":1,"a":-0.0,"b":-0.0}"#,
            ])
    }

    @Test("a table with as many columns as SQLite allows is exported")
    func wideTable() throws {
        let columns = (1..<2000).map { "c\($0)" }.joined(separator: ", ")
        let fixture = try ExportFixture.items(
            columns: "id, " + columns, "INSERT INTO Item(id, c1) VALUES ('a', 2), ('b', 1), ('a', 1)")
        try fixture.export()
        let openings = try fixture.records().map { $0.prefix(16) }
        #expect(openings == [#"{"id":"a","c1":1"#, #"{"id":"a","c1":2"#, #"{"id":"b","c1":1"#])
    }

    @Test(
        "an export does not follow the other order of some keys in UTF-16",
        arguments: ["UTF-16le", "UTF-16be"])
    func utf16Order(encoding: String) throws {
        let rows = "INSERT INTO Item VALUES ('a', 1, 1), ('Ā', 1, 1), ('Ａ', 1, 1), ('😀', 1, 1)"
        let plain = try ExportFixture.items(rows).export()
        let other = try ExportFixture.items(encoding: encoding, rows).export()
        #expect(plain.sha256 == other.sha256)
    }
}
