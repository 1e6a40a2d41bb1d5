"""Schema files that do what no migration may do, or never end."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from .case import DATA, OK, Case, Codes
from .scene import Arrangement

EITHER = DATA | OK
Change = Callable[[Path], object]


def cases() -> list[Case]:
    """All of them; every command reads the schema files."""
    found = [(name, codes, third(sql)) for name, codes, sql in _statements()]
    return [
        Case(f"schema file {name}", _arranged(change), codes, {"verify": codes | {1}}, quick=("run",))
        for name, codes, change in [*found, *_files()]
    ]


def _arranged(change: Change) -> Arrangement:
    return lambda scene: change(scene.home / "Migrations")


def third(sql: str | bytes) -> Change:
    """Adds a third migration."""
    content = sql if isinstance(sql, bytes) else sql.encode()
    return lambda folder: (folder / "V0003__evil.sql").write_bytes(content)


def _statements() -> list[tuple[str, Codes, str | bytes]]:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
    return [
        ("attach", DATA, "ATTACH '/tmp/godwit-evil.db' AS evil; CREATE TABLE evil.x(a);"),
        ("detach", DATA, "DETACH main;"),
        ("commit", DATA, "COMMIT; DROP TABLE favourites;"),
        ("rollback", DATA, "ROLLBACK;"),
        ("savepoint", DATA, "SAVEPOINT a; CREATE TABLE t(a); RELEASE a;"),
        ("vacuum", DATA, "VACUUM;"),
        ("vacuum-into", DATA, "VACUUM INTO '/tmp/godwit-evil.db';"),
        ("journal-off", DATA, "PRAGMA journal_mode=OFF;"),
        ("synchronous-off", DATA, "PRAGMA synchronous=OFF;"),
        ("writable-schema", DATA, "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql='x';"),
        ("trusted-schema", DATA, "PRAGMA trusted_schema=ON;"),
        ("temp-store-directory", DATA, "PRAGMA temp_store_directory='/tmp';"),
        ("load-extension", DATA, "SELECT load_extension('/tmp/evil.so');"),
        ("writefile", DATA, "SELECT writefile('/tmp/godwit-evil', 'x');"),
        ("readfile", DATA, "SELECT readfile('/etc/passwd');"),
        ("drops-books", EITHER, "DROP TABLE IF EXISTS godwit_migration;"),
        ("makes-books", EITHER, "CREATE TABLE godwit_receipt(a);"),
        ("syntax", DATA, "CREATE TALBE x(a);"),
        ("nul", DATA, b"CREATE TABLE x(a);\0DROP TABLE favourites;"),
        ("invalid-utf8", DATA, b"CREATE TABLE caf\xe9(a);"),
        ("empty", OK, ""),
        ("only-a-comment", OK, "-- nothing\n/* at all */\n"),
        ("comment-without-end", EITHER, "/* CREATE TABLE x(a);"),
        ("parentheses-100000", DATA, "SELECT " + "(" * 100_000),
        ("unions-100000", DATA, "SELECT 1" + " UNION SELECT 1" * 50_000 + ";"),
        ("2-mib", DATA, "-- " + "x" * (2 << 20)),
        ("20000-statements", EITHER, "SELECT 1;" * 20_000),
        ("message-shows-controls", DATA,
         'CREATE TABLE "\x1b[2J\n\u202e"(a); CREATE TABLE "\x1b[2J\n\u202e"(a);'),
        ("drops-the-entity", frozenset({65, 78}), "DROP TABLE favourites;"),
        ("entity-becomes-view", frozenset({65, 78}),
         "ALTER TABLE favourites RENAME TO f; CREATE VIEW favourites AS SELECT * FROM f;"),
        ("endless-view", EITHER, f"CREATE VIEW v AS {endless} SELECT x FROM c;"),
        ("heavy-but-finite", EITHER, "CREATE TABLE t(a); INSERT INTO t VALUES(zeroblob(300000000));"),
        ("memory-hog", EITHER, "CREATE TABLE t(a); INSERT INTO t VALUES(hex(zeroblob(500000000)));"),
    ]


def _files() -> list[tuple[str, Codes, Change]]:
    def named(name: str) -> Change:
        return lambda folder: (folder / name).write_text("SELECT 1;")

    def special(make: Callable[[Path], object]) -> Change:
        return lambda folder: make(folder / "V0003__evil.sql")

    missing = DATA | frozenset({66})
    return [
        ("gap", DATA, named("V0009__later.sql")),
        ("version-twice", DATA, named("V0002__other.sql")),
        ("version-twice-in-digits", DATA, named("V00002__other.sql")),
        ("version-0", DATA, named("V0000__zero.sql")),
        ("version-negative", DATA, named("V-001__minus.sql")),
        ("version-huge", DATA, named("V99999999999999999999__huge.sql")),
        ("version-in-other-digits", DATA, named("V\u0663__arabic.sql")),
        ("name-steers-terminal", DATA, named("V0003\x1b[31m\n__x.sql")),
        ("name-without-version", DATA, named("evil.sql")),
        ("edited", OK, _edited),
        ("unreadable-kind-folder", missing, special(lambda path: path.mkdir())),
        ("unreadable-kind-fifo", missing, special(os.mkfifo)),
        ("link-out", EITHER | missing, special(lambda path: path.symlink_to("/etc/passwd"))),
        ("link-to-nothing", missing, special(lambda path: path.symlink_to("/nowhere"))),
        ("link-to-zero", missing, special(lambda path: path.symlink_to("/dev/zero"))),
        ("link-to-itself", missing, special(lambda path: path.symlink_to(path.name))),
        ("none", missing, lambda folder: [each.unlink() for each in folder.iterdir()]),
        ("name-not-utf8", EITHER | missing, _not_utf8),
    ]


def _edited(folder: Path) -> None:
    with open(folder / "V0001__create_store.sql", "a") as file:
        file.write("-- edited\n")


def _not_utf8(folder: Path) -> None:
    with open(os.path.join(os.fsencode(folder), b"V0003__caf\xe9.sql"), "wb") as file:
        file.write(b"SELECT 1;")
