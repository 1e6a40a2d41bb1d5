import GodwitModel
import GodwitDedupe
import GodwitTestSupport
import Testing

/// Children that refer to another column of their parent than its key, such as its rowid.
struct HeldColumnTests {
    private static let category = Entity(name: "Category", key: "name", modified: ModifiedColumn(column: "at"))
    private static func expense(by: String? = "id") -> Entity {
        Entity(
            name: "Expense", key: "id",
            belongsTo: by.map { [Reference(column: "categoryId", parent: "Category", by: $0)] } ?? [])
    }
    private static let tables = """
        CREATE TABLE Category(id TEXT PRIMARY KEY, name TEXT, at TEXT);
        CREATE TABLE Expense(id TEXT PRIMARY KEY, categoryId TEXT);
        """
    private static let rows = """
        INSERT INTO Category VALUES ('a1', 'Food', '2026-01-01'), ('b1', 'Food', '2026-02-01'), ('a2', 'Rent', '2026-01-01');
        INSERT INTO Expense VALUES ('e1', 'a1'), ('e2', 'b1'), ('e3', 'a2'), ('e4', NULL), ('e5', 'gone');
        """

    @Test("references to other columns follow the winner, and are restored with the duplicate")
    func roundTrip() throws {
        let bench = try DedupeBench([Self.expense(), Self.category], Self.tables + Self.rows)
        let before = try bench.contents()
        let report = try bench.dedupe()
        #expect(report.repointed == 1 && report.unnamedReferences == nil)
        #expect(
            try bench.text("SELECT id, categoryId FROM Expense ORDER BY id")
                == ["e1|b1", "e2|b1", "e3|a2", "e4|NULL", "e5|gone"])
        try bench.undo()
        #expect(try bench.contents() == before)
    }

    private static let types = [
        ("INTEGER PRIMARY KEY", "TEXT"), ("TEXT PRIMARY KEY", "INTEGER"), ("INTEGER PRIMARY KEY", "REAL"),
        ("REAL PRIMARY KEY", "INTEGER"), ("TEXT", "NUMERIC"), ("NUMERIC", "TEXT"), ("INTEGER PRIMARY KEY", ""),
    ]

    @Test("a child's column may have another type than its parent's, and its value is restored", arguments: types)
    func otherType(_ id: String, _ held: String) throws {
        for key in held == "REAL" ? ["", " REFERENCES Category(id)"] : [""] {
            let bench = try DedupeBench(
                [
                    Self.category, Self.expense(),
                    Entity(
                        name: "Bill", key: "id",
                        belongsTo: [Reference(column: "e", parent: "Expense", by: "categoryId")]),
                ],
                """
                CREATE TABLE Category(id \(id), name TEXT, at TEXT);
                CREATE TABLE Expense(id TEXT, categoryId \(held)\(key), PRIMARY KEY(id, categoryId)) WITHOUT ROWID;
                CREATE TABLE Bill(id TEXT, e TEXT);
                INSERT INTO Category VALUES (1, 'Food', '2026-01-01'), (2, 'Food', '2026-02-01'), (3, 'Rent', '2026-01-01');
                INSERT INTO Expense VALUES ('e1', 1), ('e2', 2), ('e3', 3);
                INSERT INTO Bill SELECT id, categoryId FROM Expense;
                """)
            let before = try bench.contents()
            #expect(try bench.dedupe().repointed == 2)
            #expect(try bench.text("SELECT CAST(categoryId AS INTEGER) FROM Expense ORDER BY id") == ["2", "2", "3"])
            #expect(try bench.undo().kept == 0)
            #expect(try bench.contents() == before, "\(id) \(held)")
        }
    }

    @Test("a singleton with such children is restored too", arguments: ["TEXT", "REAL", "NUMERIC"])
    func singletonOfOtherType(_ held: String) throws {
        let one = Entity(name: "Settings", key: "id", modified: ModifiedColumn(column: "at"), singleton: "7")
        let bench = try DedupeBench(
            [one, .color],
            """
            CREATE TABLE Settings(id INTEGER PRIMARY KEY, at TEXT); CREATE TABLE Color(id TEXT, settingsId \(held));
            INSERT INTO Settings VALUES (1, '2026-01-01'), (2, '2026-02-01'); INSERT INTO Color VALUES ('x', 1), ('y', 2);
            """)
        let before = try bench.contents()
        try bench.dedupe()
        #expect(try bench.text("SELECT DISTINCT CAST(settingsId AS INTEGER) FROM Color") == ["7"])
        #expect(try bench.undo().kept == 0)
        #expect(try bench.contents() == before)
        try bench.dedupe(run: "RUN-2")
        // Other records now refer to the winner's fixed key, so it keeps that, and the references stay.
        try bench.execute("INSERT INTO Color VALUES ('new', 7)")
        try bench.undo("RUN-2")
        #expect(try bench.text("SELECT id FROM Settings ORDER BY id") == ["1", "7"])
        #expect(try bench.text("SELECT CAST(settingsId AS INTEGER) FROM Color ORDER BY id") == ["7", "1", "7"])
    }

    @Test("references to references follow through any number of levels, and are restored")
    func dependents() throws {
        let bench = try DedupeBench(
            [
                Self.category,
                Entity(
                    name: "Budget", key: "categoryId",
                    belongsTo: [Reference(column: "categoryId", parent: "Category", by: "id")]),
                Entity(name: "Line", key: "id", belongsTo: [Reference(column: "budget", parent: "Budget")]),
                Entity(name: "Note", key: "id", belongsTo: [Reference(column: "budget", parent: "Line", by: "budget")]),
            ],
            Self.tables + Self.rows + """
                CREATE TABLE Budget(categoryId TEXT, most REAL); CREATE TABLE Line(id TEXT, budget TEXT);
                CREATE TABLE Note(id TEXT, budget TEXT);
                INSERT INTO Budget VALUES ('a1', 100), ('a2', 700);
                INSERT INTO Line VALUES ('l1', 'a1'), ('l2', 'a2'); INSERT INTO Note VALUES ('n1', 'a1'), ('n2', 'a2');
                """)
        let before = try bench.contents()
        try bench.dedupe()
        for table in ["Line", "Note"] {
            #expect(try bench.text("SELECT budget FROM \(table) ORDER BY id") == ["b1", "a2"])
        }
        #expect(try bench.text("SELECT categoryId FROM Budget ORDER BY most") == ["b1", "a2"])
        try bench.undo()
        #expect(try bench.contents() == before)
    }

    @Test("a value that another record also has keeps its children")
    func sharedValue() throws {
        let bench = try DedupeBench(
            [Self.category, Self.expense()],
            """
            CREATE TABLE Category(id TEXT, name TEXT, at TEXT); CREATE TABLE Expense(id TEXT, categoryId TEXT);
            INSERT INTO Category VALUES ('x', 'Food', '2026-01-01'), ('y', 'Food', '2026-02-01'), ('x', 'Rent', NULL);
            INSERT INTO Expense VALUES ('e', 'x');
            """)
        #expect(try bench.dedupe().repointed == 0)
        #expect(try bench.text("SELECT categoryId FROM Expense") == ["x"])
    }

    @Test(
        "a winner without the referred value cannot take over children: the run ends, and nothing changes",
        arguments: ["", " REFERENCES Category(id)"])
    func winnerWithoutValue(_ foreignKey: String) throws {
        let bench = try DedupeBench(
            [Self.category, Self.expense()],
            """
            CREATE TABLE Category(id TEXT UNIQUE, name TEXT, at TEXT);
            CREATE TABLE Expense(id TEXT, categoryId TEXT\(foreignKey));
            INSERT INTO Category VALUES ('x', 'Food', '2026-01-01'), (NULL, 'Food', '2026-02-01');
            INSERT INTO Expense VALUES ('e', 'x');
            """)
        let before = try bench.contents()
        let error = try #require(failure { try bench.dedupe() })
        #expect(error.code == .data && error.message.contains("has no `id`"))
        #expect(try bench.contents() == before)
    }

    @Test("a singleton keeps its row number, so that children by it need no change")
    func singleton() throws {
        let bench = try DedupeBench(
            [
                .settings(),
                Entity(
                    name: "Color", key: "id", belongsTo: [Reference(column: "settings", parent: "Settings", by: "pk")]),
            ],
            """
            CREATE TABLE Settings(pk INTEGER PRIMARY KEY, id TEXT, at TEXT); CREATE TABLE Color(id TEXT, settings);
            INSERT INTO Settings VALUES (1, 'a', '2026-01-01'), (2, 'b', '2026-02-01'); INSERT INTO Color VALUES ('x', 1), ('y', 2);
            """)
        try bench.dedupe()
        #expect(try bench.text("SELECT * FROM Settings") == ["2|singleton|2026-02-01"])
        #expect(try bench.text("SELECT settings FROM Color ORDER BY id") == ["2", "2"])
        try bench.execute("INSERT INTO Color VALUES ('new', 2)")
        try bench.undo()
        #expect(try bench.text("SELECT pk, id FROM Settings ORDER BY pk") == ["1|a", "2|b"])
        #expect(try bench.text("SELECT id, settings FROM Color ORDER BY id") == ["new|2", "x|1", "y|2"])
    }

    @Test(
        "in generated stores, dedupe keeps every record's parent, and undo restores everything",
        arguments: GeneratedCases.numbers(0..<80, few: 16))
    func families(seed: Int) throws {
        var families = RandomFamilies(seed: UInt64(seed))
        let bench = try DedupeBench(
            RandomFamilies.entities, families.schema + families.rows(copies: 3))
        func names() throws -> [String: [String]] {
            var found: [String: [String]] = [:]
            for (table, sql) in RandomFamilies.views { found[table] = try bench.text("\(sql) ORDER BY 1, 2") }
            return found
        }
        let (before, named) = (try bench.contents(), try names())
        let report = try bench.dedupe()
        for (table, rows) in try names() {
            let known = named[table] ?? []
            #expect(rows.allSatisfy(known.contains), "\(table) of \(seed)")
            let removed = report.removed[table] ?? 0
            #expect(rows.count == known.count - removed, "\(table) of \(seed)")
        }
        #expect(report.unnamedReferences == nil)
        #expect(try bench.undo().kept == 0)
        #expect(try bench.contents() == before, "\(seed)")
    }
}
