"""The system releases all locks of a process on a file when the process closes any descriptor on it.

So Godwit may close no descriptor on a store while SQLite holds a lock through another one: an app could then commit in
the middle of what Godwit reads or writes. <https://sqlite.org/howtocorrupt.html>, section 2.2.
"""

from __future__ import annotations

import re
from pathlib import Path

from .. import birdlog
from ..judgment import Box
from ..outcome import Outcome
from ..scenario import Scenario, execute
from ..scenarios import scenarios
from ..settings import Settings

NOUN = "commands whose locks were followed"
CALL = re.compile(r"^(\d+)\s+(?:<\.\.\. )?(\w+)(?:\((\d+)<([^>]*)>)?")


def run(settings: Settings, outcome: Outcome) -> None:
    # The worker of a fleet is the single command, and its descriptors would be confused with the other process' here.
    plans = [scenario for scenario in scenarios() if not scenario.is_fleet]
    plans += [Scenario("copy", variant, before=(("migrate",), ("dedupe",)), title="copy of a ready store")
              for variant in birdlog.VARIANTS]
    plans += [Scenario("export", variant, ("-o", "{out}/birdlog.json"), before=(("run",),), product="birdlog.json",
                       title="export after a run") for variant in birdlog.VARIANTS]
    if settings.quick:
        plans = plans[settings.offset("descriptors") % 5::5]
    for scenario in settings.chosen(plans):
        box = Box(scenario, settings.binary, settings.base)
        with box.copied() as folder:
            outcome.judge(f"{scenario.name}, locks followed", sorted(set(dropped_locks(trace(box, folder), folder))))


def trace(box: Box, folder: Path) -> list[str]:
    log = folder.with_suffix(".locks")
    execute(
        ["strace", "-f", "-qq", "-y", "-s", "0", "-o", log, "-e", "trace=close,fcntl,dup2,dup3", "--",
         *box.argv(folder)], folder, check=True)
    lines = log.read_text(errors="replace").splitlines()
    log.unlink()
    return lines


def dropped_locks(lines: list[str], folder: Path) -> list[str]:
    """Stores below a folder of which a descriptor was closed while another one of them held a lock.

    A line of two halves, where a second thread came in between, is read at its first half.
    """
    held: dict[str, dict[str, set[str]]] = {}
    found = []
    for line in lines:
        match = CALL.match(line)
        if not match or not match[4] or not match[4].startswith(str(folder)):
            continue
        call, descriptor, path = match[2], match[3], match[4].removesuffix(" (deleted)")
        if call == "fcntl" and "F_SETLK" in line and " = -1" not in line:
            ranges = held.setdefault(path, {}).setdefault(descriptor, set())
            start = re.search(r"l_start=(\d+)", line)
            if "F_UNLCK" not in line:
                ranges.add(start[1] if start else "")
            elif start and start[1] == "0":
                ranges.clear()
            else:
                ranges.discard(start[1] if start else "")
        elif call == "close":
            others = held.get(path, {})
            others.pop(descriptor, None)
            if any(others.values()):
                found.append(f"{Path(path).name}: a descriptor was closed while another held a lock")
    return found
