"""Sends SIGINT, SIGTERM and SIGHUP at every call: an end within a second, a clean rollback, nothing left behind.

A command that is stopped exits 130 or 143 and is not complete; one that could no longer be stopped exits 0 and is
complete. The state of the container must agree with the code.
"""

from __future__ import annotations

import re
import signal
from collections import Counter
from pathlib import Path

from . import ending, milestones, patience, reading, tracing
from .birdlog import CONTAINER, FLAG
from .judgment import Box
from .outcome import Outcome
from .scenario import SELF, KEPT
from .scenarios import diagonal, scenarios
from .settings import Settings
from .state import made

CODES = {"SIGINT": ending.INTERRUPTED, "SIGTERM": ending.TERMINATED, "SIGHUP": ending.TERMINATED}
#: Calls that change nothing; at some of them a signal must be taken as well.
READING = ("read", "pread64", "openat", "newfstatat", "fstat", "fcntl", "flock", "lseek", "access", "getdents64",
           "close", "mmap", "readlink", "getrandom")
#: What the last of the handlers is installed with; a signal before that finds a process that has done nothing.
READY = "rt_sigaction(SIGHUP"
#: A second, and a little for strace, which stops the process at every call.
SECONDS = 1.5
SENT = re.compile(r"--- SIG(?:INT|TERM|HUP) ")
TIMED = re.compile(r"^\d+\s+(\d+\.\d+) (.*)$")


def run(settings: Settings) -> Outcome:
    tracing.require_strace()
    # Under nohup, or in the background of a script, signals are ignored, and so they would be by every command started
    # here; those that are handled are set back for it by exec.
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGHUP,)}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return sweep_all(settings)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def sweep_all(settings: Settings) -> Outcome:
    outcome = Outcome("signals", "signals")
    tally = {"at writing calls": 0, "at other calls": 0, "in pairs": 0, "while waiting or in long work": 0}
    chosen = settings.chosen(scenarios())
    slowest = 0.0
    for box, known in milestones.boxes(
            diagonal(chosen) if settings.quick and not settings.only else chosen, settings):
        sweep = Sweep(box, known, settings, outcome)
        tally["at writing calls"] += sweep.at_each(sweep.writing(), ("SIGTERM", "SIGINT"))
        tally["at other calls"] += sweep.at_each(sweep.reading(), ("SIGTERM", "SIGINT", "SIGHUP"))
        tally["in pairs"] += sweep.at_each(sweep.pairs(), ("SIGTERM", "SIGINT"), times=2)
        slowest = max(slowest, sweep.slowest)
        settings.say(f"{box.name}: {outcome.points} so far")
    if not settings.only:
        tally["while waiting or in long work"] = patience.try_all(settings, outcome)
    outcome.notes.append(", ".join(f"{count} {kind}" for kind, count in tally.items()))
    outcome.notes.append(f"the slowest ended {slowest * 1000:.0f} ms after its signal, under strace")
    return outcome


class Sweep(milestones.Sweep):
    """The signals of one scenario."""

    slowest = 0.0

    def writing(self) -> list[tracing.Point]:
        found = self.box.points()
        found.pop("exit_group", None)
        points = tracing.flat(found)
        return self._spread(points, 10 if self.settings.quick else len(points))

    def reading(self) -> list[tracing.Point]:
        """Calls after the handlers are there; before that a signal ends the process as it does any other."""
        with self.box.copied() as folder:
            recorded = tracing.follow(
                self.box.argv(folder), folder, (*READING, "rt_sigaction", "execve"), self.box.aim)
        return self._spread(points_when_ready(recorded.log, self.box.aim), 5 if self.settings.quick else 60)

    def pairs(self) -> list[tracing.Point]:
        return self._spread(self.writing(), 2 if self.settings.quick else 12)

    def _spread(self, points: list[tracing.Point], count: int) -> list[tracing.Point]:
        # In a quick sweep the two kinds of a fleet's processes share the points.
        count = -(-count // 2) if self.box.aim and self.settings.quick else count
        stride = max(1, len(points) // max(1, count))
        return points[self.settings.offset(self.box.name) % stride::stride]

    def at_each(self, points: list[tracing.Point], names: tuple[str, ...], times: int = 1) -> int:
        """One signal at each point; the names take turns, beginning with another one by the seed."""
        shift = self.settings.seed
        work = [(point, names[(place + shift) % len(names)]) for place, point in enumerate(points)]
        return sum(self.settings.each(lambda item: self.one(*item, times), work))

    def one(self, point: tracing.Point, name: str, times: int) -> bool:
        # -q leaves the line with which the process ends in the log, and with it the time.
        return self.outcome.judge(
            f"{self.box.name}, {'twice ' if times > 1 else ''}{name} at {point}",
            self.box.inject(point, f"signal={name}", lambda folder, ended: self.judge(folder, name, ended),
                            persist=times if times > 1 else False, more=("exit_group",), options=("-ttt",)))

    def judge(self, folder: Path, name: str, ended: tracing.Ending) -> list[str]:
        seconds = seconds_to_end(ended.log)
        self.slowest = max(self.slowest, seconds)
        faults = [f"it ends after {seconds:.1f} s"] if seconds > SECONDS else []
        return faults + judge(self.box, self.milestones, folder, CODES[name], ended.status, ended.stderr)


def points_when_ready(log: str, aim: str = "") -> list[tracing.Point]:
    """Calls after the handlers are there.

    Each thread's calls are counted by themselves, and a signal comes where the first of them gets so far: a number that
    the first thread had reached before is left out. Of a fleet's worker, so is one that its coordinator reaches.
    """
    if aim == tracing.WORKER:
        first = tracing.first_thread(log)
        lines = filter(None, map(tracing.LINE.match, log.splitlines()))
        reached = Counter(match[2] for match in lines if match[1] == first)
        found = points_when_ready(tracing.without_coordinator(log))
        return [point for point in found if point.number > reached[point.call]]
    counts: dict[tuple[str, str], int] = {}
    before: dict[str, int] = {}
    points, is_ready = [], False
    for line in log.splitlines():
        if not (match := tracing.LINE.match(line)):
            continue
        is_ready = is_ready or READY in line
        counts[match[1], match[2]] = number = counts.get((match[1], match[2]), 0) + 1
        if not is_ready:
            before[match[2]] = number
        elif match[2] in READING and number > before.get(match[2], 0):
            points.append(tracing.Point(match[2], number))
    return list(dict.fromkeys(points))


def judge(
    box: Box, known: milestones.Milestones, folder: Path, code: int, status: int | None, stderr: str
) -> list[str]:
    """What is wrong after a signal, and after the next run."""
    faults = box.faults_of_fleet(status)
    status, stderr = box.reported(folder, status, stderr)
    faults += ending.faults_of_status(status, {ending.DONE, code}) + ending.leftovers(folder)
    if status == ending.DONE:
        return faults + box.faults_at_end(folder) or box.run_again(folder)
    faults += box.faults_whenever(folder) or known.faults(folder)
    faults += ending.faults_of_message(stderr, folder, box.scenario.product, names_file=False)
    if "cancelled" not in stderr:
        faults.append(f"it does not say that it was cancelled: {stderr.splitlines()[-2:]}")
    # A coordinator says how many containers are complete, and nothing about the others.
    says_flag = box.aim != tracing.COORDINATOR
    # The flag is the last of the copy. A command that is stopped after that, in the proof that follows, must say that it is set.
    if says_flag and reading.flag(folder / CONTAINER) and not box.before.flag and f"flag {FLAG} set" not in stderr:
        faults.append("it says that it was cancelled, and not that the flag is set")
    # A stopped command may have changed a folder of exports, and the next one goes on from there. The same holds for a
    # container that the journal of a fleet calls complete.
    is_known = box.scenario.product == KEPT or box.journal(folder).is_done(SELF)
    if not is_known and made(folder, box.scenario.product):
        faults.append("it says that it was cancelled, and its product is there")
    return faults or box.run_again(folder)


def seconds_to_end(log: str) -> float:
    """From the signal's arrival to the last call; 0 where the process died of it."""
    arrived = left = None
    for line in log.splitlines():
        if match := TIMED.match(line):
            if arrived is None and SENT.match(match[2]):
                arrived = float(match[1])
            if match[2].startswith("exit_group"):
                left = float(match[1])
    return left - arrived if arrived is not None and left is not None else 0.0
