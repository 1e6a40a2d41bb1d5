"""Stores, read by Python's own SQLite."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote


def _open(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True))


def _tables(connection: sqlite3.Connection) -> list[str]:
    found = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'godwit_*' AND name NOT GLOB 'sqlite_*'"
        " ORDER BY name")
    return [row[0] for row in found]


def _rows(connection: sqlite3.Connection, table: str) -> Iterator[str]:
    return iter(sorted(repr(row) for row in connection.execute(f'SELECT * FROM "{table}"')))


def digest(path: Path) -> str:
    """A hash of every value in the app's own tables, whatever the order of the rows."""
    sums = hashlib.sha256()
    with _open(path) as connection:
        for table in _tables(connection):
            sums.update(f"{table}\n".encode())
            for row in _rows(connection, table):
                sums.update(f"{row}\n".encode())
    return sums.hexdigest()


def records(path: Path) -> int:
    """How many rows there are in the app's own tables."""
    with _open(path) as connection:
        return sum(connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in _tables(connection))


def copy_receipt(path: Path) -> str | None:
    """The run that completed the copy, by the receipt in the cloud store."""
    with _open(path) as connection:
        found = connection.execute("SELECT runId FROM godwit_receipt WHERE stage = 'copy'").fetchall()
    return found[0][0] if len(found) == 1 else None


def runs(path: Path) -> int:
    """How many past runs a store's bookkeeping knows."""
    with _open(path) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'godwit_run'").fetchone():
            return 0
        return connection.execute("SELECT count(*) FROM godwit_run").fetchone()[0]
