"""How long a command takes, by the clock and of the processors, and how much memory it has at the most.

Every round, each work finds what it reads in the system's cache of files, and nothing of the others' products still to
be written: those are deleted and the disk is waited for, outside of the time.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from .filling import Filling


@dataclass(frozen=True)
class Work:
    """A command of the shell, the file it writes, if any, what is to be done before it each time, and what it reads."""

    name: str
    command: str
    product: Path | None = None
    before: str = ""
    reads: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Taken:
    """One call. The memory, in MiB, is that of the process, or of the largest of a pipe of several."""

    seconds: float
    processors: float
    mebibytes: float


@dataclass(frozen=True)
class Measured:
    """All rounds of one work; `size` is that of its product in bytes, 0 where it has none."""

    work: Work
    rounds: tuple[Taken, ...]
    size: int

    @property
    def seconds(self) -> float:
        return median(one.seconds for one in self.rounds)

    @property
    def spread(self) -> float:
        return max(one.seconds for one in self.rounds) - min(one.seconds for one in self.rounds)

    @property
    def processors(self) -> float:
        """Seconds of all processors together, for the program and for the system."""
        return median(one.processors for one in self.rounds)

    @property
    def mebibytes(self) -> float:
        """The most of any round: a bound is kept always or not at all."""
        return max(one.mebibytes for one in self.rounds)


def alternately(works: list[Work], rounds: int, filling: Filling | None = None) -> list[Measured]:
    """Each round runs all of them once, so that what else the machine does meets all of them alike."""
    taken: dict[str, list[Taken]] = {work.name: [] for work in works}
    sizes: dict[str, int] = {}
    for number in range(rounds):
        # No one is always the first after another's writes.
        turn = number % len(works)
        for work in works[turn:] + works[:turn]:
            prepare(work, filling)
            taken[work.name].append(run(work.command))
            sizes[work.name] = work.product.stat().st_size if work.product else 0
            discard(work)
    return [Measured(work, tuple(taken[work.name]), sizes[work.name]) for work in works]


def prepare(work: Work, filling: Filling | None = None) -> None:
    """A fresh state, on the disk, and in the cache."""
    if work.product:
        work.product.unlink(missing_ok=True)
    if work.before:
        run(work.before)
    os.sync()
    # Before what the work reads: that is the newest in the cache then.
    if filling:
        filling.fill()
    for path in work.reads:
        with path.open("rb", buffering=0) as file:
            while file.read(1 << 20):
                pass


def discard(work: Work) -> None:
    """No other work shall pay for writing it to the disk."""
    if work.product:
        work.product.unlink()
    os.sync()


def run(command: str) -> Taken:
    """Runs it by bash; any other exit than 0 ends the benchmark."""
    # The memory that the system reports of a process begins with what its parent had, and Python is larger than sqlite3:
    # the small `time` is the parent here.
    with TemporaryDirectory(prefix="bench-") as folder:
        memory = Path(folder) / "memory"
        start = time.perf_counter()
        process = subprocess.Popen(
            ["time", "--format=%M", f"--output={memory}", "--quiet", "bash", "-o", "pipefail", "-c", command],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        assert process.stderr
        with process.stderr as stream:
            try:
                errors = stream.read()
                _, status, usage = os.wait4(process.pid, 0)
            except BaseException:
                # The end of the benchmark ends what it measures, before its folder is taken away. All of it: `time` ends
                # at once, and what it called has still to report what it left undone.
                os.killpg(process.pid, signal.SIGTERM)
                stream.read()
                process.wait()
                raise
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if status != 0:
            raise SystemExit(f"bench: failed with {process.returncode}: {command}\n{errors.decode()}")
        return Taken(seconds, usage.ru_utime + usage.ru_stime, int(memory.read_text()) / 1024)
