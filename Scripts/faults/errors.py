"""Fails disks and rights: an error at every kind of writing call, once and from then on.

Each failing call must end the command with the code of its error, one clear line, and the stores in the state of some
commit; or the call does not matter, and everything is complete. An undisturbed run afterwards completes.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from . import ending, flushing, milestones, tracing
from .outcome import Outcome
from .scenario import execute
from .scenarios import diagonal, scenarios
from .settings import Settings

#: Each of the twelve modes gets at least so many points over all scenarios in the full sweep.
POINTS = 520
#: An interruption goes on for so many calls, not forever.
INTERRUPTIONS = 20
#: Calls that are repeated if the system interrupts them. At any other call EINTR is an error like the rest.
REPEATED = {"write", "pwrite64", "open", "openat", "ftruncate", "copy_file_range"}
#: An error that goes on may meet the index of a log later on.
FAILED_INDEX = re.compile(r"\(\d+<([^>]*-shm)>.*\(INJECTED\)")
#: The code in the row of a container whose worker ended without an answer.
WORKER_GONE = 70
#: If these fail, the file stays until the next run.
REMOVING = {"unlink", "unlinkat", "rmdir"}


@dataclass(frozen=True)
class Mode:
    """One error, at one call or from it on."""

    error: str
    persists: bool

    def __str__(self) -> str:
        return self.error + ("+" if self.persists else "")

    @property
    def persist(self) -> bool | int:
        return INTERRUPTIONS if self.persists and self.error == "EINTR" else self.persists

    def allowed(self, call: str, path: str) -> set[int]:
        """The codes that are right; 0 is judged by what is there.

        `path` is that of the file the call is about, and "1" for standard output, whose errors are all 74.
        """
        if self.error == "EINTR":
            return {ending.DONE} if call in REPEATED else {ending.DONE, ending.IO}
        allowed = {ending.DONE, ending.IO if path == "1" else ending.CODES[self.error]}
        # Of the index of a log SQLite does not say why it could not be made larger.
        if call == "ftruncate" or path.endswith("-shm"):
            allowed.add(ending.IO)
        if call in tracing.OPENING:
            # SQLite opens for reading what it cannot open for writing, for any reason: a store is then read-only, and a
            # journal missing or not writable.
            if path.endswith((".store", "-wal", "-shm")) or "/.godwit-import-" in path or "/.godwit-tmp-" in path:
                allowed.add(ending.PERMISSION)
            if path.endswith(("-journal", "-wal", "-shm")):
                allowed.add(ending.IO)
        return allowed

    def forgives_missing_link(self, call: str, path: str) -> bool:
        """Where links can't be made, as on some volumes, exports are kept without one that leads to the latest."""
        makes_link = call.startswith("symlink") or call.startswith("rename") and "/.godwit-link-" in path
        return makes_link and ending.CODES.get(self.error) == ending.PERMISSION

    def forgives_leftovers(self, call: str) -> bool:
        # A folder that can't be opened can't be emptied either.
        return call in REMOVING or call in tracing.OPENING and self.persists


MODES = [Mode(error, persists) for error in ("ENOSPC", "EIO", "EDQUOT", "EROFS", "EACCES", "EINTR")
         for persists in (False, True)]


def run(settings: Settings) -> Outcome:
    tracing.require_strace()
    outcome = Outcome("errors", "failing calls")
    tally = dict.fromkeys(map(str, MODES), 0)
    chosen = settings.chosen(scenarios())
    # The quick sweep takes every command once, each on another kind of container.
    if settings.quick and not settings.only:
        chosen = diagonal(chosen)
    share = 2 if settings.quick else -(-POINTS // max(1, len(chosen)))
    flushes = 0
    for box, known in milestones.boxes(chosen, settings):
        sweep = Sweep(box, known, settings, outcome)
        # In a quick sweep the two kinds of a fleet's processes share the points.
        mine = share if not box.aim or not settings.quick else -(-share // 2)
        for mode in MODES:
            tally[str(mode)] += sweep.fail(mode, mine)
        flushes += flushing.sweep(box, known, settings, outcome)
        settings.say(f"{box.name}: {outcome.points} points so far")
    outcome.notes.append(", ".join(f"{count} {mode}" for mode, count in tally.items()))
    outcome.notes.append(f"{flushes} failed flushes followed")
    return outcome


class Sweep(milestones.Sweep):
    """The failing calls of one scenario."""

    @cached_property
    def points(self) -> dict[str, list[int]]:
        found = self.box.points()
        found.pop("exit_group", None)
        return found

    @cached_property
    def report(self) -> str:
        """The report of an undisturbed run."""
        with self.box.copied() as folder:
            return ending.text_of(execute(self.box.argv(folder), folder).stdout, folder)

    def fail(self, mode: Mode, count: int) -> int:
        """Fails some points of each call; each mode takes other points, so that together they try many."""
        choice = random.Random(f"{self.settings.seed} {self.box.name} {mode}")
        return sum(self.settings.each(lambda point: self.one(point, mode), spread(self.points, count, choice)))

    def one(self, point: tracing.Point, mode: Mode) -> bool:
        return self.outcome.judge(f"{self.box.name}, {mode} at {point}", self.box.inject(
            point, f"error={mode.error}", lambda folder, ended: self.judge(folder, point, mode, ended),
            persist=mode.persist, options=("-y",)))

    def without_named(self, faults: list[str], folder: Path) -> list[str]:
        """An inspection may say that it could not read a store, with the reason, and show all the others."""
        if self.box.scenario.command != "inspect" or "not read" not in _inspection(folder):
            return faults
        return [fault for fault in faults if "product" not in fault and "output" not in fault]

    def judge(self, folder: Path, point: tracing.Point, mode: Mode, ended: tracing.Ending) -> list[str]:
        """What is wrong after the failing call, and after the next run."""
        path = next(iter(FAILED_INDEX.findall(ended.log)), failed_path(ended.log))
        allowed = mode.allowed(point.call, failed_path(ended.log)) | mode.allowed(point.call, path)
        status, stderr = self.box.reported(folder, ended.status, ended.stderr)
        if status == WORKER_GONE and (path.startswith("pipe:") or path == "1" and self.box.aim == tracing.WORKER):
            # A process that cannot pass on an order, or an answer, counts as dead; real pipes do not fail like that.
            return self.box.faults_whenever(folder) or self.milestones.faults(folder) or self.box.run_again(folder)
        faults = ending.faults_of_status(status, allowed) + self.box.faults_of_fleet(ended.status)
        forgiven = mode.forgives_leftovers(point.call)
        if status == ending.DONE:
            faults += self.without_named(self.box.faults_at_end(folder), folder)
            # The text of a plan that is saved may be lost: nothing is missing if no one can read it.
            if path == "1" and self.box.scenario.command == "plan":
                pass
            elif ending.text_of(ended.stdout, folder) != self.report:
                faults.append("it exits 0, and its report differs")
        else:
            faults += self.box.faults_whenever(folder) or self.milestones.faults(folder)
            faults += ending.leftovers(folder, but_journals=True)
            # A command that cannot write cannot say why.
            if not (point.call in ("write", "writev") and mode.persists):
                faults += ending.faults_of_message(stderr, folder, self.box.scenario.product)
        faults = faults or self.box.run_again(folder)
        if mode.forgives_missing_link(point.call, path):
            faults = [fault for fault in faults if "product differs" not in fault]
        return [fault for fault in faults if not (forgiven and fault.startswith("left behind"))]


def _inspection(folder: Path) -> str:
    """What an inspection has written, on one line."""
    path = folder / "out" / "inspection.txt"
    return " ".join(path.read_text().split()) if path.exists() else ""


def failed_path(log: str) -> str:
    """The file that the failing call is about; "1" for standard output, empty where it has none."""
    # One for each thread that has got so far.
    lines = [line for line in log.splitlines() if "(INJECTED)" in line]
    if any(re.match(r"^\d+\s+writev?\(1[,<]", line) for line in lines):
        return "1"
    first = lines[0] if lines else ""
    named = re.search(r"\(\d+<([^>]*)>", first) or re.search(r'"([^"]*)"', first)
    return named[1] if named else ""


def spread(found: dict[str, list[int]], count: int, choice: random.Random) -> list[tracing.Point]:
    """So many points, in turn from each call, so that calls that are made once or twice are not missed."""
    queues = {call: choice.sample(numbers, len(numbers)) for call, numbers in sorted(found.items())}
    taken: list[tracing.Point] = []
    while len(taken) < count and any(queues.values()):
        for call, numbers in queues.items():
            if numbers and len(taken) < count:
                taken.append(tracing.Point(call, numbers.pop()))
    return taken
