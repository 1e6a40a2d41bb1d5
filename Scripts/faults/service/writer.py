"""The app: writes sightings into its store in transactions, in bursts, until a signal stops it.

Invariant: in every committed state the ledger's `name` is the number of sightings and its `weight` the sum of their
`seen`. Each transaction adds one to the number that the
species `number` is called by.
"""

from __future__ import annotations

import random
import signal
import sqlite3
import sys
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

LEDGER, NUMBER = "ledger", "number"
#: The app deletes as much as it adds beyond this.
MOST = 1_500


class State(NamedTuple):
    """A moment of the store."""

    sightings: int
    sum: int
    number: int


def state(store: Path) -> State | None:
    """The store's last committed state; None before the app began."""
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=30) as connection:
        rows = dict(connection.execute("SELECT id, name FROM Species WHERE id IN (?, ?)", (LEDGER, NUMBER)))
        total = connection.execute("SELECT weight FROM Species WHERE id = ?", (LEDGER,)).fetchone()
    connection.close()
    if LEDGER not in rows or NUMBER not in rows:
        return None
    return State(int(rows[LEDGER]), int(total[0]), int(rows[NUMBER]))


class App:
    """Its connection, and what it does with it."""

    def __init__(self, store: str, seed: int) -> None:
        self.chance = random.Random(seed)
        self.connection = sqlite3.connect(store, isolation_level=None, timeout=60)
        self.connection.execute("PRAGMA journal_mode = wal")
        self.connection.execute("PRAGMA wal_autocheckpoint = 200")
        self.number = 0
        self.is_stopping = False

    def live(self) -> None:
        """Writes in bursts; now and then it is quiet for a while, as apps are."""
        while not self.is_stopping:
            for _ in range(self.chance.randint(1, 60)):
                self.transact()
                time.sleep(self.chance.random() * 0.04)
            if self.chance.random() < 0.3:
                time.sleep(self.chance.uniform(0.5, 4))
            if self.chance.random() < 0.2:
                self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.connection.close()

    def transact(self) -> None:
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        execute = self.connection.execute
        execute("BEGIN IMMEDIATE")
        for _ in range(self.chance.randint(1, 12)):
            self._change(now)
        self.number += 1
        count, total = execute("SELECT count(*), coalesce(sum(seen), 0) FROM Sighting").fetchone()
        execute("DELETE FROM Species WHERE id IN (?, ?)", (LEDGER, NUMBER))
        execute("INSERT INTO Species (id, name, weight, updatedAt) VALUES (?, ?, ?, ?)", (LEDGER, str(count), total, now))
        execute("INSERT INTO Species (id, name, weight, updatedAt) VALUES (?, ?, 0, ?)", (NUMBER, str(self.number), now))
        execute("COMMIT")

    def _change(self, now: str) -> None:
        kind = self.chance.random()
        execute = self.connection.execute
        count = execute("SELECT count(*) FROM Sighting").fetchone()[0]
        if kind < 0.5 and count < MOST:
            key = f"seen-{self.number}-{self.chance.randrange(1 << 40):x}"
            values = (key, f"species-{self.chance.randrange(12):02d}", "ü\n\"" * self.chance.randrange(40),
                      self.chance.randbytes(self.chance.randrange(600)), self.chance.randrange(1 << 30), now)
            execute("INSERT INTO Sighting (id, speciesId, note, photo, seen, updatedAt) VALUES (?, ?, ?, ?, ?, ?)", values)
            return
        row = execute("SELECT rowid FROM Sighting LIMIT 1 OFFSET ?", (self.chance.randrange(count),)).fetchone()
        if kind < 0.7 and count > 100:
            execute("DELETE FROM Sighting WHERE rowid = ?", row)
        else:
            execute("UPDATE Sighting SET seen = ?, updatedAt = ? WHERE rowid = ?",
                    (self.chance.randrange(1 << 30), now, *row))


def main() -> None:
    """The store and the seed are the words of the command line."""
    app = App(sys.argv[1], int(sys.argv[2]))
    signal.signal(signal.SIGTERM, lambda *_: setattr(app, "is_stopping", True))
    app.live()
