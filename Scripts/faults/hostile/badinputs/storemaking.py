"""Ways to make a store that is wrong in one respect: SQL, bytes, or rows of its schema table.

All begin with the schema of the probe app's first migration, so that Godwit refuses a store for what is wrong with it,
and not because it belongs to another app.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

#: The probe app's V0001, see `apps.py`.
SCHEMA = """CREATE TABLE favourites(id TEXT PRIMARY KEY, title TEXT, added REAL, rank INTEGER, data BLOB);
CREATE TABLE settings(id INTEGER PRIMARY KEY, name TEXT, value TEXT);
CREATE INDEX fav_rank ON favourites(rank);
"""

#: Begins every text value of a store; no message may ever show it.
MARK = "Pssst-"

Build = Callable[[Path], None]


def fill(connection: sqlite3.Connection, rows: int) -> None:
    """Schema and records."""
    connection.executescript(SCHEMA)
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO favourites VALUES(?,?,?,?,?)",
        [(f"f{n:04}", f"{MARK}title {n}", 7e8 + n, n, bytes([n % 256]) * 40) for n in range(rows)])
    connection.execute("INSERT INTO settings VALUES(1, 'theme', ?)", (MARK + "dark",))
    connection.execute("COMMIT")


def store(path: Path, sql: str = "", rows: int = 20, before: str = "") -> sqlite3.Connection:
    """Makes a good store, then runs some SQL in it."""
    connection = sqlite3.connect(path, isolation_level=None)
    if before:
        connection.executescript(before)
    fill(connection, rows)
    if sql:
        connection.executescript(sql)
    return connection


def by_sql(sql: str = "", rows: int = 20, before: str = "") -> Build:
    """A good store and some SQL."""

    def build(path: Path) -> None:
        store(path, sql, rows, before).close()

    return build


def by_bytes(
    change: Callable[[bytearray], bytes | bytearray], sql: str = "", rows: int = 20, before: str = ""
) -> Build:
    """A good store whose bytes are changed."""

    def build(path: Path) -> None:
        store(path, sql, rows, before).close()
        path.write_bytes(change(bytearray(path.read_bytes())))

    return build


def put(offset: int, value: bytes) -> Callable[[bytearray], bytearray]:
    """Overwrites bytes at an offset."""

    def change(content: bytearray) -> bytearray:
        content[offset:offset + len(value)] = value
        return content

    return change


def by_schema(statement: str, values: Sequence[tuple] = ((),), make: str = "") -> Build:
    """A good store, after some SQL, in which a statement changes `sqlite_schema`: what a hostile file can hold."""

    def build(path: Path) -> None:
        with closing(store(path, make)) as connection:
            connection.execute("PRAGMA writable_schema=ON")
            connection.executemany(statement, values)
            connection.execute("PRAGMA schema_version=99")

    return build


def by_schema_rows(*rows: tuple[str, str, str, int | None, str | None]) -> Build:
    """Rows put into `sqlite_schema` as they are."""
    return by_schema("INSERT INTO sqlite_schema(type, name, tbl_name, rootpage, sql) VALUES(?,?,?,?,?)", rows)


def by_new_text(make: str, name: str, text: str) -> Build:
    """A valid object whose text in `sqlite_schema` is then another."""
    return by_schema("UPDATE sqlite_schema SET sql=? WHERE name=?", [(text, name)], make)
