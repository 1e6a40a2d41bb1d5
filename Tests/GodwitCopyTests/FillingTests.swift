import GodwitModel
import GodwitSQLite
import GodwitCopy
import GodwitTestSupport
import Synchronization
import Testing

/// All ways to fill an empty table give the same result.
struct FillingTests {
    /// The tables of the two stores; the columns are id, title, amount and updatedAt.
    struct Layout: Sendable, CustomTestStringConvertible {
        let name: String
        var local = plain
        var cloud = plain
        /// The encodings of the two stores.
        var encodings = ("UTF-8", "UTF-8")
        /// Whether rows keep their rowids.
        var keepsRowids = true
        var hasTextKeys = true
        var hasDistinctTitles = false
        /// Whether titles and amounts may have any type.
        var hasAnyValues = true

        var testDescription: String { name }

        static let plain = "CREATE TABLE Item(id TEXT, title, amount, updatedAt); CREATE INDEX Item_id ON Item(id);"
    }

    private static func both(_ name: String, _ schema: String, _ change: (inout Layout) -> Void = { _ in }) -> Layout {
        var layout = Layout(name: name, local: schema, cloud: schema)
        change(&layout)
        return layout
    }

    private static func cloud(_ name: String, _ schema: String, _ change: (inout Layout) -> Void = { _ in }) -> Layout {
        var layout = Layout(name: name, cloud: schema)
        change(&layout)
        return layout
    }

    static let layouts: [Layout] = [
        both("the same", Layout.plain),
        both("no index at all", "CREATE TABLE Item(id TEXT, title, amount, updatedAt)"),
        both("indexes of all kinds", Layout.plain + "CREATE INDEX b ON Item(title DESC, amount COLLATE NOCASE)"),
        cloud("other order of columns", "CREATE TABLE Item(updatedAt, amount, title, id TEXT)"),
        cloud("other types", "CREATE TABLE Item(id TEXT, title BLOB, amount BLOB, updatedAt)"),
        cloud("other names", "CREATE TABLE item(ID TEXT, Title, AMOUNT, updatedat)"),
        cloud("one more index", Layout.plain + "CREATE INDEX more ON Item(updatedAt)"),
        cloud("one index less", "CREATE TABLE Item(id TEXT, title, amount, updatedAt)"),
        cloud("another index", "CREATE TABLE Item(id TEXT, title, amount, updatedAt); CREATE INDEX i ON Item(id DESC)"),
        both("a partial index", Layout.plain + "CREATE INDEX p ON Item(amount) WHERE title IS NOT NULL"),
        both("an index of an expression", Layout.plain + "CREATE INDEX e ON Item(typeof(amount))"),
        both("WITHOUT ROWID", "CREATE TABLE Item(id TEXT PRIMARY KEY, title, amount, updatedAt) WITHOUT ROWID") {
            $0.keepsRowids = false
        },
        cloud(
            "WITHOUT ROWID only in the cloud",
            "CREATE TABLE Item(id TEXT PRIMARY KEY, title, amount, updatedAt) WITHOUT ROWID"
        ) { $0.keepsRowids = false },
        both("a primary key of text", "CREATE TABLE Item(id TEXT PRIMARY KEY, title, amount, updatedAt)"),
        both("a rowid with a name", "CREATE TABLE Item(id INTEGER PRIMARY KEY, title, amount, updatedAt)") {
            $0.hasTextKeys = false
        },
        both("AUTOINCREMENT", "CREATE TABLE Item(id INTEGER PRIMARY KEY AUTOINCREMENT, title, amount, updatedAt)") {
            $0.hasTextKeys = false
        },
        Layout(
            name: "a named rowid only in the cloud", local: "CREATE TABLE Item(id INTEGER, title, amount, updatedAt)",
            cloud: "CREATE TABLE Item(id INTEGER PRIMARY KEY, title, amount, updatedAt)", keepsRowids: false,
            hasTextKeys: false),
        both("a unique title", "CREATE TABLE Item(id TEXT, title UNIQUE, amount, updatedAt)") {
            $0.hasDistinctTitles = true
        },
        both("STRICT", "CREATE TABLE Item(id TEXT, title ANY, amount ANY, updatedAt ANY) STRICT"),
        both("a CHECK", "CREATE TABLE Item(id TEXT CHECK (id <> ''), title, amount, updatedAt CHECK (1))"),
        both(
            "a generated column",
            "CREATE TABLE Item(id TEXT, t AS (title || '!') VIRTUAL, title, u AS (1) STORED, amount, updatedAt)"),
        both(
            "a foreign key",
            "CREATE TABLE Item(id TEXT PRIMARY KEY, title, amount, updatedAt, before TEXT REFERENCES Item(id))"),
        both(
            "a trigger that notes",
            Layout.plain + "CREATE TABLE Note(x); CREATE TRIGGER t AFTER INSERT ON Item BEGIN "
                + "INSERT INTO Note VALUES (new.id); END;"),
        both("a column called rowid", "CREATE TABLE Item(id TEXT, title, amount, updatedAt, rowid, _rowid_)"),
        both("UTF-16", Layout.plain) { $0.encodings = ("UTF-16le", "UTF-16le") },
        both("UTF-16 only in the local store", Layout.plain) { $0.encodings = ("UTF-16be", "UTF-8") },
        both("UTF-16 only in the cloud", Layout.plain) {
            $0.encodings = ("UTF-8", "UTF-16le")
        },
    ]

    @Test(
        "every record is copied unchanged into a new and into an empty store, and verified", arguments: layouts)
    func fills(layout: Layout) throws {
        for seed in UInt64(0)..<4 {
            let isNew = seed % 2 == 0
            if isNew, layout.encodings.1 != "UTF-8" { continue }
            let fixture = try CopyFixture(
                [Entity(name: "Item", key: "id", modified: .init(column: "updatedAt"))], schema: layout.cloud)
            let count = try fill(fixture, layout, seed: seed, journal: seed < 2 ? "DELETE" : "WAL")
            if !isNew { try fixture.cloud(encoding: layout.encodings.1).close() }
            let before = try fixture.localFingerprint()
            let copied = try #require(try fixture.copy().entities.first)
            #expect(copied.inserted == count && copied.cloudAfter == count && copied.local == count)
            #expect(try fixture.localFingerprint() == before)
            let rows = "SELECT id, title, amount, updatedAt FROM Item ORDER BY updatedAt"
            #expect(try fixture.cloudRows(rows) == fixture.localRows(rows))
            let zeros = "SELECT count(*) FROM Item WHERE godwit_is_negative_zero(amount)"
            #expect(try fixture.cloudRows(zeros) == fixture.localRows(zeros))
            let finding = try #require(try fixture.prove().first)
            #expect(finding.holds && finding.equal == count && finding.onlyCloud == 0)
            if layout.keepsRowids {
                let numbers = "SELECT oid, id FROM Item ORDER BY oid"
                #expect(try fixture.cloudRows(numbers) == fixture.localRows(numbers))
            }
        }
    }

    /// Inserts random records with random rowids; returns their number.
    private func fill(_ fixture: CopyFixture, _ layout: Layout, seed: UInt64, journal: String) throws -> Int64 {
        var generator = SeededGenerator(seed: seed)
        let store = try SampleStore(
            fixture.localPath, journal: journal, encoding: layout.encodings.0, layout.local + ";BEGIN;")
        let texts = ["a", "A", "b ", "é", "e\u{301}", "日本", "😀", "10"]
        let values: [Value] = [
            .null, .integer(0), .integer(.min), .real(-0.0), .real(0.5), .real(1e300), .blob([]), .blob([0, 255]),
            .string(""), .string("a"), .string(String(repeating: "long ", count: 2000)),
        ]
        let count = Int64(seed == 3 ? 0 : 400)
        for number in (0..<count).shuffled(using: &generator) {
            let text = (texts.randomElement(using: &generator) ?? "") + "\(number)"
            let key: Value = layout.hasTextKeys ? .string(text) : .integer(number * 3 - 50)
            let title = layout.hasDistinctTitles ? .integer(number) : values.randomElement(using: &generator) ?? .null
            try store.execute(
                "INSERT INTO Item(id, title, amount, updatedAt) VALUES (?, ?, ?, ?)",
                [key, title, values.randomElement(using: &generator) ?? .null, .integer(number)])
        }
        // Rowids with gaps show whether a row kept its rowid or got a new one.
        try store.execute("DELETE FROM Item WHERE updatedAt % 7 = 3")
        try store.execute("UPDATE Item SET amount = amount || char(0) || 'z' WHERE typeof(amount) = 'text'")
        if layout.hasTextKeys { try store.execute("UPDATE Item SET id = id || char(0, 65) WHERE updatedAt % 5 = 1") }
        try store.execute("COMMIT")
        let left = try store.rows("SELECT count(*) FROM Item")[0][0]
        try store.close()
        guard case .integer(let number) = left else { return -1 }
        return number
    }

    @Test("a record without a later column gets the default of its own store")
    func laterColumn() throws {
        for (mine, theirs) in [("'mine'", "'theirs'"), ("'same'", "'same'")] {
            let start = "CREATE TABLE Item(id TEXT, title, amount, updatedAt);"
            let fixture = try CopyFixture(
                [Entity(name: "Item", key: "id")], schema: start + "ALTER TABLE Item ADD COLUMN more DEFAULT \(theirs);"
            )
            try SampleStore.make(
                fixture.localPath,
                start + "INSERT INTO Item VALUES ('a', 1, 1, 1); ALTER TABLE Item ADD COLUMN more DEFAULT \(mine);")
            try fixture.copy()
            #expect(try fixture.cloudText("SELECT more FROM Item") == mine.filter { $0 != "'" })
        }
    }

    @Test("a CHECK that the source breaks gives 65 in the new store, with the record's store")
    func brokenCheck() throws {
        let schema = "CREATE TABLE Item(id TEXT, title, amount CHECK (amount > 0), updatedAt);"
        let fixture = try CopyFixture([Entity(name: "Item", key: "id")], schema: schema)
        try SampleStore.make(
            fixture.localPath,
            schema + "PRAGMA ignore_check_constraints=ON; INSERT INTO Item VALUES ('a', 1, 5, 1), ('b', 1, -5, 1);")
        let error = failure { try fixture.copy() }
        #expect(error?.code == .data && error?.underlying?.contains("CHECK constraint failed") == true)
        #expect(fixture.cloudNames == [])
    }

    @Test(
        "a conflict clause that drops or replaces records is found",
        arguments: ["IGNORE", "REPLACE", "FAIL", "ROLLBACK"])
    func conflictClause(clause: String) throws {
        let fixture = try CopyFixture(
            [Entity(name: "Item", key: "id")],
            schema: "CREATE TABLE Item(id TEXT, title UNIQUE ON CONFLICT \(clause), amount, updatedAt);")
        try SampleStore.make(
            fixture.localPath,
            Layout.plain + "INSERT INTO Item VALUES ('a', 1, 1, 1), ('b', 1, 2, 2), ('c', 3, 3, 3);")
        #expect(failure { try fixture.copy() }?.code == .data)
        #expect(fixture.cloudNames == [])
    }

    /// Children listed before their parents in the manifest, without a reference to them.
    private static func childrenFirst() throws -> CopyFixture {
        try CopyFixture(
            [Entity(name: "ExerciseSet", key: "id"), Entity(name: "Workout", key: "id")],
            schema: """
                CREATE TABLE Workout(id TEXT PRIMARY KEY);
                CREATE TABLE ExerciseSet(id TEXT PRIMARY KEY, workoutId TEXT REFERENCES Workout(id));
                """)
    }

    @Test("children listed before their parents are copied with them", arguments: [true, false])
    func childrenAhead(isNew: Bool) throws {
        let fixture = try Self.childrenFirst()
        try fixture.local("INSERT INTO Workout VALUES ('w'), ('v'); INSERT INTO ExerciseSet VALUES ('s', 'w')").close()
        if !isNew { try fixture.cloud().close() }
        let copied = try fixture.copy().entities
        #expect(copied.map(\.name) == ["ExerciseSet", "Workout"], "reports keep the manifest's order")
        #expect(copied.map(\.inserted) == [1, 2])
        #expect(try fixture.cloudText("SELECT id FROM Workout ORDER BY id") == "v w")
        #expect(try fixture.cloudText("SELECT workoutId FROM ExerciseSet") == "w")
    }

    @Test("a table with records that wait for an entity's records does not prevent a copy")
    func childrenWaiting() throws {
        let fixture = try CopyFixture(
            [Entity(name: "Kind", key: "id")],
            schema: """
                CREATE TABLE Kind(id TEXT PRIMARY KEY, name TEXT);
                CREATE TABLE Label(id TEXT PRIMARY KEY, kind TEXT REFERENCES Kind(id));
                INSERT INTO Kind VALUES ('a', 'of the schema file');
                INSERT INTO Label VALUES ('l', 'a');
                """)
        try fixture.local("UPDATE Kind SET name = 'mine'").close()
        try fixture.copy()
        #expect(try fixture.cloudText("SELECT name FROM Kind") == "mine")
        #expect(try fixture.cloudRows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test("a path with URI characters is opened unchanged, and no file is made next to it")
    func strangePath() throws {
        let folder = try TemporaryFolder()
        let name = "a?mode=rw&cache=shared#%41 é'\"%.store"
        let store = try SampleStore(folder[name], Layout.plain + "INSERT INTO Item VALUES ('a', 1, 1, 1);")
        try store.close()
        let context = RunContext.sample()
        let source = try StoreSnapshot(of: folder[name], name: name, stage: .copy, context: context)
        let writer = try StoreWriter(
            creatingTemporary: folder[".godwit-12345678"], name: "new", stage: .copy, context: context)
        try writer.transaction(.copy) { target throws(GodwitError) in
            #expect(try target.attach(source.connection))
            #expect(try target.attach(source.connection), "once is enough")
            #expect(try target.first("SELECT id FROM \(SQLiteConnection.source).Item") == .string("a"))
            let error = failure { try target.execute("DELETE FROM \(SQLiteConnection.source).Item") }
            #expect(error?.code == .permission)
        }
        try writer.close(.copy)
        #expect(folder.names() == [".godwit-12345678", name])
    }

    @Test("an in-memory store cannot be attached as a source")
    func inMemory() throws {
        let memory = try MemoryStore(stage: .copy)
        let other = try MemoryStore(stage: .copy)
        #expect(try !other.connection.attach(memory.connection))
    }
}
