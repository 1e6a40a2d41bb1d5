import GodwitModel
import GodwitTestSupport
import Testing

/// The loss that schema files cause is found by comparing the store's tables before and after.
struct SchemaLossTests {
    struct Change: CustomTestStringConvertible {
        let name: String
        let sql: String
        var losses: [String] = []
        var testDescription: String { name }
    }

    private static let create = """
        CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT, stars INTEGER, unused TEXT);
        CREATE TABLE Draft(id INTEGER PRIMARY KEY, text TEXT);
        CREATE TABLE Log(line TEXT);
        CREATE TABLE Empty(id INTEGER PRIMARY KEY);
        """
    private static let records = """
        INSERT INTO Note VALUES ('a', 'one', 1, NULL), ('b', 'two', 2, NULL), ('c', NULL, 3, NULL);
        INSERT INTO Draft VALUES (1, 'first'), (2, 'second');
        INSERT INTO Log VALUES ('x'), ('x'), ('y');
        """

    static let changes: [Change] = [
        Change(
            name: "column", sql: "ALTER TABLE Note DROP COLUMN body;", losses: ["column body of Note, with 2 values"]),
        Change(name: "column without values", sql: "ALTER TABLE Note DROP COLUMN unused;"),
        Change(name: "column renamed", sql: "ALTER TABLE Note RENAME COLUMN body TO content;"),
        Change(name: "numbers renamed", sql: "ALTER TABLE Note RENAME COLUMN stars TO rating;"),
        Change(
            name: "numbers gone, others there by chance",
            sql:
                "ALTER TABLE Note DROP COLUMN stars; CREATE TABLE Tag(id INTEGER); INSERT INTO Tag VALUES (1), (2), (3), (4);",
            losses: ["column stars of Note, with 3 values"]),
        Change(
            name: "number kept as text",
            sql:
                "ALTER TABLE Note ADD COLUMN rating TEXT; UPDATE Note SET rating = stars; ALTER TABLE Note DROP COLUMN stars;"
        ),
        Change(name: "table", sql: "DROP TABLE Draft;", losses: ["table Draft, with 2 records"]),
        Change(name: "empty table", sql: "DROP TABLE Empty;"),
        Change(name: "table renamed", sql: "ALTER TABLE Draft RENAME TO Sketch;"),
        Change(
            name: "table made again with its name",
            sql: """
                CREATE TABLE Note2(id TEXT PRIMARY KEY, body TEXT NOT NULL DEFAULT '', stars TEXT, unused TEXT);
                INSERT INTO Note2 SELECT id, coalesce(body, ''), stars, unused FROM Note;
                DROP TABLE Note; ALTER TABLE Note2 RENAME TO Note;
                """),
        Change(
            name: "table made again without a record",
            sql: """
                CREATE TABLE Note2(id TEXT PRIMARY KEY, body TEXT, stars INTEGER, unused TEXT);
                INSERT INTO Note2 SELECT * FROM Note WHERE body IS NOT NULL;
                DROP TABLE Note; ALTER TABLE Note2 RENAME TO Note;
                """, losses: ["1 record of Note"]),
        Change(name: "records deleted", sql: "DELETE FROM Note WHERE stars > 1;", losses: ["2 records of Note"]),
        Change(
            name: "records moved",
            sql: """
                CREATE TABLE OldNote(id TEXT PRIMARY KEY, body TEXT); INSERT INTO OldNote SELECT id, body FROM Note WHERE stars = 1;
                DELETE FROM Note WHERE stars = 1;
                """),
        Change(
            name: "table moved into another one",
            sql: "INSERT INTO Note(id, body) SELECT 'draft ' || id, text FROM Draft; DROP TABLE Draft;",
            losses: ["column id of Draft, with 2 values"]),
        Change(name: "equal lines of a table without a key", sql: "DELETE FROM Log WHERE rowid = 2;"),
        Change(
            name: "a line of a table without a key", sql: "DELETE FROM Log WHERE line = 'y';",
            losses: ["1 record of Log"]),
        Change(
            name: "texts that became a table",
            sql: """
                CREATE TABLE Body(id INTEGER PRIMARY KEY, text TEXT); INSERT INTO Body(text) SELECT DISTINCT body FROM Note;
                ALTER TABLE Note DROP COLUMN body;
                """),
        Change(
            name: "values emptied", sql: "UPDATE Note SET body = NULL;", losses: ["2 values of column body of Note"]),
        Change(
            name: "some values emptied", sql: "UPDATE Note SET stars = NULL WHERE stars > 1;",
            losses: ["2 values of column stars of Note"]),
        Change(name: "values changed", sql: "UPDATE Note SET body = upper(body), unused = 'new';"),
        Change(
            name: "values moved to a new column",
            sql: "ALTER TABLE Note ADD COLUMN text TEXT; UPDATE Note SET text = body; UPDATE Note SET body = NULL;"),
        Change(
            name: "some values moved to a new table",
            sql: """
                CREATE TABLE Body(id TEXT PRIMARY KEY, text TEXT); INSERT INTO Body SELECT id, body FROM Note WHERE id = 'a';
                UPDATE Note SET body = NULL WHERE id = 'a';
                """),
        Change(
            name: "values emptied in a table made again",
            sql: """
                CREATE TABLE Note2(id TEXT PRIMARY KEY, body TEXT, stars INTEGER, unused TEXT);
                INSERT INTO Note2 SELECT id, NULL, stars, unused FROM Note;
                DROP TABLE Note; ALTER TABLE Note2 RENAME TO Note;
                """, losses: ["2 values of column body of Note"]),
        Change(
            name: "records deleted and others emptied",
            sql: "DELETE FROM Note WHERE id = 'a'; UPDATE Note SET body = NULL;",
            losses: ["1 record of Note", "1 value of column body of Note"]),
    ]

    /// A store of version 1, as a release left it.
    private func released() throws -> StoreBench {
        let bench = try StoreBench(Self.create + Self.records)
        _ = try bench.bringUpToDate(SchemaSamples.stage([Self.create]))
        return bench
    }

    @Test("removed data is reported with its number, and renamed or moved data is not", arguments: changes)
    func taken(_ change: Change) throws {
        let bench = try released()
        let report = try bench.bringUpToDate(SchemaSamples.stage([Self.create, change.sql]))
        #expect((report.losses ?? []).map(\.what) == change.losses)
        #expect((report.losses ?? []).allSatisfy { $0.version == 2 })
    }

    @Test("a table that later versions create again is not removed")
    func broughtBack() throws {
        let bench = try released()
        let away = "CREATE TABLE Rest AS SELECT * FROM Draft; DROP TABLE Draft;"
        let back =
            "CREATE TABLE Draft(id INTEGER PRIMARY KEY, text TEXT); INSERT INTO Draft SELECT * FROM Rest; DROP TABLE Rest;"
        #expect(try bench.bringUpToDate(SchemaSamples.stage([Self.create, away, back])).losses == nil)
    }

    @Test("the version of a loss is that of the file that removes the data")
    func version() throws {
        let bench = try released()
        let files = [Self.create, SchemaSamples.tags, "DROP TABLE Draft;", "CREATE TABLE Last(id TEXT);"]
        #expect(try bench.bringUpToDate(SchemaSamples.stage(files)).losses?.map(\.version) == [3])
    }

    @Test("of many values a sample is enough, and complete loss is always found")
    func many() throws {
        let bench = try StoreBench(
            Self.create + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150000) "
                + "INSERT INTO Draft SELECT i, 'text ' || i FROM n;")
        let sql = "ALTER TABLE Draft RENAME TO Sketch; CREATE TABLE Draft(id INTEGER PRIMARY KEY, text TEXT);"
        #expect(try bench.bringUpToDate(SchemaSamples.stage([Self.create, sql])).losses == nil)
        let gone = "CREATE TABLE Kept AS SELECT id FROM Sketch; DROP TABLE Sketch;"
        let report = try bench.bringUpToDate(SchemaSamples.stage([Self.create, sql, gone]))
        #expect(report.losses?.map(\.what) == ["column text of Sketch, with 150,000 values"])
    }
}
