"""A Core Data store that its app has locked: Godwit only reads it, and waits for a writer only if it has to.

In rollback mode only a commit keeps a reader out; with a log nothing does. `inspect` reports a store that it cannot read,
and goes on with the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .. import reading
from ..birdlog import CONTAINER, LOCAL
from ..judgment import Box
from ..outcome import Outcome
from ..scenario import Scenario
from ..scenarios import core_data_scenarios
from ..settings import Settings
from .commands import BUSY
from .heldstores import HOLDS, PATIENCE, hold, impatient

NOUN = "commands at a Core Data store in use"


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
        # A command that sets the flag makes sure that no change is pending.
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
        with boxes[case.scenario].copied() as folder:
            outcome.judge(case.name, judge(boxes[case.scenario], case, folder))

    settings.each(one, cases)


def judge(box: Box, case: Held, folder: Path) -> list[str]:
    """The app holds its store for longer than the command waits, and rolls back."""
    statements = tuple(
        text.replace("Species", "ZSPECIES").replace("name = name", "Z_OPT = Z_OPT + 1") for text in HOLDS[case.hold])
    app = hold(folder / CONTAINER / LOCAL, statements)
    # Files that the app makes while it works are not changes by Godwit.
    during = marks(folder / CONTAINER)
    done, waited = impatient(box.argv(folder), folder)
    faults = faults_of(case, done.returncode, done.stderr, waited)
    if case.scenario.only_reads and marks(folder / CONTAINER) != during:
        faults.append("a file of the container was touched")
    app.execute("ROLLBACK")
    app.close()
    return faults + [f"left behind: {path}" for path in reading.leftovers(folder) if "-journal" not in path]


def marks(container: Path) -> dict[Path, tuple]:
    """Mode, size and date of every file; opening and closing a store would release the locks of this process."""
    found = {path: path.lstat() for path in container.rglob("*") if path.is_file()}
    return {path: (status.st_mode, status.st_size, status.st_mtime_ns) for path, status in found.items()}


def faults_of(case: Held, code: int, message: str, waited: float) -> list[str]:
    # `inspect` reports a store that it cannot read, and reads the others.
    if not case.is_kept_out or case.scenario.command == "inspect":
        return [] if code == 0 else [f"it exits {code}: {message.strip().splitlines()[:1]}"]
    if code != BUSY:
        return [f"it exits {code} instead of 75: {message.strip().splitlines()[:1]}"]
    faults = [f"it gave up after {waited:.3f} s"] if waited < PATIENCE else []
    if Path(LOCAL).name not in message:
        faults.append(f"the store is not named: {message.strip().splitlines()[:1]}")
    return faults
