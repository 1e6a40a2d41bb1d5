"""A Core Data store that its app has locked: it is only read, so whoever writes there is waited for where he must be.

In rollback mode only a commit at work keeps a reader out; with a log nobody does. What only looks at a container says
which store it could not read, and goes on with the others.
"""

from __future__ import annotations

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .. import reading
from ..birdlog import CONTAINER, LOCAL
from ..judgment import Box
from ..outcome import Outcome
from ..scenario import Scenario, execute
from ..scenarios import core_data_scenarios
from ..settings import Settings
from .commands import BUSY

NOUN = "commands at a Core Data store in use"
PATIENCE = 0.3
HOLDS = {
    "begun to write": ("BEGIN IMMEDIATE",),
    "writing": ("BEGIN IMMEDIATE", "UPDATE ZSPECIES SET Z_OPT = Z_OPT + 1"),
    "exclusive": ("BEGIN EXCLUSIVE",),
    "reading": ("BEGIN", "SELECT count(*) FROM ZSPECIES"),
}


@dataclass(frozen=True)
class Held:
    """A command that meets a store that is held."""

    scenario: Scenario
    hold: str

    @property
    def name(self) -> str:
        return f"{self.scenario.name} while the app is {self.hold} its store"

    @property
    def is_kept_out(self) -> bool:
        # Whoever sets the flag makes sure that nothing is on its way.
        if self.scenario.command in ("run", "copy"):
            return self.hold != "reading"
        return self.hold == "exclusive" and self.scenario.variant.journal != "wal"


def run(settings: Settings, outcome: Outcome) -> None:
    cases = [Held(scenario, hold) for scenario in core_data_scenarios() for hold in HOLDS
             if scenario.prepare is None]
    if settings.quick:
        cases = cases[settings.offset("old stores") % 7::7]
    boxes = {case.scenario: Box(case.scenario, settings.binary, settings.base) for case in cases}

    def one(case: Held) -> None:
        box = boxes[case.scenario]
        folder = box.copy()
        outcome.judge(case.name, judge(box, case, folder))
        box.discard(folder)

    with ThreadPoolExecutor(settings.jobs) as pool:
        list(pool.map(one, cases))


def judge(box: Box, case: Held, folder: Path) -> list[str]:
    """The app holds its store for longer than the command has patience, and rolls back."""
    app = sqlite3.connect(folder / CONTAINER / LOCAL, isolation_level=None, check_same_thread=False)
    for statement in HOLDS[case.hold]:
        app.execute(statement).fetchall()
    # The files that the app makes while it is at work are not Godwit's doing.
    during = marks(folder / CONTAINER)
    started = time.monotonic()
    done = execute([*box.argv(folder), "--lock-timeout", f"{int(PATIENCE * 1000)}ms"], folder)
    waited = time.monotonic() - started
    faults = faults_of(case, done.returncode, done.stderr, waited)
    if case.scenario.only_reads and marks(folder / CONTAINER) != during:
        faults.append("a file of the container was touched")
    app.execute("ROLLBACK")
    app.close()
    return faults + [f"left behind: {path}" for path in reading.leftovers(folder) if "-journal" not in path]


def marks(container: Path) -> dict[Path, tuple]:
    """Size and date of every file; who opens a store and closes it lets go of the locks of his own process."""
    found = {path: path.lstat() for path in container.rglob("*") if path.is_file()}
    return {path: (status.st_mode, status.st_size, status.st_mtime_ns) for path, status in found.items()}


def faults_of(case: Held, code: int, message: str, waited: float) -> list[str]:
    if not case.is_kept_out:
        return [] if code == 0 else [f"it exits {code}: {message.strip().splitlines()[:1]}"]
    # In a container a store that can't be read does not stop what looks at the others.
    if case.scenario.command == "inspect":
        return [] if code == 0 else [f"it exits {code}: {message.strip().splitlines()[:1]}"]
    if code != BUSY:
        return [f"it exits {code} instead of 75: {message.strip().splitlines()[:1]}"]
    faults = [f"it gave up after {waited:.3f} s"] if waited < PATIENCE else []
    if Path(LOCAL).name not in message:
        faults.append(f"the store is not named: {message.strip().splitlines()[:1]}")
    return faults
