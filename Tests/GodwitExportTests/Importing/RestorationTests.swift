import GodwitModel
import GodwitSQLite
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

/// The store that a restore makes from a document, and its errors.
struct RestorationTests {
    static let item = [Entity(name: "Item", key: "id")]

    /// A store with one table, exported.
    private func items(
        _ rows: [[Value]], columns: String = "id TEXT, a", form: ExportForm = .plain, options: String = ""
    ) throws -> Restoration {
        let restoration = try Restoration(Self.item, schema: ["CREATE TABLE Item(\(columns)) \(options)"])
        try restoration.make { store in
            for row in rows {
                try store.execute("INSERT INTO Item VALUES (\(row.map { _ in "?" }.joined(separator: ", ")))", row)
            }
        }
        try restoration.export(as: form)
        return restoration
    }

    static let oddValues: [Value] = [
        .null, .integer(0), .integer(.max), .integer(.min), .integer(1 << 53), .integer(-(1 << 53)), .real(0),
        .real(-0.0), .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude),
        .real(.greatestFiniteMagnitude), .real(0.1),
        .real(1), .real(9_007_199_254_740_994), .text([]), .text([0]), .text([0x61, 0, 0x62]), .text([0xFF]),
        .text([0xED, 0xA0, 0x80]), .string("é"), .string("e\u{301}"), .string("🏋️"), .string("\u{FFFF}"), .blob([]),
        .blob([0]), .blob(Array(0...255)), .string("1"), .string("1.0"), .string("{\"$int\":\"1\"}"),
    ]

    @Test("every value is restored with its class and its bits", arguments: oddValues)
    func value(_ value: Value) throws {
        for form in [ExportForm.plain, ExportForm(layout: .lines, gzipLevel: 9)] {
            let restoration = try items([[.string("k"), value]], form: form)
            try restoration.restore()
            #expect(try restoration.rows("second.store", "Item") == [[.string("k"), value]: 1])
        }
    }

    static let shapes: [(columns: String, options: String, rows: [[Value]])] = [
        ("id INTEGER PRIMARY KEY, a", "", [[.integer(.min), .null], [.integer(7), .string("x")]]),
        ("id INTEGER PRIMARY KEY AUTOINCREMENT, a", "", [[.integer(9), .null]]),
        ("id TEXT PRIMARY KEY, a REAL", "WITHOUT ROWID", [[.string("a"), .real(1)], [.string("B"), .real(0.5)]]),
        (
            "id ANY PRIMARY KEY, a ANY", "STRICT, WITHOUT ROWID",
            [[.real(1), .real(-0.0)], [.string("1"), .integer(1)]]
        ),
        ("id INT, a TEXT NOT NULL", "STRICT", [[.null, .string("")], [.integer(1), .string("é")]]),
        ("id TEXT COLLATE NOCASE, a", "", [[.string("A"), .integer(1)], [.string("a"), .integer(1)]]),
        (
            "\"select\" TEXT, id, \"a\"\"b\", \"c d\", \"é\"", "",
            [[.null, .integer(1), .string("x"), .blob([]), .real(2)]]
        ),
        (
            "id, \"é\", \"e\u{301}\", \"\u{212B}\", \"\u{C5}\"", "",
            [[.integer(1), .integer(2), .integer(3), .integer(4), .integer(5)]]
        ),
        ("id, a DATE, b BOOLEAN", "", [[.string("k"), .string("2026-11-21T06:00:00Z"), .string("yes")]]),
        ("id, a CHECK (a > 0), b DEFAULT 7 UNIQUE", "", [[.integer(1), .integer(1), .null]]),
        ("id, a UNIQUE ON CONFLICT REPLACE", "", [[.integer(1), .integer(1)], [.integer(2), .null]]),
    ]

    @Test("tables of every kind are restored", arguments: shapes.indices)
    func shape(index: Int) throws {
        let shape = Self.shapes[index]
        let restoration = try items(shape.rows, columns: shape.columns, options: shape.options)
        try restoration.restore()
        #expect(try restoration.rows("second.store", "Item") == restoration.rows("first.store", "Item"))
        #expect(try restoration.rows("second.store", "Item").values.reduce(0, +) == shape.rows.count)
        try restoration.export("second.store", to: "second.json")
        #expect(try restoration.folder.bytes(of: "first.json") == restoration.folder.bytes(of: "second.json"))
    }

    @Test("stored generated columns are exported and checked but not restored, and virtual ones are the schema's")
    func generated() throws {
        let schema = """
            CREATE TABLE Item(id TEXT, s TEXT AS (id || '!') STORED, v AS (id || '?') VIRTUAL, a)
            """
        let restoration = try Restoration(Self.item, schema: [schema])
        try restoration.make { try $0.execute("INSERT INTO Item(id, a) VALUES ('k', 1)") }
        try restoration.export()
        let text = try restoration.folder.text(of: "first.json")
        #expect(text.contains(#"{"name": "s", "type": "TEXT", "generated": true}"#))
        #expect(text.contains(#"{"id":"k","s":"k!","a":1}"#))
        try restoration.restore()
        let rows = try SampleStore(restoration.folder["second.store"]).rows("SELECT id, s, v, a FROM Item")
        #expect(rows == [[.string("k"), .string("k!"), .string("k?"), .integer(1)]])
        // With a schema that computes other values, the restored store doesn't match the document.
        let other = try Restoration(Self.item, schema: [schema.replacingOccurrences(of: "'!'", with: "'.'")])
        let error = failure { try other.restore(bytes: restoration.folder.bytes(of: "first.json")) }
        #expect(error?.code == .data && error?.message.contains("would not give the same export again") == true)
        #expect(other.folder.names().isEmpty)
    }

    @Test(
        "a value that its column would change is rejected with record and column",
        arguments: [
            ("INTEGER", Value.string("1")), ("INTEGER", .real(1)), ("NUMERIC", .string(" 1e3 ")), ("REAL", .integer(1)),
            ("REAL", .string(".5")), ("REAL", .real(-0.0)), ("TEXT", .integer(1)), ("TEXT", .real(1.5)),
            ("DATE", .string("7")),
        ])
    func affinity(type: String, value: Value) throws {
        let restoration = try items([[.string("a"), .null], [.string("b"), value]])
        let other = try Restoration(Self.item, schema: ["CREATE TABLE Item(id TEXT, a \(type))"])
        let error = failure { try other.restore(bytes: restoration.folder.bytes(of: "first.json")) }
        #expect(error?.code == .data && error?.stage == .import)
        #expect(error?.message.contains("record 2 of Item") == true && error?.message.contains("'a'") == true)
        #expect(other.folder.names().isEmpty)
    }

    @Test(
        "a record that a constraint rejects is named, and a REPLACE in the schema removes nothing",
        arguments: [
            ("id TEXT, a NOT NULL", "NOT NULL"), ("id TEXT UNIQUE, a", "UNIQUE"),
            ("id TEXT, a CHECK (a IS NOT NULL)", "CHECK"),
            ("id TEXT UNIQUE ON CONFLICT REPLACE, a", "UNIQUE"), ("id TEXT UNIQUE ON CONFLICT IGNORE, a", "UNIQUE"),
            ("id TEXT, a NOT NULL ON CONFLICT REPLACE DEFAULT 5", "NOT NULL"),
        ])
    func constraint(columns: String, what: String) throws {
        let restoration = try items([[.string("k"), .integer(1)], [.string("k"), .null]])
        let other = try Restoration(Self.item, schema: ["CREATE TABLE Item(\(columns))"])
        let error = failure { try other.restore(bytes: restoration.folder.bytes(of: "first.json")) }
        #expect(error?.code == .data && error?.message.contains("of Item can't be restored") == true)
        #expect(error?.underlying?.contains(what) == true, "\(error?.underlying ?? "")")
        #expect(other.folder.names().isEmpty)
    }

    @Test(
        "a document that does not match the schema is rejected before any record",
        arguments: [
            ("CREATE TABLE Other(id)", "no table 'Item'"), ("CREATE TABLE Item(id TEXT)", "no column 'a'"),
            ("CREATE TABLE Item(id TEXT, a, b)", "also has a column 'b'"),
            ("CREATE TABLE Item(id TEXT, a AS (id))", "'a' of 'Item' is generated"),
            ("CREATE VIEW Item AS SELECT 1 AS id, 2 AS a; CREATE TABLE X(y)", "no table 'Item'"),
        ])
    func misfit(sql: String, part: String) throws {
        let restoration = try items([[.string("k"), .integer(1)]])
        let other = try Restoration(Self.item, schema: [sql])
        let error = failure { try other.restore(bytes: restoration.folder.bytes(of: "first.json")) }
        #expect(error?.code == .data && error?.message.contains(part) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("at version 1") == true)
        #expect(other.folder.names().isEmpty)
    }

    @Test("Godwit's and SQLite's own tables are not restored", arguments: ["godwit_run", "sqlite_schema"])
    func ownTables(name: String) throws {
        let restoration = try Restoration(Self.item, schema: ["CREATE TABLE Item(id TEXT, a)"])
        let text = DocumentText {
            $0.description = $0.description.replacingOccurrences(of: "\"Item\"", with: "\"\(name)\"")
            $0.counts = "{\"\(name)\": 1}"
        }
        let error = failure { try restoration.restore(bytes: Array(text.plain.utf8)) }
        #expect(error?.code == .data && error?.message.contains("no table") == true)
    }

    @Test("records that a schema file inserts are replaced by those of the document")
    func seeds() throws {
        let schema = "CREATE TABLE Item(id TEXT UNIQUE, a); INSERT INTO Item VALUES ('seed', 0), ('k', 0)"
        let restoration = try Restoration(Self.item, schema: [schema])
        try restoration.make { try $0.execute("UPDATE Item SET a = 5 WHERE id = 'k'") }
        try restoration.export()
        try restoration.restore()
        #expect(
            try restoration.rows("second.store", "Item") == [
                [.string("seed"), .integer(0)]: 1, [.string("k"), .integer(5)]: 1,
            ])
    }

    @Test("triggers that fill other tables run, and those that change or reject records are held back")
    func triggers() throws {
        let table = "CREATE TABLE Item(id TEXT, a); CREATE TABLE Word(w);"
        let index = "CREATE TRIGGER i AFTER INSERT ON Item BEGIN INSERT INTO Word VALUES (new.id); END;"
        let restoration = try Restoration(Self.item, schema: [table + index])
        try restoration.make { try $0.execute("INSERT INTO Item VALUES ('k', 1)") }
        try restoration.export()
        try restoration.restore()
        #expect(try restoration.rows("second.store", "Word") == [[.string("k")]: 1])
        for body in [
            "UPDATE Item SET a = 7 WHERE id = new.id", "DELETE FROM Item WHERE id = new.id",
            "SELECT RAISE(ABORT, 'no more') WHERE new.a = 1", "INSERT INTO Item VALUES ('more', 2)",
        ] {
            let trigger = "CREATE TRIGGER \"the i\" BEFORE INSERT ON Item BEGIN \(body); END"
            let other = try Restoration(Self.item, schema: [table + index + trigger + ";"])
            let restored = try other.restore(bytes: restoration.folder.bytes(of: "first.json"))
            #expect(restored.heldBack == ["the i"])
            #expect(try other.rows("second.store", "Item") == [[.string("k"), .integer(1)]: 1], "\(body)")
            #expect(try other.rows("second.store", "Word") == [[.string("k")]: 1])
            let text = trigger.replacing("'", with: "''")
            let store = try SampleStore(other.folder["second.store"])
            let kept = try store.integer(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND sql = '\(text)'")
            #expect(kept == 1)
            try store.close()
        }
    }

    @Test("references are restored in any order, and dangling ones stay")
    func references() throws {
        let entities = [Entity(name: "Child", key: "id"), Entity(name: "Parent", key: "id")]
        let restoration = try Restoration(
            entities,
            schema: [
                """
                CREATE TABLE Parent(id TEXT PRIMARY KEY);
                CREATE TABLE Child(id TEXT, parent TEXT REFERENCES Parent(id) ON DELETE CASCADE);
                """
            ])
        try restoration.make { store in
            try store.withForeignKeysUnchecked { () throws(GodwitError) in
                try store.execute("INSERT INTO Child VALUES ('a', 'p'), ('b', 'nowhere'), ('c', NULL)")
                try store.execute("INSERT INTO Parent VALUES ('p')")
            }
        }
        try restoration.export()
        #expect(try restoration.restore().danglingReferences == 1)
        #expect(try restoration.rows("second.store", "Child") == restoration.rows("first.store", "Child"))
    }

    @Test("an older document is restored and checked at its own version, then the later files are applied")
    func older() throws {
        let restoration = try Restoration(
            Self.item,
            schema: [
                "CREATE TABLE Item(id TEXT, a)", "ALTER TABLE Item ADD COLUMN b DEFAULT 5; UPDATE Item SET b = a * 2",
                "ALTER TABLE Item RENAME COLUMN a TO amount",
            ])
        try restoration.make(upTo: 1) { try $0.execute("INSERT INTO Item VALUES ('k', 21)") }
        try restoration.export(migration: 1)
        let restored = try restoration.restore()
        #expect(restored.schema.fromVersion == 1 && restored.schema.toVersion == 3 && restored.schema.created)
        let rows = try SampleStore(restoration.folder["second.store"]).rows("SELECT id, amount, b FROM Item")
        #expect(rows == [[.string("k"), .integer(21), .integer(42)]])
    }

    @Test("a document newer than the manifest is rejected with both numbers")
    func newer() throws {
        let restoration = try Restoration(Self.item, schema: ["CREATE TABLE Item(id TEXT, a)"], schemaVersion: 3)
        try restoration.make()
        try restoration.export(migration: 2)
        let migration = failure { try restoration.restore() }
        #expect(migration?.code == .data)
        #expect(migration?.message.contains("schema version 2,") == true && migration?.message.contains("(1)") == true)
        try restoration.export(to: "next.json", migration: 1, schemaVersion: 4)
        let version = failure { try restoration.restore("next.json") }
        #expect(version?.code == .data)
        #expect(version?.message.contains("schemaVersion 4") == true && version?.message.contains("has 3") == true)
        try restoration.export(to: "zero.json", migration: 0)
        #expect(failure { try restoration.restore("zero.json") }?.code == .data)
        #expect(!restoration.folder.exists("second.store") && restoration.leftovers.isEmpty)
    }

    @Test("indexes are those of the schema files and hold each record, though they are built last")
    func indexes() throws {
        let schema = """
            CREATE TABLE Item(id TEXT, a, n INTEGER);
            CREATE INDEX Item_a ON Item(a); CREATE UNIQUE INDEX Item_n ON Item(n DESC);
            CREATE INDEX Item_both ON Item(a COLLATE NOCASE, id); CREATE INDEX Item_some ON Item(id) WHERE n > 20;
            """
        let restoration = try Restoration(Self.item, schema: [schema])
        try restoration.make { store in
            for number in 1...200 {
                try store.execute(
                    "INSERT INTO Item VALUES (?, ?, ?)",
                    [.string("\(number * 37 % 211)"), .integer(Int64(number % 7)), .integer(Int64(number))])
            }
        }
        try restoration.export()
        try restoration.restore()
        let kept = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
        let (first, second) = (
            try SampleStore(restoration.folder["first.store"]), try SampleStore(restoration.folder["second.store"])
        )
        #expect(try Set(second.rows(kept)) == Set(first.rows(kept)))
        #expect(try second.rows("PRAGMA integrity_check") == [[.string("ok")]])
        for index in ["Item_a", "Item_n", "Item_both"] {
            #expect(try second.rows("SELECT COUNT(a) FROM Item INDEXED BY \(index)") == [[.integer(200)]])
        }
    }

    @Test("columns keep the document's order and spelling, with any schema files")
    func columnOrder() throws {
        let restoration = try Restoration(Self.item, schema: ["CREATE TABLE Item(id TEXT, a, b)"])
        try SampleStore.make(
            restoration.folder["first.store"],
            """
            CREATE TABLE item(B, ID text); ALTER TABLE item ADD COLUMN a;
            INSERT INTO item VALUES (1, 'k', 2), (3, 'k', 1), (1, 'k', 1);
            """)
        try restoration.export()
        try restoration.restore()
        let rows = try SampleStore(restoration.folder["second.store"]).rows("SELECT id, a, b FROM Item ORDER BY rowid")
        #expect(rows.map { $0.map(\.readable) } == [["k", "1", "1"], ["k", "2", "1"], ["k", "1", "3"]])
    }
}
