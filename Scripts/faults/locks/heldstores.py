"""A store that an app has locked: the command waits, then exits 75 with a clear line, or completes if the lock goes.

SQLite's rules decide which commands a lock keeps out: in rollback mode a writer that has begun keeps writers out, one
that commits keeps all out, and a reader delays a commit; with a log only writers keep each other out.
"""

from __future__ import annotations

import sqlite3
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .. import birdlog, reading
from ..birdlog import CLOUD, CONTAINER, LOCAL, Variant
from ..judgment import Box
from ..outcome import Outcome
from ..scenario import Scenario, execute, start
from ..settings import Settings
from .commands import BUSY, READING, WRITING, Command, export

NOUN = "commands at a store in use"
PATIENCE = 0.3
#: The name of each lock, and the statements of the app that takes it.
HOLDS = {
    "begun to write": ("BEGIN IMMEDIATE",),
    "writing": ("BEGIN IMMEDIATE", "UPDATE Species SET name = name"),
    "exclusive": ("BEGIN EXCLUSIVE",),
    "reading": ("BEGIN", "SELECT count(*) FROM Species"),
}


@dataclass(frozen=True)
class Held:
    """A command that meets a store that is held."""

    command: Command
    variant: Variant
    store: str
    hold: str

    @property
    def name(self) -> str:
        return f"{self.command.name} while an app is {self.hold} {self.store.rsplit('/', 1)[-1]} ({self.variant.name})"

    @property
    def is_kept_out(self) -> bool:
        """Whether the command cannot complete before the app releases its lock."""
        writers = ("run", "migrate", "dedupe") if self.store == LOCAL else ("run", "copy")
        name, has_log = self.command.name, self.variant.journal == "wal"
        if self.hold == "reading":
            return name in writers and not has_log
        if name in writers or name == "copy" and self.store == LOCAL:
            return True
        # A command that copies the files waits as well: nothing next to them shows that they are being written.
        return self.hold == "exclusive" and not has_log

    @property
    def changes_files(self) -> bool:
        """Whether the app writes when it releases its lock: its changes, or the pages of the log that it closes last."""
        return self.hold == "writing" or self.variant.journal == "wal" and self.hold != "reading"


def run(settings: Settings, outcome: Outcome) -> None:
    commands = [*WRITING, export("first.json"), *READING]
    cases = [Held(command, variant, store, hold) for variant in birdlog.VARIANTS if variant.cloud == "existing"
             for command in commands for store in (LOCAL, CLOUD) for hold in HOLDS]
    if settings.quick:
        cases = cases[settings.offset("held") % 13::13]
    boxes: dict[tuple[str, str], Box] = {}
    for case in cases:
        key = (case.command.name, case.variant.name)
        if key not in boxes:
            # A command that only reads leaves no trace, so its exit code is judged.
            command = case.command.name if case.command in WRITING else "run"
            boxes[key] = Box(Scenario(command, case.variant), settings.binary, settings.base)

    def one(case: Held) -> None:
        box = boxes[(case.command.name, case.variant.name)]
        for kind, judge in (("in vain", in_vain), ("in time", in_time)):
            with box.copied() as folder:
                outcome.judge(f"{case.name}, {kind}", judge(box, case, folder))

    settings.each(one, cases)


def hold(store: Path, statements: tuple[str, ...]) -> sqlite3.Connection:
    """An app that has a store open and has run some statements."""
    app = sqlite3.connect(store, isolation_level=None, check_same_thread=False)
    for statement in statements:
        app.execute(statement).fetchall()
    return app


def impatient(argv: list, folder: Path) -> tuple[subprocess.CompletedProcess, float]:
    """Runs a command that waits for a moment only; the seconds it took."""
    started = time.monotonic()
    done = execute([*argv, "--lock-timeout", f"{int(PATIENCE * 1000)}ms"], folder)
    return done, time.monotonic() - started


def let_go(app: sqlite3.Connection) -> list[str]:
    """Commits the changes of the app; no command may block it for longer than the command takes."""
    app.execute("PRAGMA busy_timeout = 20000")
    try:
        app.execute("COMMIT")
        return []
    except sqlite3.OperationalError as error:
        return [f"the app can't commit: {error}"]
    finally:
        app.close()


def in_vain(box: Box, case: Held, folder: Path) -> list[str]:
    """The app keeps its lock for longer than the command waits."""
    app = hold(folder / CONTAINER / case.store, HOLDS[case.hold])
    done, waited = impatient(case.command.argv(box.binary, folder), folder)
    faults = let_go(app)
    if not case.is_kept_out:
        return faults + faults_of_success(box, case, folder, done.returncode, done.stderr)
    if done.returncode != BUSY:
        return [f"it exits {done.returncode} instead of 75: {done.stderr.strip().splitlines()[:1]}"]
    if waited < PATIENCE:
        faults.append(f"it gave up after {waited:.3f} s")
    lines = [line for line in done.stderr.splitlines() if "error" in line]
    if len(lines) != 1 or case.store.rsplit("/", 1)[-1] not in lines[0]:
        faults.append(f"the store is not named in one line: {done.stderr.strip().splitlines()}")
    if reading.flag(folder / CONTAINER):
        faults.append("the flag is set")
    faults += [fault for fault in box.faults_whenever(folder) if not is_the_apps_own(case, fault)]
    again = box.run_again(folder) if case.command in WRITING else []
    return faults + [fault for fault in again if not is_the_apps_own(case, fault)]


def in_time(box: Box, case: Held, folder: Path) -> list[str]:
    """The app releases its lock while the command waits."""
    app = hold(folder / CONTAINER / case.store, HOLDS[case.hold])
    process = start(
        case.command.argv(box.binary, folder, "--lock-timeout", "90s"), folder, stdout=subprocess.DEVNULL)
    try:
        process.wait(PATIENCE if case.is_kept_out else 30)
        faults = ["it did not wait"] if case.is_kept_out else []
    except subprocess.TimeoutExpired:
        faults = [] if case.is_kept_out else ["it waits for what does not keep it out"]
    faults += let_go(app)
    try:
        _, stderr = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return [*faults, "it goes on waiting when the store is free"]
    if case.command.name == "copy" and case.store == LOCAL and case.changes_files and process.returncode == BUSY:
        # The app changed the store while it was being copied.
        return faults + [fault for fault in box.run_again(folder) if not is_the_apps_own(case, fault)]
    return faults + faults_of_success(box, case, folder, process.returncode, stderr)


def is_the_apps_own(case: Held, fault: str) -> bool:
    """The app's commit touches a file that the command only reads."""
    return case.changes_files and fault.startswith(case.store) and "was touched" in fault


def faults_of_success(box: Box, case: Held, folder: Path, code: int, message: str) -> list[str]:
    # `verify` finds that nothing was copied yet.
    if code != (1 if case.command.name == "verify" else 0):
        return [f"it exits {code}: {message.strip().splitlines()[:1]}"]
    if case.command in WRITING:
        return [fault for fault in box.faults_at_end(folder) if not is_the_apps_own(case, fault)]
    return [f"left behind: {path}" for path in reading.leftovers(folder)]
