import GodwitSQLite
import Testing

struct SyntaxVersionTests {
    private static let old = SyntaxVersion(number: 3_007_000)

    @Test(
        "the lowest version that reads a statement is named by its newest part",
        arguments: [
            ("CREATE TABLE T(a PRIMARY KEY) WITHOUT ROWID", "3.8.2"), ("CREATE TABLE T(a PRIMARY KEY) STRICT", "3.37"),
            ("CREATE TABLE T(a, b AS (a + 1))", "3.31"), ("CREATE TABLE T(a, b INT GENERATED ALWAYS AS (a))", "3.31"),
            ("CREATE TABLE T(a, b AS (a ->> '$.x'))", "3.38"), ("CREATE VIEW V AS SELECT a -> 'x' FROM T", "3.38"),
            ("CREATE VIEW V AS SELECT * FROM T FULL OUTER JOIN S", "3.39"),
            ("CREATE VIEW V AS SELECT * FROM T RIGHT JOIN S", "3.39"),
            ("CREATE VIEW V AS SELECT * FROM T WHERE a IS NOT DISTINCT FROM 1", "3.39"),
            ("CREATE VIEW V AS SELECT json_group_array(a ORDER BY b DESC) FROM T", "3.44"),
            ("CREATE VIEW V AS SELECT group_concat(DISTINCT lower(a) ORDER BY (a)) FROM T", "3.44"),
            ("CREATE VIEW V AS SELECT jsonb(a), concat(a, 'b') FROM T", "3.45"),
            ("CREATE TABLE T(a DEFAULT 1_000)", "3.46"),
            ("CREATE TRIGGER r AFTER INSERT ON T BEGIN SELECT RAISE(ABORT, 'no ' || new.a); END", "3.47"),
            ("CREATE TRIGGER r AFTER INSERT ON T BEGIN INSERT INTO T VALUES (1) ON CONFLICT DO NOTHING; END", "3.24"),
            ("INSERT INTO T VALUES (1) RETURNING a", "3.35"),
            ("CREATE VIEW V AS SELECT a FROM T ORDER BY a NULLS LAST", "3.30"),
        ])
    func version(_ sql: String, _ version: String) throws {
        #expect(SyntaxVersion.needed(for: sql, current: Self.old)?.description == version)
        #expect(SyntaxVersion.needed(for: sql, current: SyntaxVersion(number: 3_099_000)) == nil)
    }

    @Test(
        "older SQL, and words in quotes and texts, need no version",
        arguments: [
            "CREATE TABLE T(a TEXT, \"strict\" TEXT, b DEFAULT (a - 1 > 2))", "CREATE TABLE T(a AS_, b)",
            "CREATE VIEW V AS SELECT count(*) FROM (SELECT a FROM T ORDER BY a)",
            "CREATE VIEW V AS SELECT max(a) FROM T WHERE a IN (SELECT b FROM S ORDER BY b LIMIT 1) ORDER BY 1",
            "CREATE VIEW V AS SELECT max((SELECT b FROM S ORDER BY b)) FROM T",
            "SELECT 'a ->> b', '1_000', [1_0] FROM \"full\" join s",
            "CREATE TRIGGER r AFTER INSERT ON T BEGIN SELECT RAISE(ABORT, 'no'); SELECT raise(IGNORE); END",
            "CREATE TABLE T(a, CHECK (a = 'ORDER BY'))", "SELECT a -- ->> b\nFROM T",
        ])
    func older(_ sql: String) {
        #expect(SyntaxVersion.needed(for: sql, current: Self.old) == nil)
    }

    @Test("a function of SQLite has a version, and a function of an app has none")
    func functions() {
        #expect(SyntaxVersion.needed(forFunction: "CONCAT_WS", current: Self.old)?.description == "3.44")
        #expect(SyntaxVersion.needed(forFunction: "distance", current: Self.old) == nil)
    }
}
