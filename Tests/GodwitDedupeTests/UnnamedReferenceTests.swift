import GodwitModel
import GodwitDedupe
import GodwitTestSupport
import Testing

/// Columns with primary keys of removed records that are not declared as references.
struct UnnamedReferenceTests {
    private static let category = Entity(name: "Category", key: "name", modified: ModifiedColumn(column: "at"))
    private static let expense = Entity(name: "Expense", key: "id", modified: ModifiedColumn(column: "at"))
    private static let found = [
        UnnamedReference(entity: "Expense", column: "categoryId", parent: "Category", by: "id")
    ]

    private func bench(
        _ id: String, held: String, expense: Entity = expense, values: [String], _ foreignKey: String = ""
    ) throws -> DedupeBench {
        let (one, two, three) = (values[0], values[1], values[2])
        return try DedupeBench(
            [Self.category, expense],
            """
            CREATE TABLE Category(id \(id), name TEXT, at TEXT);
            CREATE TABLE Expense(id TEXT, categoryId \(held)\(foreignKey), amount REAL, at TEXT);
            INSERT INTO Category VALUES (\(one), 'Food', '2026-01-01'), (\(two), 'Food', '2026-02-01'),
              (\(three), 'Rent', '2026-01-01');
            INSERT INTO Expense VALUES ('e1', \(values[3]), 5.5, '2026-01-01'), ('e2', \(values[4]), 7.5, '2026-01-01');
            """)
    }

    @Test(
        "unnamed references of any type are reported",
        arguments: [
            ("TEXT PRIMARY KEY", "TEXT", ["'a'", "'b'", "'c'", "'a'", "'c'"]),
            ("INTEGER PRIMARY KEY", "INTEGER", ["1", "2", "3", "1", "NULL"]),
            ("INTEGER PRIMARY KEY", "TEXT", ["1", "2", "3", "'1'", "'3'"]),
            ("TEXT PRIMARY KEY", "INTEGER", ["'1'", "'2'", "'3'", "1", "2"]),
            ("BLOB PRIMARY KEY", "BLOB", ["x'01'", "x'02'", "x'03'", "x'01'", "x'01'"]),
            ("TEXT", "TEXT", ["'a'", "'b'", "'c'", "'a'", "'c'"]),
        ])
    func found(id: String, held: String, values: [String]) throws {
        let report = try bench(id, held: held, values: values).dedupe()
        #expect(report.unnamedReferences == Self.found)
    }

    @Test(
        "a column with other values, or without a removed record's key, is not an unnamed reference",
        arguments: [
            ["'a'", "'b'", "'c'", "'b'", "'c'"], ["'a'", "'b'", "'c'", "'a'", "'else'"],
            ["'a'", "'b'", "'c'", "NULL", "NULL"], ["'a'", "'b'", "'c'", "'else'", "'c'"],
        ])
    func otherValues(values: [String]) throws {
        #expect(try bench("TEXT PRIMARY KEY", held: "TEXT", values: values).dedupe().unnamedReferences == nil)
    }

    @Test("a named reference, and row numbers of the other table, are not unnamed references")
    func named() throws {
        let values = ["'a'", "'b'", "'c'", "'a'", "'c'"]
        let expense = Entity(
            name: "Expense", key: "id", belongsTo: [Reference(column: "categoryId", parent: "Category", by: "id")])
        let byManifest = try bench("TEXT PRIMARY KEY", held: "TEXT", expense: expense, values: values)
        #expect(try byManifest.dedupe().unnamedReferences == nil)
        let byKey = try bench("TEXT PRIMARY KEY", held: "TEXT", values: values, " REFERENCES Category(id)")
        #expect(try byKey.dedupe().unnamedReferences == nil)
        let numbers = try DedupeBench(
            [Self.category, Entity(name: "Place", key: "pk")],
            """
            CREATE TABLE Category(id INTEGER PRIMARY KEY, name TEXT, at TEXT); CREATE TABLE Place(pk INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO Category VALUES (1, 'Food', '2026-01-01'), (2, 'Food', '2026-02-01'); INSERT INTO Place VALUES (1, 'x'), (2, 'y');
            """)
        #expect(try numbers.dedupe().unnamedReferences == nil)
    }

    @Test("tables that are not entities are searched too, except tables of a full-text index or a migrator")
    func otherTable() throws {
        let values = """
            INSERT INTO Category VALUES (1, 'Food', '2026-01-01'), (2, 'Food', '2026-02-01'); INSERT INTO Line VALUES ('x', 1);
            INSERT INTO Search(docid, body) VALUES (1, '1'); INSERT INTO knex_migrations VALUES (7, '1', 1);
            """
        let bench = try DedupeBench(
            [Self.category],
            """
            CREATE TABLE Category(id INTEGER PRIMARY KEY, name TEXT, at TEXT);
            CREATE TABLE Line(id TEXT PRIMARY KEY, category INTEGER); CREATE VIRTUAL TABLE Search USING fts4(body);
            CREATE TABLE knex_migrations(id INTEGER PRIMARY KEY, name TEXT, batch INTEGER);
            """ + values)
        #expect(
            try bench.dedupe().unnamedReferences
                == [UnnamedReference(entity: "Line", column: "category", parent: "Category", by: "id")])
    }

    @Test("a column that identifies its own records is not an unnamed reference", arguments: ["TEXT", "INTEGER"])
    func ownKey(_ type: String) throws {
        let bench = try DedupeBench(
            [Self.category, Entity(name: "Place", key: "number")],
            """
            CREATE TABLE Category(id INTEGER PRIMARY KEY, name TEXT, at TEXT); CREATE TABLE Place(number \(type), name TEXT);
            CREATE TABLE Seat(id TEXT PRIMARY KEY);
            INSERT INTO Category VALUES (1, 'Food', '2026-01-01'), (2, 'Food', '2026-02-01');
            INSERT INTO Place VALUES (1, 'x'), (2, 'y'); INSERT INTO Seat VALUES ('1'), ('2');
            """)
        #expect(try bench.dedupe().unnamedReferences == nil)
    }

    @Test("a column of a singleton is not an unnamed reference: its one value may be equal to a row number by chance")
    func setting() throws {
        let bench = try DedupeBench(
            [Self.category, .settings()],
            """
            CREATE TABLE Category(id INTEGER PRIMARY KEY, name TEXT, at TEXT);
            CREATE TABLE Settings(id TEXT PRIMARY KEY, days INTEGER, at TEXT);
            INSERT INTO Category VALUES (3, 'Food', '2026-01-01'), (4, 'Food', '2026-02-01');
            INSERT INTO Settings VALUES ('singleton', 3, '2026-01-01');
            """)
        #expect(try bench.dedupe().unnamedReferences == nil)
    }

    @Test("a tree inside one table is found, and the old key of a singleton that gets its fixed key")
    func ownTableAndSingleton() throws {
        let tree = try DedupeBench(
            [Self.category],
            """
            CREATE TABLE Category(id INTEGER PRIMARY KEY, name TEXT, parentId INTEGER, at TEXT);
            INSERT INTO Category VALUES (1, 'Food', NULL, '2026-01-01'), (2, 'Food', NULL, '2026-02-01'), (3, 'Fruit', 1, NULL);
            """)
        #expect(
            try tree.dedupe().unnamedReferences
                == [UnnamedReference(entity: "Category", column: "parentId", parent: "Category", by: "id")])
        let singleton = try DedupeBench(
            [.settings(), Entity(name: "Color", key: "name")],
            """
            CREATE TABLE Settings(id TEXT PRIMARY KEY, at TEXT); CREATE TABLE Color(name TEXT, owner TEXT);
            INSERT INTO Settings VALUES ('old', '2026-01-01'); INSERT INTO Color VALUES ('red', 'old');
            """)
        #expect(
            try singleton.dedupe().unnamedReferences
                == [UnnamedReference(entity: "Color", column: "owner", parent: "Settings", by: "id")])
    }
}
