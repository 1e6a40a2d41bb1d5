import GodwitModel
import GodwitSQLite
import GodwitCopy
import GodwitTestSupport
import Testing

/// A merge into a cloud store that uses other values for parents, or the same values for other parents: children keep
/// their parent.
struct ReferenceTranslationTests {
    private static let category = Entity(name: "Category", key: "name", modified: .init(column: "at"))
    private static func expense(by: String? = "id") -> Entity {
        Entity(
            name: "Expense", key: "id", modified: .init(column: "at"),
            belongsTo: by.map { [.init(column: "categoryId", parent: "Category", by: $0)] } ?? [])
    }
    private static let names =
        "SELECT e.id || ' ' || coalesce(c.name, 'lost') FROM Expense e LEFT JOIN Category c ON c.id = e.categoryId ORDER BY e.id"

    private static func fixture(_ id: String, _ held: String, by: String? = "id") throws -> CopyFixture {
        try CopyFixture(
            [expense(by: by), category],
            schema: """
                CREATE TABLE Category(id \(id), name TEXT, at TEXT); CREATE TABLE Expense(id TEXT, categoryId \(held), at TEXT);
                """)
    }

    @Test(
        "matching parents keep the cloud's value, and a conflicting value is replaced by a new one",
        arguments: [
            ("INTEGER PRIMARY KEY", "INTEGER"), ("INTEGER PRIMARY KEY AUTOINCREMENT", "INTEGER"),
            ("INTEGER", "INTEGER"),
            ("INTEGER PRIMARY KEY", "INTEGER REFERENCES Category(id)"), ("TEXT PRIMARY KEY", "TEXT"), ("TEXT", "TEXT"),
            ("NUMERIC", "TEXT"), ("BLOB", ""),
        ])
    func collisions(id: String, held: String) throws {
        let fixture = try Self.fixture(id, held)
        try fixture.local(
            """
            INSERT INTO Category VALUES (1, 'Food', '2026-01-01'), (2, 'Rent', '2026-03-01'), (3, 'Fuel', '2026-01-01');
            INSERT INTO Expense VALUES ('e1', 1, '2026-01-01'), ('e2', 2, '2026-01-01'), ('e3', 3, '2026-01-01'),
              ('e4', NULL, '2026-01-01');
            """)
        try fixture.cloud(
            """
            INSERT INTO Category VALUES (1, 'Rent', '2026-02-01'), (2, 'Food', '2026-02-01'), (3, 'Toys', '2026-02-01');
            INSERT INTO Expense VALUES ('c1', 1, '2026-01-01'), ('c2', 2, '2026-01-01'), ('c3', 3, '2026-01-01');
            """)
        let before = try fixture.localFingerprint()
        try fixture.copy()
        #expect(
            try fixture.cloudText(Self.names) == "c1 Rent c2 Food c3 Toys e1 Food e2 Rent e3 Fuel e4 lost")
        #expect(try fixture.cloudText("SELECT id FROM Category WHERE name <> 'Fuel' ORDER BY name") == "2 1 3")
        #expect(try fixture.cloudText("SELECT count(DISTINCT id) FROM Category") == "4")
        #expect(try fixture.localFingerprint() == before)
    }

    @Test("a new number is above all numbers in both stores, including dangling references")
    func newNumbers() throws {
        let fixture = try Self.fixture("INTEGER PRIMARY KEY AUTOINCREMENT", "INTEGER")
        try fixture.local(
            "INSERT INTO Category VALUES (1, 'Food', NULL); INSERT INTO Expense VALUES ('lost', 40, NULL);")
        try fixture.cloud(
            "INSERT INTO Category VALUES (1, 'Rent', NULL); UPDATE sqlite_sequence SET seq = 60 WHERE name = 'Category';"
        )
        try fixture.copy(allowsOrphans: true)
        #expect(try fixture.cloudText("SELECT id FROM Category ORDER BY id") == "1 61")
    }

    @Test("a number that the local store has used is not used again")
    func givenNumbers() throws {
        let fixture = try Self.fixture("INTEGER PRIMARY KEY AUTOINCREMENT", "INTEGER")
        try fixture.local(
            "INSERT INTO Category VALUES (1, 'Food', NULL); UPDATE sqlite_sequence SET seq = 100 WHERE name = 'Category';"
        )
        try fixture.cloud("INSERT INTO Category VALUES (1, 'Rent', NULL);")
        try fixture.copy()
        #expect(try fixture.cloudText("SELECT id FROM Category ORDER BY id") == "1 101")
    }

    private static func codes(_ type: String, _ local: String, _ cloud: String) throws -> CopyFixture {
        let fixture = try CopyFixture(
            [
                Entity(name: "Category", key: "name", modified: .init(column: "at")),
                Entity(name: "Expense", key: "id", belongsTo: [.init(column: "code", parent: "Category", by: "code")]),
            ],
            schema:
                "CREATE TABLE Category(name TEXT, code \(type), at TEXT); CREATE TABLE Expense(id TEXT, code \(type));")
        try fixture.local(local)
        try fixture.cloud(cloud)
        return fixture
    }

    @Test(
        "two parents with one number get different numbers, and children follow",
        arguments: ["INTEGER", "REAL", "NUMERIC", ""])
    func sharedNumber(type: String) throws {
        let fixture = try Self.codes(
            type,
            "INSERT INTO Category VALUES ('Rent', 1, '1'), ('Food', 2, '1'); INSERT INTO Expense VALUES ('mine', 2);",
            "INSERT INTO Category VALUES ('Rent', 1, '1'), ('Toys', 2, '1'); INSERT INTO Expense VALUES ('theirs', 2);")
        try fixture.copy()
        let names = "SELECT e.id || ' ' || c.name FROM Expense e JOIN Category c ON c.code = e.code ORDER BY e.id"
        #expect(try fixture.cloudText(names) == "mine Food theirs Toys")
        #expect(try fixture.cloudText("SELECT CAST(code AS INTEGER) FROM Category ORDER BY name") == "3 1 2")
        #expect(try fixture.proveTranslated().allSatisfy(\.holds))
    }

    @Test("a conflicting text value, which has a meaning, ends the copy with the column's name")
    func sharedText() throws {
        let fixture = try Self.codes(
            "TEXT", "INSERT INTO Category VALUES ('Food', 'f', '1');",
            "INSERT INTO Category VALUES ('Fuel', 'f', '1'); INSERT INTO Expense VALUES ('theirs', 'f');")
        let error = try #require(failure { try fixture.copy() })
        #expect(
            error.code == .data && error.message.contains("`Expense` refers to `Category` by `code`"),
            "\(error.message)")
        #expect(error.hint?.contains("`by`") == true)
        #expect(try fixture.cloudText("SELECT name FROM Category") == "Fuel")
    }

    @Test(
        "a value without references, or shared by several parents of one store, stays",
        arguments: [
            ("('Food', 2, '1')", "('Toys', 2, '1')", ""),
            ("('Food', 2, '1'), ('Fuel', 2, '1')", "('Toys', 2, '1')", "INSERT INTO Expense VALUES ('mine', 2);"),
            ("('Food', 2, '1')", "('Toys', 2, '1'), ('Rent', 2, '1')", "INSERT INTO Expense VALUES ('mine', 2);"),
        ])
    func sharedWithin(local: String, cloud: String, child: String) throws {
        let fixture = try Self.codes(
            "INTEGER", "INSERT INTO Category VALUES \(local); \(child)", "INSERT INTO Category VALUES \(cloud);")
        try fixture.copy()
        #expect(try fixture.cloudText("SELECT DISTINCT code FROM Category") == "2")
    }

    @Test("a record without a parent does not get one by accident: it stays an orphan")
    func strays() throws {
        let fixture = try Self.fixture("INTEGER PRIMARY KEY", "INTEGER")
        try fixture.local("INSERT INTO Category VALUES (1, 'Food', NULL); INSERT INTO Expense VALUES ('e', 2, NULL);")
        try fixture.cloud("INSERT INTO Category VALUES (1, 'Food', NULL), (2, 'Rent', NULL);")
        let error = try #require(failure { try fixture.copy() })
        #expect(error.code == .data && error.message.contains("Expense.categoryId"))
        #expect(try fixture.copy(allowsOrphans: true).orphans == ["Expense.categoryId": 1])
    }

    @Test(
        "a column with a meaning follows the winning record, and children of both stores follow it",
        arguments: ["", " REFERENCES Currency(code)", " REFERENCES Currency(code) ON UPDATE CASCADE"])
    func meaningfulColumn(_ foreignKey: String) throws {
        let fixture = try CopyFixture(
            [
                Entity(name: "Currency", key: "id", modified: .init(column: "at")),
                Entity(
                    name: "Price", key: "id", belongsTo: [.init(column: "currency", parent: "Currency", by: "code")]),
                Entity(name: "Tag", key: "id", belongsTo: [.init(column: "price", parent: "Price", by: "currency")]),
            ],
            schema: """
                CREATE TABLE Currency(id TEXT PRIMARY KEY, code TEXT UNIQUE, at TEXT);
                CREATE TABLE Price(id TEXT PRIMARY KEY, currency TEXT\(foreignKey)); CREATE TABLE Tag(id TEXT, price TEXT);
                """)
        try fixture.local(
            """
            INSERT INTO Currency VALUES ('1', 'EUR', '2026-03-01'), ('2', 'USD', '2026-01-01'), ('3', 'YEN', '2026-03-01');
            INSERT INTO Price VALUES ('l1', 'EUR'), ('l2', 'USD'), ('l3', 'YEN');
            """)
        try fixture.cloud(
            """
            INSERT INTO Currency VALUES ('1', 'Euro', '2026-02-01'), ('2', 'Dollar', '2026-02-01'), ('3', 'JPY', '2026-02-01'),
              ('4', 'YEN', '2026-02-01');
            INSERT INTO Price VALUES ('c1', 'Euro'), ('c2', 'Dollar'), ('c3', 'JPY'), ('c4', 'YEN'); INSERT INTO Tag VALUES ('t', 'Euro');
            """)
        try fixture.copy()
        #expect(
            try fixture.cloudText(
                "SELECT p.id || c.id FROM Price p LEFT JOIN Currency c ON c.code = p.currency ORDER BY p.id")
                == "c11 c22 c33 c44 l11 l22 l33")
        // In the cloud, the third code is the fourth record's, and stays so.
        #expect(try fixture.cloudText("SELECT code FROM Currency ORDER BY id") == "EUR Dollar JPY YEN")
        #expect(try fixture.cloudText("SELECT price FROM Tag") == "EUR")
        #expect(
            try fixture.cloudText("SELECT oldValue || newValue || reason FROM godwit_changed ORDER BY entity")
                == "EuroEURreplaced:parent EuroEURreplaced:parent")
        #expect(try fixture.proveTranslated().allSatisfy(\.holds))
    }

    @Test("unnamed references are reported, in either store", arguments: [true, false])
    func unnamed(isLocalNewer: Bool) throws {
        let fixture = try Self.fixture("TEXT PRIMARY KEY", "TEXT", by: nil)
        let (mine, theirs) = isLocalNewer ? ("2026-02-01", "2026-01-01") : ("2026-01-01", "2026-02-01")
        try fixture.local(
            "INSERT INTO Category VALUES ('a', 'Food', '\(mine)'); INSERT INTO Expense VALUES ('e', \(isLocalNewer ? "NULL" : "'a'"), NULL);"
        )
        try fixture.cloud(
            "INSERT INTO Category VALUES ('b', 'Food', '\(theirs)'); INSERT INTO Expense VALUES ('c', 'b', NULL);")
        #expect(
            try fixture.copy().unnamedReferences
                == [UnnamedReference(entity: "Expense", column: "categoryId", parent: "Category", by: "id")])
    }

    @Test("nothing is unnamed if both stores give all parents equal values")
    func alike() throws {
        let rows = "INSERT INTO Category VALUES ('a', 'Food', NULL); INSERT INTO Expense VALUES ('e', 'a', NULL);"
        for by in ["id", nil] {
            let fixture = try Self.fixture("TEXT PRIMARY KEY", "TEXT", by: by)
            try fixture.local(rows)
            try fixture.cloud(rows)
            #expect(try fixture.copy().unnamedReferences == nil)
            #expect(try fixture.isTranslated == false)
        }
    }

    @Test(
        "in generated stores, every merged record refers to the winner of its former parent",
        arguments: GeneratedCases.numbers(0..<48, few: 8), ConflictRule.allCases)
    func families(seed: Int, rule: ConflictRule) throws {
        var families = RandomFamilies(seed: UInt64(seed))
        let entities = RandomFamilies.entities.map {
            Entity(name: $0.name, key: $0.key, modified: $0.modified, belongsTo: $0.belongsTo, conflict: rule)
        }
        let fixture = try CopyFixture(entities, schema: families.schema)
        try fixture.local(families.rows(copies: 1))
        try fixture.cloud(families.rows(copies: 1))
        var expected: [String: [String: [String]]] = [:]
        for (table, sql) in RandomFamilies.views {
            let local = try fixture.localRows(sql).map { $0.map(\.readable) }
            var records = Dictionary(
                uniqueKeysWithValues: try fixture.cloudRows(sql).map { ($0[0].readable, $0.map(\.readable)) })
            for record in local {
                guard let other = records[record[0]] else {
                    records[record[0]] = record
                    continue
                }
                let decision = MergeDecision.decide(
                    local: Instant(iso8601: record[1]), cloud: Instant(iso8601: other[1]), rule: rule)
                if case .update = decision { records[record[0]] = record }
            }
            expected[table] = records
        }
        try fixture.copy(allowsOrphans: true)
        for (table, sql) in RandomFamilies.views {
            let found = Dictionary(
                uniqueKeysWithValues: try fixture.cloudRows(sql).map { ($0[0].readable, $0.map(\.readable)) })
            #expect(found == expected[table], "\(table) of \(seed)")
        }
        for table in ["Area", "Category"] {
            #expect(try fixture.cloudText("SELECT count(*) - count(DISTINCT id) FROM \(table)") == "0")
        }
        // The proof finds every merged record.
        #expect(try fixture.proveTranslated().allSatisfy(\.holds), "\(seed)")
    }
}

extension CopyFixture {
    fileprivate var isTranslated: Bool {
        get throws { try translated { $0 != nil } }
    }

    fileprivate func proveTranslated() throws -> [CopyProof.Finding] {
        let local = try StoreSnapshot(of: localPath, name: "L.store", stage: .copy, context: .sample())
        let cloud = try StoreSnapshot(of: cloudPath, name: "C.store", stage: .copy, context: .sample())
        return try translated { made throws(GodwitError) in
            try CopyProof(manifest: manifest, context: .sample()).compare(
                made ?? local.connection, with: cloud.connection)
        }
    }

    private func translated<R>(_ body: (SQLiteConnection?) throws(GodwitError) -> R) throws -> R {
        let local = try StoreSnapshot(of: localPath, name: "L.store", stage: .copy, context: .sample())
        let cloud = try StoreSnapshot(of: cloudPath, name: "C.store", stage: .copy, context: .sample())
        let translation = ReferenceTranslation(manifest: manifest, context: .sample())
        return try body(translation.translated(local.connection, to: cloud.connection))
    }
}
