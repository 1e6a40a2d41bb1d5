"""Reads stores with Python's own SQLite."""

from __future__ import annotations

import hashlib
from pathlib import Path

from faults import reading


def digest(path: Path) -> str:
    """A hash of every value in the app's own tables, for any order of the rows."""
    return hashlib.sha256(repr(reading.rows(path)).encode()).hexdigest()


def records(path: Path) -> int:
    """The number of rows in the app's own tables."""
    return sum(len(rows) - 1 for rows in reading.rows(path).values())


def copy_receipt(path: Path) -> str | None:
    """The run that completed the copy, by the receipt in the cloud store."""
    with reading.opened(path) as connection:
        found = connection.execute("SELECT runId FROM godwit_receipt WHERE stage = 'copy'").fetchall()
    return found[0][0].decode() if len(found) == 1 else None


def runs(path: Path) -> int:
    """The number of past runs in a store's ledger."""
    with reading.opened(path) as connection:
        if "godwit_run" not in reading.tables(connection):
            return 0
        return connection.execute("SELECT count(*) FROM godwit_run").fetchone()[0]
