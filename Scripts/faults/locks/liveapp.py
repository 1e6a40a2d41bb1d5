"""The app that goes on while Godwit works: what it writes, and how it behaves at a lock."""

from __future__ import annotations

import os
import plistlib
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path

from .. import birdlog, reading
from ..birdlog import PREFERENCES

DATE = "2026-11-01T08:00:00.000Z"
ROWS = {
    "Species": {"id": "species-app", "name": "Late bird", "weight": 4.75, "updatedAt": DATE},
    "Sighting": {"id": "sighting-app", "speciesId": "species-app", "note": "late", "photo": b"\x01\x02", "seen": 5,
                 "updatedAt": DATE},
}
LATE_KEY = "writtenMeanwhile"
#: SQLite's messages if another process is at work; the second if that one is stopped while it prepares a log.
BUSY = ("database is locked", "locking protocol")


@dataclass
class Write:
    """What became of the app's transaction."""

    #: Whether it was committed.
    done: bool = False
    #: Whether the flag was still false after the commit: then a flag set later must speak for these records as well.
    before_flag: bool = False


def write_once(container: Path, target: str, living: sqlite3.Connection | None, patience: float) -> Write:
    """The app's write, and whether it came ahead of the flag."""
    if target == PREFERENCES:
        write_preferences(container / PREFERENCES)
        return Write(True, not reading.flag(container))
    connection = living or sqlite3.connect(container / target, isolation_level=None, timeout=patience)
    connection.execute(f"PRAGMA busy_timeout = {int(patience * 1000)}")
    try:
        insert(connection)
    except sqlite3.OperationalError as error:
        if not any(word in str(error) for word in BUSY):
            raise
        return Write()
    finally:
        if not living:
            connection.close()
    return Write(True, not reading.flag(container))


def insert(connection: sqlite3.Connection) -> None:
    """Two records that belong together, in one transaction."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        for table, row in ROWS.items():
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            connection.execute(f"INSERT INTO {table}({names}) VALUES ({marks})", tuple(row.values()))
        end = time.monotonic() + (connection.execute("PRAGMA busy_timeout").fetchone()[0] / 1000)
        while True:
            try:
                connection.execute("COMMIT")
                return
            except sqlite3.OperationalError:
                # Readers kept it from committing; the transaction is still open and may be tried again.
                if time.monotonic() >= end:
                    raise
                time.sleep(0.01)
    except sqlite3.OperationalError:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def write_preferences(path: Path) -> None:
    """As the preferences daemon does: a new file in the old one's place, made from what it knew."""
    keys = plistlib.loads(path.read_bytes())
    keys[LATE_KEY] = True
    made = path.with_name("made-by-the-app.plist")
    made.write_bytes(plistlib.dumps(keys, fmt=plistlib.FMT_BINARY))
    # What is imported is dated with the file: with its old time the result stays comparable.
    os.utime(made, (birdlog.SAVED, birdlog.SAVED))
    made.rename(path)
