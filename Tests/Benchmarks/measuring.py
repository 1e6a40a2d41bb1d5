"""How long a command takes, and how much memory it has at the most."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median


@dataclass(frozen=True)
class Work:
    """A command of the shell, and the file it writes."""

    name: str
    command: str
    product: Path


@dataclass(frozen=True)
class Measured:
    """Medians over the rounds; of a pipe of several programs the memory is that of the largest."""

    work: Work
    seconds: float
    spread: float
    mebibytes: float
    size: int


def alternately(works: list[Work], rounds: int) -> list[Measured]:
    """Each round runs all of them once, so that what else the machine does meets all of them alike."""
    seconds: dict[str, list[float]] = {work.name: [] for work in works}
    memory: dict[str, list[float]] = {work.name: [] for work in works}
    sizes: dict[str, int] = {}
    for number in range(rounds):
        # No one is always the first after another's writes.
        turn = number % len(works)
        for work in works[turn:] + works[:turn]:
            work.product.unlink(missing_ok=True)
            took, peak = run(work.command)
            seconds[work.name].append(took)
            memory[work.name].append(peak)
            sizes[work.name] = work.product.stat().st_size
            work.product.unlink()
    return [Measured(work, median(seconds[work.name]), max(seconds[work.name]) - min(seconds[work.name]),
                     median(memory[work.name]), sizes[work.name]) for work in works]


def run(command: str) -> tuple[float, float]:
    """Seconds and mebibytes."""
    start = time.perf_counter()
    process = subprocess.Popen(["bash", "-o", "pipefail", "-c", command], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"bench: failed with {os.waitstatus_to_exitcode(status)}: {command}\n{errors.decode()}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024
