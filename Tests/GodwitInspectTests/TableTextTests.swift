import GodwitInspect
import Testing

struct TableTextTests {
    private static let all: [(sql: String, without: String)] = [
        ("CREATE TABLE t(a REFERENCES p, b)", "CREATE TABLE t(a , b)"),
        (
            "CREATE TABLE t(a REFERENCES p(x) ON DELETE CASCADE ON UPDATE SET NULL NOT NULL)",
            "CREATE TABLE t(a  NOT NULL)"
        ),
        (
            "CREATE TABLE t(a TEXT NOT NULL REFERENCES p(x) MATCH FULL NOT DEFERRABLE INITIALLY IMMEDIATE UNIQUE)",
            "CREATE TABLE t(a TEXT NOT NULL  UNIQUE)"
        ),
        ("CREATE TABLE t(a CONSTRAINT c REFERENCES p ON DELETE NO ACTION DEFAULT 1)", "CREATE TABLE t(a  DEFAULT 1)"),
        ("CREATE TABLE t(a, b, FOREIGN KEY(a, b) REFERENCES p(a, b) ON DELETE SET DEFAULT)", "CREATE TABLE t(a, b)"),
        (
            "CREATE TABLE t(a, CONSTRAINT c FOREIGN KEY (a) REFERENCES p DEFERRABLE, UNIQUE(a)) STRICT",
            "CREATE TABLE t(a, UNIQUE(a)) STRICT"
        ),
        // The comma between constraints of a table is optional.
        (
            "CREATE TABLE t(a, PRIMARY KEY(a) FOREIGN KEY(a) REFERENCES p CHECK(a > 0))",
            "CREATE TABLE t(a, PRIMARY KEY(a)  )"
        ),
        ("CREATE TABLE t(a INT CHECK(a IN (1, 2)) DEFAULT (1 + 2), b)", "CREATE TABLE t(a INT  DEFAULT (1 + 2), b)"),
        ("CREATE TABLE t(a, CHECK(a <> ')'), CONSTRAINT two CHECK(a <> ','))", "CREATE TABLE t(a)"),
        (
            "CREATE TABLE t(a -- one, CHECK(x)\n CHECK(a), b /* REFERENCES p */)",
            "CREATE TABLE t(a -- one, CHECK(x)\n , b /* REFERENCES p */)"
        ),
    ]

    @Test("removing all constraints leaves no reference and no check", arguments: all)
    func without(_ sample: (sql: String, without: String)) {
        let text = TableText(sample.sql)
        #expect(!text.constraints.isEmpty)
        #expect(text.without(text.constraints) == sample.without)
        #expect(text.without([]) == sample.sql)
    }

    @Test("each constraint is recognized by its columns, its table or its words")
    func kinds() {
        let text = TableText(
            #"CREATE TABLE t("a b" REFERENCES "P q"(x), c CHECK(c > 'X'), FOREIGN KEY("a b", [c]) REFERENCES `r`)"#)
        #expect(
            text.constraints.map(\.kind) == [
                .reference(columns: ["a b"], parent: "p q"), .check(["c", ">", "'X'"]),
                .reference(columns: ["a b", "c"], parent: "r"),
            ])
        #expect(
            text.without([text.constraints[1]])
                == #"CREATE TABLE t("a b" REFERENCES "P q"(x), c , FOREIGN KEY("a b", [c]) REFERENCES `r`)"#)
    }

    @Test(
        "names that are keywords are read as names",
        arguments: [
            #"CREATE TABLE "check"("references" TEXT, "check" INT)"#, "CREATE TABLE t(a DEFAULT 'CHECK(a)')",
            "CREATE TABLE t([foreign] TEXT, `key` TEXT)", "CREATE TABLE t(a)", "CREATE TABLE t", "", "CREATE TABLE t(a",
            "CREATE TABLE t(a CHECK", "CREATE TABLE t(a REFERENCES", "CREATE TABLE t(a CONSTRAINT", "x(,,,)",
        ])
    func names(_ sql: String) {
        let text = TableText(sql)
        #expect(text.constraints.isEmpty)
        #expect(text.without(text.constraints) == sql)
    }
}
