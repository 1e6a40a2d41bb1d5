"""Stores whose schema is hostile: views, triggers, generated columns, modules, false rows in `sqlite_schema`.

Godwit never runs what is in the store besides the tables of the app. The probe app's store has no history yet, so with
one more table it equals no version of the schema: either answer is right.
"""

from __future__ import annotations

from .item import BAD, TAKEN, Item
from .storemaking import Build, by_new_text, by_schema, by_schema_rows, by_sql

EITHER = TAKEN | BAD
LOOP = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT"
NULLS = "NULL AS title, NULL AS added, NULL AS rank, NULL AS data"


def items() -> list[Item]:
    """All of them."""
    groups = [*_views(), *_triggers(), *_computed(), *_virtual(), *_lies(), *_shapes()]
    return [Item(f"schema/{name}", codes, why, build) for name, codes, why, build in groups]


def _views() -> list[tuple[str, frozenset[int], str, Build]]:
    def view(body: str) -> Build:
        return by_sql(f"DROP TABLE favourites; CREATE VIEW favourites AS {body}")

    return [
        ("view-for-table", BAD, "a view, not a table",
         by_sql("ALTER TABLE favourites RENAME TO real; CREATE VIEW favourites AS SELECT * FROM real")),
        ("view-without-end", BAD, "a view, not a table", view(f"{LOOP} x AS id, {NULLS} FROM c")),
        ("view-loads-extension", BAD, "a view, not a table",
         view(f"SELECT load_extension('/nonexistent/evil.so') AS id, {NULLS}")),
        ("view-writes-file", BAD, "a view, not a table", view(f"SELECT writefile('/tmp/evil', 'x') AS id, {NULLS}")),
        ("view-of-itself", BAD, "a view, not a table", by_sql("DROP TABLE favourites; CREATE VIEW favourites AS "
                                                             "SELECT * FROM favourites")),
        ("view-next-to-the-tables", EITHER, "never asked", by_sql(f"CREATE VIEW v AS {LOOP} x FROM c")),
        ("view-named-like-schema", EITHER, "never asked", by_sql("CREATE VIEW pragma_table_xinfo AS SELECT 1")),
    ]


def _triggers() -> list[tuple[str, frozenset[int], str, Build]]:
    why = "a trigger on a table Godwit writes"
    return [
        ("trigger-deletes", BAD, why,
         by_sql("CREATE TRIGGER evil AFTER INSERT ON favourites BEGIN DELETE FROM settings; END")),
        ("trigger-wastes-memory", BAD, why,
         by_sql("CREATE TRIGGER evil BEFORE INSERT ON favourites BEGIN SELECT length(randomblob(1000000000)); END")),
        ("trigger-without-end", BAD, why,
         by_sql("CREATE TRIGGER evil AFTER UPDATE ON settings BEGIN INSERT INTO settings(name) "
                f"SELECT x FROM ({LOOP} x FROM c); END")),
        ("trigger-calls-itself", BAD, why,
         by_sql("PRAGMA recursive_triggers=ON; CREATE TRIGGER evil AFTER INSERT ON settings BEGIN "
                "INSERT INTO settings(name) VALUES('again'); END")),
        ("trigger-on-books", BAD, why,
         by_sql("CREATE TABLE godwit_run(id TEXT PRIMARY KEY, command, startedAt, durationMs, outcome, summary, counts,"
                " error, godwitVersion); CREATE TRIGGER evil AFTER INSERT ON godwit_run BEGIN DELETE FROM favourites; "
                "END")),
        ("trigger-named-like-books", BAD, why,
         by_sql("CREATE TRIGGER godwit_trigger AFTER INSERT ON settings BEGIN DELETE FROM favourites; END")),
        ("trigger-of-a-table-that-is-gone", BAD, "malformed schema",
         by_schema_rows(("trigger", "t", "nowhere", 0,
                          "CREATE TRIGGER t AFTER INSERT ON nowhere BEGIN SELECT 1; END"))),
    ]


def _computed() -> list[tuple[str, frozenset[int], str, Build]]:
    heavy = "hex(zeroblob(100000000))"
    return [
        ("generated-virtual-heavy", EITHER, "never computed",
         by_sql(f"CREATE TABLE gen(a, g AS ({heavy})); INSERT INTO gen(a) VALUES(1)")),
        ("generated-virtual-in-entity", EITHER, "never computed",
         by_sql(f"ALTER TABLE favourites ADD COLUMN g AS ({heavy})")),
        ("generated-stored", EITHER, "never computed again",
         by_sql("CREATE TABLE gen2(a, g AS (a*2) STORED); INSERT INTO gen2(a) VALUES(21)")),
        ("check-heavy", EITHER, "never evaluated by a reader",
         by_new_text("CREATE TABLE ck(a); INSERT INTO ck VALUES(1)", "ck",
                     "CREATE TABLE ck(a CHECK(length(hex(randomblob(400000000)))>0))")),
        ("check-in-entity", BAD, "would be run by a write",
         by_new_text("", "settings", "CREATE TABLE settings(id INTEGER PRIMARY KEY, name TEXT, "
                                     "value TEXT CHECK(length(hex(randomblob(400000000)))>0))")),
        ("default-heavy", BAD, "never evaluated by a reader",
         by_new_text("", "settings", "CREATE TABLE settings(id INTEGER PRIMARY KEY, name TEXT, "
                                     "value TEXT DEFAULT(hex(randomblob(400000000))))")),
        ("default-too-deep", BAD, "expression tree too large",
         by_sql(f"CREATE TABLE dx(a, b DEFAULT({'+'.join(['1'] * 900)}))")),
        ("partial-index-heavy", BAD, "never evaluated",
         by_new_text("CREATE INDEX px ON favourites(title) WHERE rank > 3", "px",
                     "CREATE INDEX px ON favourites(title) WHERE length(hex(zeroblob(400000000))) > 3")),
        ("expression-index-heavy", BAD, "never evaluated",
         by_new_text("CREATE INDEX ex ON favourites(title)", "ex",
                     "CREATE INDEX ex ON favourites(length(hex(zeroblob(400000000))))")),
        ("index-on-unknown-function", BAD, "never evaluated",
         by_new_text("CREATE INDEX ix ON favourites(title)", "ix", "CREATE INDEX ix ON favourites(evil(title))")),
        ("unknown-collation", EITHER, "no such collation",
         by_new_text("CREATE TABLE cl(a TEXT); INSERT INTO cl VALUES('b'),('a')", "cl",
                     "CREATE TABLE cl(a TEXT COLLATE EVIL)")),
        ("unknown-collation-on-key", EITHER, "no such collation",
         by_new_text("", "favourites", "CREATE TABLE favourites(id TEXT COLLATE EVIL PRIMARY KEY, title TEXT, "
                                       "added REAL, rank INTEGER, data BLOB)")),
        ("nocase-key", EITHER, "keys are compared by bytes",
         by_sql("INSERT INTO favourites(id) VALUES('F0001')")),
    ]


def _virtual() -> list[tuple[str, frozenset[int], str, Build]]:
    return [
        ("unknown-module", EITHER, "never opened",
         by_schema_rows(("table", "vt", "vt", 0, "CREATE VIRTUAL TABLE vt USING evilmod(x)"))),
        ("virtual-entity", BAD, "no plain table",
         by_sql("DROP TABLE favourites; CREATE VIRTUAL TABLE favourites USING fts5(id, title, added, rank_, data)")),
        ("fts5-shadow-corrupt", EITHER, "never opened",
         by_sql("CREATE VIRTUAL TABLE ft USING fts5(x); INSERT INTO ft VALUES('hello'); "
                "UPDATE ft_data SET block=x'ffffffff'")),
        ("fts5-config-hostile", EITHER, "never opened",
         by_sql("CREATE VIRTUAL TABLE ft USING fts5(x); UPDATE ft_config SET v=999")),
        ("rtree-corrupt", EITHER, "never opened",
         by_sql("CREATE VIRTUAL TABLE rt USING rtree(id, a, b); INSERT INTO rt VALUES(1,2,3); "
                "UPDATE rt_node SET data=x'00ff'")),
        ("dbstat-as-entity", BAD, "no plain table",
         by_schema("UPDATE sqlite_schema SET rootpage=0, sql='CREATE VIRTUAL TABLE settings USING dbstat' "
                          "WHERE name='settings'")),
    ]


def _lies() -> list[tuple[str, frozenset[int], str, Build]]:
    def bare(kind: str, sql: str | None, page: int | None = 2) -> Build:
        return by_schema_rows((kind, "x", "x", page, sql))

    return [
        ("text-garbage", BAD, "malformed schema", bare("table", "CREATE TABLE x(((")),
        ("text-null", EITHER, "malformed schema", bare("table", None)),
        ("text-drops-table", BAD, "malformed schema", bare("table", "DROP TABLE favourites")),
        ("text-attaches", BAD, "malformed schema", bare("table", "ATTACH '/tmp/evil.db' AS evil")),
        ("text-is-a-pragma", BAD, "malformed schema", bare("table", "PRAGMA journal_mode=OFF")),
        ("text-selects", BAD, "malformed schema", bare("view", "SELECT load_extension('x')", 0)),
        ("two-statements", BAD, "malformed schema", bare("table", "CREATE TABLE x(a); DROP TABLE favourites")),
        ("kind-unknown", EITHER, "as SQLite takes it", bare("evil", "CREATE TABLE x(a)")),
        ("kind-is-wrong", EITHER, "a table that calls itself an index",
         by_schema("UPDATE sqlite_schema SET type='index' WHERE name='settings'")),
        ("name-is-wrong", EITHER, "name and text differ",
         by_schema("UPDATE sqlite_schema SET name='favorites', tbl_name='favorites' WHERE name='favourites'")),
        ("same-table-twice", BAD, "malformed schema",
         by_schema("INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name='favourites'")),
        ("name-is-injection", EITHER, "quoted, never spliced",
         by_sql('CREATE TABLE "x""; DROP TABLE favourites; --"(a); INSERT INTO "x""; DROP TABLE favourites; --" '
                "VALUES(1)")),
        ("name-is-a-number", EITHER, "integrity_check would take it for a limit",
         by_sql('CREATE TABLE "1"(a); INSERT INTO "1" VALUES(1)')),
        ("name-is-empty", EITHER, "quoted", by_sql('CREATE TABLE ""(a); INSERT INTO "" VALUES(1)')),
        ("name-steers-terminal", EITHER, "escaped", by_sql('CREATE TABLE "\x1b[2J\x07\nok"(a)')),
        ("name-like-books", EITHER, "not changed", by_sql("CREATE TABLE godwit_evil(a)")),
        ("name-like-cloudkit", EITHER, "refused as a destination", by_sql("CREATE TABLE ANSCKEVENT(a)")),
        ("pragma-in-comment", EITHER, "a comment is a comment",
         by_new_text("", "settings", "CREATE TABLE settings(id INTEGER PRIMARY KEY, name TEXT, value TEXT "
                                     "/* PRAGMA writable_schema=ON; */ -- ; PRAGMA journal_mode=OFF;\n)")),
        ("sqlite-stat-hostile", EITHER, "never believed",
         by_sql("ANALYZE; UPDATE sqlite_stat1 SET stat='999999999999999999999 0 -1'")),
        ("sequence-hostile", EITHER, "not changed",
         by_sql("CREATE TABLE q(a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO q VALUES(1); "
                "UPDATE sqlite_sequence SET seq='x' || zeroblob(10)")),
    ]


def _shapes() -> list[tuple[str, frozenset[int], str, Build]]:
    return [
        ("extra-without-rowid", EITHER, "no version of the schema has it",
         by_sql("CREATE TABLE wr(a TEXT PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO wr VALUES('x', 1)")),
        ("extra-strict", EITHER, "no version of the schema has it",
         by_sql("CREATE TABLE st(a TEXT, b INT) STRICT; INSERT INTO st VALUES('x', 1)")),
        ("missing-table", BAD, "no table", by_sql("DROP TABLE favourites")),
        ("missing-column", BAD, "no column",
         by_sql("DROP INDEX fav_rank; ALTER TABLE favourites DROP COLUMN rank")),
        ("extra-not-null-column", BAD, "not null without a default",
         by_sql("ALTER TABLE settings RENAME TO s0; CREATE TABLE settings(id INTEGER PRIMARY KEY, name TEXT, "
                "value TEXT, must TEXT NOT NULL)")),
        ("columns-named-rowid", BAD, "no way to tell rows apart",
         by_sql("ALTER TABLE favourites ADD COLUMN rowid; ALTER TABLE favourites ADD COLUMN _rowid_; "
                "ALTER TABLE favourites ADD COLUMN oid")),
        ("column-names-odd", EITHER, "quoted", by_sql('CREATE TABLE odd("a\nb", "\U0001f600", "select", "a""b")')),
        ("columns-999", EITHER, "no version of the schema has it",
         by_sql(f"CREATE TABLE wide({','.join(f'c{n}' for n in range(999))})")),
        ("tables-3000", EITHER, "in linear time",
         by_sql("".join(f"CREATE TABLE t{n}(a);" for n in range(3000)))),
        ("no-tables", EITHER, "an empty store is at version 0",
         by_sql("DROP TABLE favourites; DROP TABLE settings")),
        ("foreign-key-violated", EITHER, "reported by verify",
         by_sql("CREATE TABLE parent(id INTEGER PRIMARY KEY); CREATE TABLE child(id INTEGER PRIMARY KEY, "
                "p REFERENCES parent(id)); INSERT INTO child VALUES(1, 42)")),
        ("foreign-key-mismatch", EITHER, "a foreign key that makes no sense",
         by_sql("CREATE TABLE p2(a); CREATE TABLE c2(b REFERENCES p2(missing)); INSERT INTO c2 VALUES(1)")),
        ("foreign-key-cascade", EITHER, "no row may go",
         by_sql("CREATE TABLE kid(id INTEGER PRIMARY KEY, s INTEGER REFERENCES settings(id) ON DELETE CASCADE); "
                "INSERT INTO kid VALUES(1, 1)")),
    ]
