"""Many runs at once on one container: exactly one does the work."""

from __future__ import annotations

import json
from collections import Counter
from subprocess import TimeoutExpired

from .. import birdlog
from ..judgment import Box
from ..outcome import Outcome
from ..scenario import Scenario, start
from ..settings import Settings

NOUN = "runs in crowds"


def run(settings: Settings, outcome: Outcome) -> None:
    rounds, size = (2, 12) if settings.quick else (20, 50)
    boxes = [Box(Scenario("run", variant), settings.binary, settings.base) for variant in birdlog.VARIANTS]
    for number in range(rounds):
        box = boxes[number % len(boxes)]
        # In every second round they do not wait, and many exit 75.
        patience = "120s" if number % 2 == 0 else "0s"
        outcome.points += size - 1
        outcome.judge(f"{size} runs at once, {box.scenario.variant.name}, --lock-timeout {patience}",
                      crowd(box, size, patience))


def crowd(box: Box, size: int, patience: str) -> list[str]:
    folder = box.copy()
    argv = [*box.argv(folder), "--json", "--lock-timeout", patience]
    runs = [start(argv, folder) for _ in range(size)]
    outcomes: Counter[str] = Counter()
    faults = []
    for process in runs:
        try:
            stdout, stderr = process.communicate(timeout=300)
        except TimeoutExpired:
            process.kill()
            process.communicate()
            faults.append("one hangs")
            continue
        if process.returncode == 0:
            outcomes[json.loads(stdout)["outcome"]] += 1
        elif process.returncode == 75 and patience == "0s":
            outcomes["75"] += 1
        else:
            faults.append(f"one exits {process.returncode}: {stderr.strip().splitlines()[:1]}")
    if outcomes["done"] != 1 or set(outcomes) - {"done", "alreadyDone", "75"}:
        faults.append(f"the outcomes are {dict(outcomes)}")
    faults += box.faults_at_end(folder)
    box.discard(folder)
    return faults
