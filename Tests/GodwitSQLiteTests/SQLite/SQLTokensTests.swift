import GodwitSQLite
import Testing

struct SQLTokensTests {
    @Test(
        "layout, comments, quotes and case of names do not matter, and texts stay",
        arguments: [
            ("CREATE  TABLE\tNote (a)", ["create", "table", "note", "(", "a", ")"]),
            ("a -- no\n b /* no */c", ["a", "b", "c"]),
            ("a /* open", ["a"]), ("a -- open", ["a"]), ("", []), ("  \n", []),
            (#""A ""b""" [C d] `E`"#, [#"a "b""#, "c d", "e"]),
            ("'It''s' || 'X'", ["'It's'", "|", "|", "'X'"]), ("'open", ["'open'"]), ("[open", ["open"]),
            ("x'00FF' 1.5e-3", ["x", "'00FF'", "1", ".", "5e", "-", "3"]), ("é$1_ @p", ["é$1_", "@", "p"]),
        ] as [(String, [String])])
    func words(sql: String, words: [String]) { #expect(SQLTokens(sql).words == words) }

    @Test(
        "an index that only names columns and compares is not code",
        arguments: [
            "CREATE INDEX i ON t(a) WHERE b", "CREATE INDEX i ON t(a + 1)", "CREATE INDEX i ON t((a))",
            "CREATE INDEX i ON t(a, 'x')", "CREATE INDEX i ON t(-a)",
            "CREATE INDEX i ON t(a) /* */ WHERE/**/b IN (1, 2)",
            "CREATE INDEX i ON t(a)", "CREATE UNIQUE INDEX i ON t(a, b DESC, c COLLATE NOCASE ASC)",
            "CREATE INDEX \"on\" ON \"index\"(\"a b\", [c-d])",
        ])
    func plainIndex(sql: String) { #expect(SQLTokens(sql).indexCode == nil) }

    @Test(
        "an index that calls a function, or of an unknown kind, is code",
        arguments: [
            "CREATE INDEX i ON t(f(a))", "CREATE INDEX i ON t(a) WHERE f /**/ (b) > 1", "CREATE INDEX",
            "CREATE INDEX i ON t(a) WHERE b IN (1, \"f\"(2))", "CREATE INDEX i ON t", "evil",
            "CREATE INDEX i ON t(a) WHERE b REGEXP 'x'", "CREATE INDEX i ON t(a MATCH 'x')",
        ])
    func codeOfIndex(sql: String) { #expect(SQLTokens(sql).indexCode != nil) }

    @Test(
        "generated columns, checks and defaults with a function, and foreign key actions are code",
        arguments: [
            ("CREATE TABLE t(a CHECK(a), b)", []), ("CREATE TABLE t(a CHECK(f(a)), b)", ["check ( f ( a ) )"]),
            ("CREATE TABLE t(a DEFAULT 1, b DEFAULT 'x')", []),
            ("CREATE TABLE t(a DEFAULT(f(1)))", ["default ( f ( 1 ) )"]),
            ("CREATE TABLE t(a, b GENERATED ALWAYS AS (a))", ["as ( a )"]),
            ("CREATE TABLE t(a REFERENCES p ON UPDATE SET NULL)", ["references p on update set null )"]),
            ("CREATE TABLE t(a REFERENCES p(x) ON DELETE RESTRICT, b)", []),
            ("CREATE TABLE t(a, CHECK(a <> 'CHECK(x)'))", []), ("CREATE TABLE t(a CHECK(a IN (1) AND (a > 0)))", []),
            ("CREATE TABLE \"check\"(a)", []), ("CREATE TABLE t(a CHECK(f(a", ["check ( f ( a"]),
        ] as [(String, [String])])
    func codeOfTable(sql: String, code: [String]) { #expect(SQLTokens(sql).tableCode == code) }
}
