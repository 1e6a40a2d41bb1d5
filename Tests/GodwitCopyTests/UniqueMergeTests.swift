import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Testing

/// A record gets a unique value that another one gives up in the same merge.
struct UniqueMergeTests {
    /// Rows of `Item(id, list, place, at)` in both stores, and the cloud's afterwards: `id:place`, in the order of
    /// keys.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let columns: String
        let local: String
        let cloud: String
        let merged: String
        var updated: Int64 = 2
    }

    static let older = "'2026-02-01'"
    static let newer = "'2026-02-02'"

    static let cases: [Case] = [
        .init(
            testDescription: "two swap what may be NULL", columns: "list, place UNIQUE",
            local: "('a', 'x', 2, \(newer)), ('b', 'x', 1, \(newer))",
            cloud: "('a', 'x', 1, \(older)), ('b', 'x', 2, \(older))", merged: "a:2 b:1"),
        .init(
            testDescription: "two swap their places in a list that asks for positive ones",
            columns: "list TEXT NOT NULL, place INTEGER NOT NULL CHECK (place > 0), UNIQUE (list, place)",
            local: "('a', 'x', 2, \(newer)), ('b', 'x', 1, \(newer))",
            cloud: "('a', 'x', 1, \(older)), ('b', 'x', 2, \(older)), ('c', 'y', 1, \(older))", merged: "a:2 b:1 c:1"),
        .init(
            testDescription: "three texts go round", columns: "list, place TEXT NOT NULL UNIQUE",
            local: "('a', 'x', 'two', \(newer)), ('b', 'x', 'three', \(newer)), ('c', 'x', 'one', \(newer))",
            cloud: "('a', 'x', 'one', \(older)), ('b', 'x', 'two', \(older)), ('c', 'x', 'three', \(older))",
            merged: "a:two b:three c:one", updated: 3),
        .init(
            testDescription: "all move on by one, for a new one", columns: "list, place INTEGER NOT NULL UNIQUE",
            local: "('a', 'x', 2, \(newer)), ('b', 'x', 3, \(newer)), ('n', 'x', 1, \(newer))",
            cloud: "('a', 'x', 1, \(older)), ('b', 'x', 2, \(older))", merged: "a:2 b:3 n:1"),
        .init(
            testDescription: "a row that nothing can stand in for gives way to the next",
            columns: "list, place BLOB NOT NULL UNIQUE",
            local: "('a', 'x', x'02', \(newer)), ('b', 'x', x'03', \(newer))",
            cloud: "('a', 'x', x'01', \(older)), ('b', 'x', x'02', \(older))", merged: "a:\u{2} b:\u{3}"),
        .init(
            testDescription: "an index with a condition, of reals",
            columns: "list TEXT, place REAL NOT NULL, at); CREATE UNIQUE INDEX u ON Item(place) WHERE list = 'x'; "
                + "CREATE TABLE Other(a",
            local: "('a', 'x', 2.5, \(newer)), ('b', 'x', 1.5, \(newer))",
            cloud: "('a', 'x', 1.5, \(older)), ('b', 'x', 2.5, \(older))", merged: "a:2.5 b:1.5"),
    ]

    private func fixture(_ columns: String, key: String = "id TEXT PRIMARY KEY") throws -> CopyFixture {
        let rest = columns.contains("CREATE TABLE") ? "" : ", at"
        let (plain, constraint) =
            columns.contains(", UNIQUE (")
            ? (columns.replacing(/, UNIQUE .*/, with: ""), ", UNIQUE (list, place)") : (columns, "")
        return try CopyFixture(
            [Entity(name: "Item", key: "id", modified: .init(column: "at"))],
            schema: "CREATE TABLE Item(\(key), \(plain)\(rest)\(constraint));")
    }

    private func places(_ fixture: CopyFixture) throws -> String {
        try fixture.cloudText("SELECT id || ':' || CAST(place AS TEXT) FROM Item ORDER BY id")
    }

    @Test("records get unique values that others give up", arguments: cases)
    func givesUp(example: Case) throws {
        let fixture = try fixture(example.columns)
        try fixture.local("INSERT INTO Item VALUES \(example.local)").close()
        try fixture.cloud("INSERT INTO Item VALUES \(example.cloud)").close()

        let entity = try #require(try fixture.copy().entities.first)
        #expect(try places(fixture) == example.merged)
        #expect(entity.updated == example.updated)
        #expect(entity.cloudAfter == Int64(example.merged.split(separator: " ").count))

        let again = try #require(try fixture.copy(run: "RUN-2").entities.first)
        #expect(again.updated == 0 && again.inserted == 0)
        #expect(try places(fixture) == example.merged)
    }

    @Test("the ledger keeps the former cloud record once, never a temporary value")
    func keptAside() throws {
        let fixture = try fixture("list, place INTEGER NOT NULL UNIQUE")
        try fixture.local("INSERT INTO Item VALUES ('a', 'x', 2, \(Self.newer)), ('b', 'x', 1, \(Self.newer))").close()
        try fixture.cloud("INSERT INTO Item VALUES ('a', 'x', 1, \(Self.older)), ('b', 'x', 2, \(Self.older))").close()
        try fixture.copy()
        let kept = try fixture.cloudText("SELECT record FROM godwit_removed ORDER BY record")
        #expect(kept.ranges(of: "\"place\":1").count == 1)
        #expect(kept.ranges(of: "\"place\":2").count == 1)
        #expect(try fixture.cloudRows("SELECT count(*) FROM godwit_removed") == [[.integer(2)]])
    }

    @Test("unique values move in tables without rowids too", arguments: ["id TEXT PRIMARY KEY"])
    func withoutRowid(key: String) throws {
        let fixture = try CopyFixture(
            [Entity(name: "Item", key: "id", modified: .init(column: "at"))],
            schema: "CREATE TABLE Item(\(key), list, place INTEGER NOT NULL UNIQUE, at) WITHOUT ROWID;")
        try fixture.local("INSERT INTO Item VALUES ('a', 'x', 2, \(Self.newer)), ('b', 'x', 1, \(Self.newer))").close()
        try fixture.cloud("INSERT INTO Item VALUES ('a', 'x', 1, \(Self.older)), ('b', 'x', 2, \(Self.older))").close()
        try fixture.copy()
        #expect(try places(fixture) == "a:2 b:1")
    }

    @Test("a chain of thousands of unique values is moved in a few passes")
    func longList() throws {
        let fixture = try fixture("list, place INTEGER NOT NULL UNIQUE")
        let rows = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO Item "
        try fixture.local(rows + "SELECT printf('k%05d', i), 'x', i + 1, \(Self.newer) FROM n").close()
        try fixture.cloud(rows + "SELECT printf('k%05d', i), 'x', i, \(Self.older) FROM n").close()
        let entity = try #require(try fixture.copy().entities.first)
        #expect(entity.updated == 5000)
        #expect(
            try fixture.cloudRows("SELECT count(*), min(place), max(place) FROM Item")
                == [[.integer(5000), .integer(2), .integer(5001)]])
    }

    @Test(
        "a unique value that stays with its record is rejected, and nothing changes",
        arguments: ["place UNIQUE", "place TEXT NOT NULL UNIQUE"])
    func stays(column: String) throws {
        let fixture = try fixture("list, \(column)")
        // `c` is newer in the cloud and keeps its value, which `a` would have as well.
        try fixture.local("INSERT INTO Item VALUES ('a', 'x', '2', \(Self.newer)), ('b', 'x', '1', \(Self.newer))")
            .close()
        try fixture.cloud(
            "INSERT INTO Item VALUES ('a', 'x', '1', \(Self.older)), ('b', 'x', '3', \(Self.older)), ('c', 'x', '2', NULL)"
        ).close()
        let error = try #require(throws: GodwitError.self) { try fixture.copy() }
        #expect(error.code == .data)
        #expect(error.underlying == "UNIQUE constraint failed: Item.place")
        #expect(error.message == "`C.store` refused a record of `Item` (row 1 of it in `L.store`); nothing was changed")
        #expect(error.hint?.contains("the same unique value") == true)
        #expect(try places(fixture) == "a:1 b:3 c:2")
    }

    @Test("a trigger never sees a temporary value: a swap is rejected, and a chain is not")
    func triggers() throws {
        let trigger =
            "CREATE TABLE Log(text); CREATE TRIGGER t AFTER UPDATE ON Item BEGIN INSERT INTO Log VALUES (new.place); END;"
        let fixture = try CopyFixture(
            [Entity(name: "Item", key: "id", modified: .init(column: "at"))],
            schema: "CREATE TABLE Item(id TEXT PRIMARY KEY, place UNIQUE, at); \(trigger)")
        try fixture.local("INSERT INTO Item VALUES ('a', 2, \(Self.newer)), ('b', 1, \(Self.newer))").close()
        try fixture.cloud("INSERT INTO Item VALUES ('a', 1, \(Self.older)), ('b', 2, \(Self.older))").close()
        #expect(throws: GodwitError.self) { try fixture.copy() }
        #expect(try places(fixture) == "a:1 b:2")
        #expect(try fixture.cloudRows("SELECT * FROM Log").isEmpty)
    }
}
