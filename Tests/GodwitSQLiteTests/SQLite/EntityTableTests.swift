import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

struct EntityTableTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let note = Entity(name: "Note", key: "id", modified: ModifiedColumn(column: "updatedAt"))

    private func open(_ sql: String, encoding: String? = nil) throws -> StoreSnapshot {
        try SampleStore.make(folder["a.store"], encoding: encoding, sql)
        return try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .copy, context: .sample())
    }

    private func table(_ sql: String, _ entity: Entity? = nil) throws -> EntityTable {
        let snapshot = try open(sql)
        return try snapshot.connection.table(for: entity ?? note, in: snapshot.connection.readShape())
    }

    @Test("columns have the table's order, key and date their indexes, and names compare as in SQLite")
    func places() throws {
        let table = try table("CREATE TABLE note(UPDATEDAT TEXT, b, ID TEXT, a, g AS (a) VIRTUAL)")
        #expect(table.columns == ["UPDATEDAT", "b", "ID", "a"])
        #expect(table.keyIndex == 2)
        #expect(table.modifiedIndex == 0)
        #expect(table.comparisonOrder.map { table.columns[$0] } == ["ID", "UPDATEDAT", "a", "b"])
        #expect(table.columnList == #""UPDATEDAT", "b", "ID", "a""#)
        #expect(table.placeholders == "?, ?, ?, ?")
    }

    @Test("two normalizations of one letter are two columns, as in SQLite", arguments: ["\u{E9}", "e\u{301}"])
    func spellings(_ key: String) throws {
        let table = try table("CREATE TABLE Note(\u{E9}, e\u{301}, updatedAt)", Entity(name: "Note", key: key))
        #expect(table.columns[table.keyIndex].utf8.elementsEqual(key.utf8))
    }

    @Test("a missing table and a missing column are named with a hint: 65")
    func missing() throws {
        let table = failure { _ = try self.table("CREATE TABLE Other(id)") }
        #expect(table?.code == .data)
        #expect(table?.message == "`a.store` has no table 'Note'")
        #expect(table?.hint?.contains("`Migration.run()`") == true)
        try folder.remove("a.store")
        let column = failure { _ = try self.table("CREATE TABLE Note(id, g AS (id))") }
        #expect(column?.message == "table 'Note' of `a.store` has no stored column 'updatedAt'")
        try folder.remove("a.store")
        let generated = failure { _ = try self.table("CREATE TABLE Note(id, updatedAt AS (id))") }
        #expect(generated?.message.contains("no stored column 'updatedAt'") == true)
    }

    @Test(
        "a row is identified by a rowid name that no column has, or by the primary key",
        arguments: [
            ("CREATE TABLE Note(id, updatedAt)", ["_rowid_"]),
            ("CREATE TABLE Note(id, updatedAt, _ROWID_)", ["rowid"]),
            ("CREATE TABLE Note(id, updatedAt, _rowid_, rowid)", ["oid"]),
            (
                "CREATE TABLE Note(id, updatedAt, PRIMARY KEY (updatedAt, id)) WITHOUT ROWID",
                [#""id""#, #""updatedAt""#]
            ),
        ])
    func identity(sql: String, identity: [String]) throws {
        #expect(try table(sql).identity == identity)
    }

    @Test("a table with three columns that hide its rowid gives 65")
    func hiddenRowid() throws {
        let error = failure { _ = try table("CREATE TABLE Note(id, updatedAt, _rowid_, rowid, oid)") }
        #expect(error?.code == .data)
        #expect(error?.message.contains("Note") == true)
    }

    @Test("the condition finds exactly the named row")
    func identityCondition() throws {
        let table = try table(
            """
            CREATE TABLE Note(id TEXT COLLATE NOCASE, updatedAt, PRIMARY KEY (id, updatedAt)) WITHOUT ROWID;
            INSERT INTO Note VALUES ('a', 1), ('B', 1), ('a', 2)
            """)
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a", stage: .copy, context: .sample())
        let sql = "SELECT count(*) FROM Note WHERE \(table.identityCondition)"
        #expect(try snapshot.connection.first(sql, [.string("a"), .integer(1)]) == .integer(1))
        #expect(try snapshot.connection.first(sql, [.string("A"), .integer(1)]) == .integer(0))
    }

    @Test(
        "records are sorted by their keys as values, in any collation and encoding",
        arguments: [nil, "UTF-16le", "UTF-16be"])
    func keyOrder(encoding: String?) throws {
        let snapshot = try open(
            """
            CREATE TABLE Note(id COLLATE NOCASE, updatedAt);
            INSERT INTO Note(id) VALUES ('b'), ('A'), ('a'), ('B'), ('é'), ('z'), ('\u{FF5E}'), ('\u{1F426}'), (''),
              ('Ā'), ('ā'), ('a\u{100}'), ('ab'), (10), (9), (1.0), (1), (-2.5), (x'61'), (x''), (9007199254740993),
              (9007199254740992.0)
            """, encoding: encoding)
        let table = try snapshot.connection.table(for: note, in: snapshot.connection.readShape())
        let keys = try snapshot.connection.rows(table.selectInKeyOrder).map { $0[table.keyIndex] }
        #expect(keys.count == 22)
        #expect(keys == keys.sorted())
    }

    @Test(
        "records are sorted by their keys, with any declared type",
        arguments: ["TEXT", "VARCHAR(36)", "CLOB", "CHARINT", "INTEGER", "REAL", "NUMERIC", "BLOB", "UUID"])
    func declaredKeys(type: String) throws {
        let snapshot = try open(
            """
            CREATE TABLE Note(id \(type), updatedAt); CREATE INDEX NoteId ON Note(id);
            INSERT INTO Note(id) VALUES (1.0), (1), ('1'), ('1.0'), (2.5), (10), (9), ('b'), ('a'), ('B'), (x'61'), (-1)
            """)
        let table = try snapshot.connection.table(for: note, in: snapshot.connection.readShape())
        let keys = try snapshot.connection.rows(table.selectInKeyOrder).map { $0[table.keyIndex] }
        #expect(keys.count == 12)
        #expect(keys == keys.sorted())
    }

    @Test(
        "a sound index of text keys gives their whole order without sorting, and an unchecked one is not read",
        arguments: [("TEXT", false), ("VARCHAR(36)", false), ("INTEGER", true), ("UUID", true)])
    func sortedByIndex(type: String, isSorted: Bool) throws {
        let snapshot = try open("CREATE TABLE Note(id \(type), updatedAt); CREATE INDEX NoteId ON Note(id);")
        func plan() throws -> [String] {
            let table = try snapshot.connection.table(for: note, in: snapshot.connection.readShape())
            let select = try #require(table.selectKeysInOrder)
            return try snapshot.connection.rows("EXPLAIN QUERY PLAN " + select).map { $0[3].readable }
        }
        #expect(try plan() == ["SCAN Note", "USE TEMP B-TREE FOR ORDER BY"])
        try snapshot.connection.requireSoundIndexes(of: ["Note"])
        let plan = try plan()
        #expect(plan.contains { $0.contains("COVERING INDEX") })
        #expect(plan.contains { $0.contains("TEMP B-TREE") } == isSorted)
    }

    @Test("the date of a record is read from its column, and is nil without one")
    func dates() throws {
        let dated = try table("CREATE TABLE Note(id, updatedAt)")
        #expect(dated.modified([.string("1"), .integer(60)]) == Instant(seconds: 60))
        #expect(dated.modified([.string("1"), .null]) == nil)
        let candidate = dated.candidate([.string("1"), .integer(60)])
        #expect(candidate.key == .string("1"))
        #expect(candidate.modified == Instant(seconds: 60))
        try folder.remove("a.store")
        let undated = try table("CREATE TABLE Note(id)", Entity(name: "Note", key: "id"))
        #expect(undated.modifiedIndex == nil)
        #expect(undated.modified([.string("1")]) == nil)
    }

    @Test("records without a key are counted and rejected: 65")
    func requireKeys() throws {
        let snapshot = try open(
            "CREATE TABLE Note(id, updatedAt); INSERT INTO Note(id) VALUES (NULL), ('1'), (NULL), ('')")
        let table = try snapshot.connection.table(for: note, in: snapshot.connection.readShape())
        let error = failure { try snapshot.connection.requireKeys(table) }
        #expect(error?.code == .data)
        #expect(error?.message == "`a.store`: 2 Note records without a value in 'id'")
        _ = consume snapshot
        try folder.remove("a.store")
        let whole = try open("CREATE TABLE Note(id, updatedAt); INSERT INTO Note(id) VALUES ('1')")
        try whole.connection.requireKeys(table)
    }
}
