"""One step: a few commands, whose output goes to a log."""

from __future__ import annotations

import os
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from .counting import COLOR, Counts, one_check

#: How many lines of a step that failed are shown.
MAX_LINES_SHOWN = 40
#: The exit status of a script that can't run here, as in Automake's test protocol.
EXIT_SKIPPED = 77


@dataclass
class Step:
    """Commands under one name, and how their output is counted."""

    name: str
    commands: list[list[str]]
    count: Callable[[list[str]], Counts] = one_check
    environment: dict[str, str] = field(default_factory=dict)
    #: Whether a line belongs to the description of a failure; such a line is shown at once.
    failure: Callable[[str], bool] | None = None
    #: Whether no later step can run after this one has failed.
    is_required: bool = False
    #: Whether the commands run side by side, instead of one after another until one fails.
    is_side_by_side: bool = False


@dataclass
class Result:
    """What came of a step."""

    step: Step
    counts: Counts
    seconds: float
    log: Path
    #: The lines that say what failed; empty where nothing did.
    failures: list[str]


def run(step: Step, folder: Path, show: Callable[[str], None]) -> Result:
    """Runs a step's commands. The lines that say what failed are also handed to `show`, when they are printed."""
    started = time.monotonic()
    log = folder / (step.name.replace(" ", "-") + ".log")
    lines: list[str] = []
    failures: list[str] = []
    with log.open("w", encoding="utf-8") as file:
        def follow(command: list[str]) -> tuple[int, list[str]]:
            return _follow(command, step, file, lines, failures, show), command

        if step.is_side_by_side:
            with ThreadPoolExecutor() as threads:
                ends = list(threads.map(follow, step.commands))
            status, command = next((end for end in ends if end[0] != 0), ends[-1])
        else:
            for each in step.commands:
                status, command = follow(each)
                if status != 0:
                    break
    counts = step.count(lines)
    if status == EXIT_SKIPPED:
        counts = Counts(skipped=counts.skipped or Counter([lines[0] if lines else "no reason is given"]))
    elif status != 0:
        counts.failed = max(1, counts.failed)
        if step.count is one_check:
            counts.passed = 0
        if not failures:
            failures = [f"exit status {status} of: {' '.join(command)}"] + lines[-MAX_LINES_SHOWN:]
            for line in failures:
                show(line)
    return Result(step, counts, time.monotonic() - started, log, failures if counts.failed else [])


def _follow(command: list[str], step: Step, file: TextIO, lines: list[str], failures: list[str],
            show: Callable[[str], None]) -> int:
    """Runs one command, line by line; returns its exit status."""
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=os.environ | step.environment)
    except OSError as error:
        lines.append(f"{command[0]}: {error.strerror}")
        return 127
    with process, process.stdout as output:
        for raw in output:
            line = COLOR.sub("", raw.decode("utf-8", "replace")).rstrip()
            file.write(line + "\n")
            lines.append(line)
            if step.failure and step.failure(line):
                failures.append(line)
                show(line)
    status = process.returncode
    # A signal's number is negative here; a shell would add it to 128.
    return 128 - status if status < 0 else status
