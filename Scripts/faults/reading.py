"""Reads what a container holds, without Godwit and without changing it.

Stores are read from copies in memory: opening them in place would roll back journals and change bytes.
"""

from __future__ import annotations

import hashlib
import os
import plistlib
import shutil
import sqlite3
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

from . import birdlog

Row = tuple
Rows = dict[str, list[Row]]
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class Text(bytes):
    """A text of a store as its bytes, which need not be UTF-8; another type than a blob."""


@contextmanager
def opened(store: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a private copy of a store with its journals; recovery happens in the copy."""
    with tempfile.TemporaryDirectory(prefix="faults-read-", dir=MEMORY) as folder:
        copy = Path(folder) / store.name
        for suffix in ("", "-wal", "-journal"):
            source = Path(str(store) + suffix)
            if source.exists():
                shutil.copyfile(source, str(copy) + suffix)
        connection = sqlite3.connect(copy)
        connection.text_factory = Text
        try:
            yield connection
        finally:
            connection.close()


def tables(connection: sqlite3.Connection) -> set[str]:
    return {name.decode() for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def rows(store: Path) -> Rows:
    """Every row of every table of the app, with storage classes, sorted."""
    with opened(store) as connection:
        found: Rows = {}
        for table in sorted(tables(connection)):
            if table.startswith(("godwit_", "sqlite_")):
                continue
            cursor = connection.execute(f'SELECT * FROM "{table}"')
            names = tuple(column[0] for column in cursor.description)
            found[table] = [names] + sorted(((tuple(typed(v) for v in row)) for row in cursor), key=repr)
        return found


def typed(value: object) -> tuple[str, object]:
    """A value with its storage class: 1, 1.0 and '1' are three values to an app."""
    return (type(value).__name__, repr(value) if isinstance(value, float) else value)


def removed(store: Path) -> Counter:
    """The records that Godwit set aside, without the ids and times that differ from run to run."""
    return _counted(store, "godwit_removed", "entity, key, record, reason, winnerKey")


def changed(store: Path) -> Counter:
    return _counted(store, "godwit_changed", 'entity, key, "column", oldValue, newValue, reason')


def _counted(store: Path, table: str, columns: str) -> Counter:
    with opened(store) as connection:
        if table not in tables(connection):
            return Counter()
        return Counter(connection.execute(f"SELECT {columns} FROM {table}").fetchall())


def receipts(store: Path) -> set[str]:
    """The stages a store says were completed."""
    if not store.exists():
        return set()
    with opened(store) as connection:
        if "godwit_receipt" not in tables(connection):
            return set()
        return {stage.decode() for (stage,) in connection.execute("SELECT stage FROM godwit_receipt")}


def completed_runs(store: Path) -> int:
    """The number of runs that a store's history calls done."""
    with opened(store) as connection:
        if "godwit_run" not in tables(connection):
            return 0
        done = "SELECT count(*) FROM godwit_run WHERE command = 'run' AND outcome = 'done'"
        return connection.execute(done).fetchone()[0]


def migrations(store: Path) -> list[Row]:
    """The schema files a store says were applied to it, without the times."""
    with opened(store) as connection:
        if "godwit_migration" not in tables(connection):
            return []
        return sorted(connection.execute("SELECT version, name, checksum FROM godwit_migration"))


def is_sound(store: Path) -> bool:
    """Whether SQLite finds nothing wrong with a store; one that it cannot open is not sound."""
    try:
        with opened(store) as connection:
            return connection.execute("PRAGMA integrity_check").fetchall() == [(b"ok",)]
    except sqlite3.DatabaseError:
        return False


def flag(container: Path) -> bool:
    """The completion flag as an app reads it."""
    with open(container / birdlog.PREFERENCES, "rb") as file:
        return plistlib.load(file).get(birdlog.FLAG, False) is True


def other_keys(container: Path) -> dict[str, object]:
    """All of the preferences but the flag, each value with its type."""
    with open(container / birdlog.PREFERENCES, "rb") as file:
        found = plistlib.load(file)
    found.pop(birdlog.FLAG, None)
    return {key: tree(value) for key, value in found.items()}


def tree(value: object) -> object:
    """A value of a property list with the types of all its parts: to Python, 1, 1.0 and True are equal."""
    if isinstance(value, dict):
        return {key: tree(inner) for key, inner in value.items()}
    return [tree(inner) for inner in value] if isinstance(value, list) else typed(value)


def fingerprint(path: Path) -> tuple:
    """Mode, size, time and bytes of a file, without access times, which reading changes."""
    status = path.lstat()
    content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    return (status.st_mode, status.st_size, status.st_mtime_ns, content)


def listing(folder: Path) -> dict[str, tuple]:
    """Every file below a folder with its fingerprint, and the names of the folders."""
    found = {}
    for path in sorted(folder.rglob("*")):
        found[str(path.relative_to(folder))] = () if path.is_dir() and not path.is_symlink() else fingerprint(path)
    return found


def leftovers(folder: Path) -> list[str]:
    """Temporary files and scratch folders of Godwit, and journals that only an interrupted writer leaves.

    The journal of a store that was being written when a run made its backup belongs into the backup.
    """
    return [
        str(path.relative_to(folder)) for path in sorted(folder.rglob("*"))
        if path.name.startswith((".godwit-", "godwit-scratch-"))
        or path.name.endswith("-journal") and path.stat().st_size > 0 and folder / "out" / "backups" not in path.parents
    ]
