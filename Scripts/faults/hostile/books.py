"""Ledger tables that Godwit did not make, or whose content is false."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

from ..calling import Call
from .badinputs.storemaking import MARK
from .case import DATA, OK, Case, Codes
from .scene import Arrangement, Scene

EITHER = DATA | OK
HEAVY = "hex(zeroblob(400000000))"

MIGRATION = """CREATE TABLE godwit_migration(
  version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, appliedAt TEXT NOT NULL,
  durationMs INTEGER NOT NULL, godwitVersion TEXT NOT NULL)"""
RECEIPT = """CREATE TABLE godwit_receipt(
  stage TEXT PRIMARY KEY, runId TEXT NOT NULL, completedAt TEXT NOT NULL, manifestSha256 TEXT NOT NULL,
  godwitVersion TEXT NOT NULL, detail TEXT NOT NULL) WITHOUT ROWID"""
RUN = """CREATE TABLE godwit_run(
  id TEXT PRIMARY KEY, command TEXT NOT NULL, startedAt TEXT NOT NULL, durationMs INTEGER NOT NULL,
  outcome TEXT NOT NULL, summary TEXT NOT NULL, counts TEXT NOT NULL, error TEXT, godwitVersion TEXT NOT NULL)"""


def cases() -> list[Case]:
    """All of them, in the local and in the cloud store."""
    found = []
    for name, codes, sql in [*_shapes(), *_contents()]:
        verify = {"verify": codes | {1}}
        # False content in a table of the right shape is found by the commands that read the table.
        read = {"history", "status"} if (name, codes, sql) in _contents() else {"history"}
        found.append(Case(f"books {name} in local", _local(sql), codes, verify | {word: codes | OK for word in read}))
        if len(read) > 1:
            read |= {"export", "migrate", "dedupe"}
        found.append(Case(
            f"books {name} in cloud", _cloud(sql), codes, verify | {word: codes | OK for word in read}, quick=("run",),
            settles=False))
    return [*found, *_histories(), _false_receipt()]


def run_sql(path: Path, sql: str) -> None:
    """Runs SQL in a store, the schema table writable."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.executescript(sql)


def _local(sql: str) -> Arrangement:
    return lambda scene: run_sql(scene.local, sql)


def _cloud(sql: str) -> Arrangement:
    return lambda scene: (scene.cloud.write_bytes(scene.local.read_bytes()), run_sql(scene.cloud, sql))


def _shapes() -> list[tuple[str, Codes, str]]:
    names = ["migration", "receipt", "removed", "changed", "run"]
    found = []
    for name in names:
        found += [
            (f"{name} is a view", DATA, f"CREATE VIEW godwit_{name} AS SELECT {HEAVY} AS id, 1 AS stage"),
            (f"{name} is virtual", DATA, f"CREATE VIRTUAL TABLE godwit_{name} USING fts5(id, stage, version)"),
            (f"{name} has other columns", DATA, f"CREATE TABLE godwit_{name}(evil)"),
            (f"{name} in capitals", DATA, f"CREATE TABLE GODWIT_{name.upper()}(evil)"),
        ]
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT"
    return found + [
        ("receipt is an endless view", DATA,
         f"CREATE VIEW godwit_receipt AS {endless} x AS stage, x AS runId, x AS completedAt, x AS manifestSha256, "
         "x AS godwitVersion, x AS detail FROM c"),
        ("migration is an endless view", DATA,
         f"CREATE VIEW godwit_migration AS {endless} x AS version, x AS name, x AS checksum FROM c"),
        ("run has a generated column", DATA,
         RUN.replace("summary TEXT NOT NULL", f"summary TEXT AS ({HEAVY})") + "; INSERT INTO godwit_run(id, command, "
         "startedAt, durationMs, outcome, counts, godwitVersion) VALUES('a','b','c',1,'d','e','f')"),
        ("run has a check", DATA, RUN.replace("error TEXT", f"error TEXT CHECK(length({HEAVY}) > 0)")),
        ("run has a default", DATA, RUN.replace("error TEXT", f"error TEXT DEFAULT({HEAVY})")),
        ("run has an index on an expression", DATA, RUN + f"; CREATE INDEX evil ON godwit_run(length({HEAVY}))"),
        ("run has a trigger", DATA, RUN + "; CREATE TRIGGER evil AFTER INSERT ON godwit_run BEGIN DELETE FROM "
                                          "favourites; END"),
        ("run has one more column", DATA, RUN.replace("error TEXT", "error TEXT, more TEXT NOT NULL")),
        ("receipt refers with cascade", DATA, RECEIPT.replace(
            "detail TEXT NOT NULL", "detail TEXT NOT NULL REFERENCES settings(name) ON DELETE CASCADE")),
        ("index is called like a book", EITHER, "CREATE INDEX godwit_run ON settings(name)"),
        ("trigger is called like a book", DATA,
         "CREATE TRIGGER godwit_run AFTER INSERT ON settings BEGIN DELETE FROM favourites; END"),
        ("unknown book", EITHER, "CREATE TABLE godwit_evil(a); INSERT INTO godwit_evil VALUES(1)"),
        ("unknown book is a view", EITHER, f"CREATE VIEW godwit_evil AS {endless} x FROM c"),
    ]


def _contents() -> list[tuple[str, Codes, str]]:
    def runs(values: str) -> str:
        return f"{RUN}; INSERT INTO godwit_run VALUES({values})"

    def migrations(values: str) -> str:
        return f"{MIGRATION}; INSERT INTO godwit_migration VALUES{values}"

    many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<{count}) INSERT INTO "
    return [
        ("versions negative", DATA, migrations("(-1,'a','b','c',1,'d')")),
        ("version 2^63", DATA, migrations("(9223372036854775807,'a','b','c',1,'d')")),
        ("checksum wrong", DATA, migrations("(1,'create_store','sha256-v1:00','c',1,'d')")),
        ("checksum a blob", DATA, migrations("(1,x'00ff',x'00','c',1,'d')")),
        ("title steers terminal", DATA, migrations("(1,char(27)||'[2J'||char(10),'b','c',1,'d')")),
        ("200000 versions", DATA, f"{MIGRATION}; " + many.format(count=200_000) +
         "godwit_migration SELECT i,'a','b','c',1,'d' FROM n"),
        ("no versions", OK, MIGRATION),
        ("run steers terminal", OK,
         runs("char(27),char(27)||'[2J',char(10),-1,char(7),char(27)||']0;x'||char(7),'{}',char(8238),char(0)")),
        ("run of 2^63 ms", OK, runs("'a','run','2026-01-01T00:00:00Z',9223372036854775807,'done','x','{}',NULL,'1'")),
        ("run of -2^63 ms", OK, runs("'a','run','2026-01-01T00:00:00Z',-9223372036854775808,'done','x','{}',NULL,'1'")),
        ("run with infinite duration", OK, runs("'a','run','2026-01-01T00:00:00Z',9e999,'done','x','{}',NULL,'1'")),
        ("run at no time", OK, runs("'a','run','when?',1,'done','x','{}',NULL,'1'")),
        ("run in the year 10000", OK, runs("'a','run','10000-01-01T00:00:00Z',1,'done','x','{}',NULL,'1'")),
        ("run with counts that are no JSON", OK, runs("'a','run','2026-01-01T00:00:00Z',1,'done','x','{{{',NULL,'1'")),
        ("run with blobs", OK, runs("x'00',x'ff',x'ff',x'ff',x'ff',x'ff',x'ff',x'ff',x'ff'")),
        ("run with a summary of 10 MiB", OK,
         runs("'a','run','2026-01-01T00:00:00Z',1,'done',hex(zeroblob(5000000)),'{}',NULL,'1'")),
        ("50000 runs", OK, f"{RUN}; " + many.format(count=50_000) +
         "godwit_run SELECT 'r'||i,'run','2026-01-01T00:00:00Z',1,'done','x','{}',NULL,'1' FROM n"),
        ("receipt of an unknown stage", OK,
         f"{RECEIPT}; INSERT INTO godwit_receipt VALUES('evil','r','2026-01-01T00:00:00Z','0','1','{{}}')"),
        ("legacy receipt of another manifest", EITHER,
         f"{RECEIPT}; INSERT INTO godwit_receipt VALUES('legacy','{MARK}r','when?','0','1','not json')"),
    ]


def checksum(sql: str) -> str:
    """As `godwit_migration` holds it: over the text with line endings normalised."""
    return "sha256-v1:" + hashlib.sha256(sql.replace("\r\n", "\n").encode()).hexdigest()


def _histories() -> list[Case]:
    """A true history above tables that are not what it says."""

    def claimed(sql: str) -> Arrangement:
        def arrange(scene: Scene) -> None:
            first = (scene.home / "Migrations/V0001__create_store.sql").read_text()
            run_sql(scene.local, f"{MIGRATION}; INSERT INTO godwit_migration VALUES(1,'create_store',"
                                 f"'{checksum(first)}','2026-01-01T00:00:00.000Z',1,'0.1.0'); {sql}")

        return arrange

    claims = {
        "nothing else": (OK, ""),
        "the table is gone": (DATA, "DROP TABLE favourites"),
        "the table is a view": (DATA, "ALTER TABLE favourites RENAME TO r; CREATE VIEW favourites AS SELECT * FROM r"),
        "the table is virtual": (DATA, "DROP TABLE favourites; CREATE VIRTUAL TABLE favourites USING fts5(id, added)"),
        "a column is generated": (EITHER, f"ALTER TABLE favourites ADD COLUMN g AS ({HEAVY})"),
        "the key is generated": (DATA, "DROP TABLE favourites; CREATE TABLE favourites(id TEXT AS (title), title TEXT, "
                                       "added REAL, rank INTEGER, data BLOB)"),
        "a check was added": (DATA, "UPDATE sqlite_schema SET sql=replace(sql, 'value TEXT', 'value TEXT "
                                    f"CHECK(length({HEAVY})>0)') WHERE name='settings'"),
        "an index has an expression": (DATA, "UPDATE sqlite_schema SET sql='CREATE INDEX fav_rank ON "
                                             f"favourites(length({HEAVY}))' WHERE name='fav_rank'"),
        "an index has a condition": (DATA, "UPDATE sqlite_schema SET sql='CREATE INDEX fav_rank ON favourites(rank) "
                                           f"WHERE length({HEAVY})>0' WHERE name='fav_rank'"),
        "a trigger was added": (DATA, "CREATE TRIGGER t AFTER INSERT ON settings BEGIN DELETE FROM favourites; END"),
        "the next version is there": (DATA, "CREATE TABLE preferences(id)"),
        "a column type is unknown": (EITHER, "UPDATE sqlite_schema SET sql=replace(sql, 'rank INTEGER', 'rank "
                                       "EVIL(1,2,3)') WHERE name='favourites'"),
        "a column is not null": (EITHER, "UPDATE sqlite_schema SET sql=replace(sql, 'title TEXT', 'title TEXT NOT "
                                         "NULL') WHERE name='favourites'"),
    }
    return [
        Case(f"history true but {name}", claimed(sql), codes,
             {command: codes | OK for command in ("export", "status", "history", "dedupe", "migrate")}
             | {"verify": codes | {0, 1}})
        for name, (codes, sql) in claims.items()
    ]


def _false_receipt() -> Case:
    """A receipt of a copy in a cloud store that lacks the records: nothing may be lost by believing it."""

    def complete(scene: Scene, call: Call) -> list[str]:
        if call.words[0] != "run" or call.code != 0:
            return []
        with closing(sqlite3.connect(scene.cloud)) as connection:
            count = connection.execute("SELECT count(*) FROM favourites").fetchone()[0]
        return [] if count >= 20 else [f"the receipt was believed: {count} records in the cloud store"]

    arrange = _cloud(f"DELETE FROM favourites; {RECEIPT}; INSERT INTO godwit_receipt VALUES('copy','r',"
                     "'2026-01-01T00:00:00.000Z','0','0.1.0','{}')")
    return Case("books receipt of a copy that was not made", arrange, OK, {"verify": OK | {1}}, check=complete)
