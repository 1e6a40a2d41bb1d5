"""Two runs that meet: the first is stopped at every writing call, the second comes, the first goes on.

While the first has the lock, the second exits 75; before that, it does the work and the first finds it done. In any
order the end is the one that the two leave one after the other.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from .. import birdlog, pausing, reading, tracing
from ..birdlog import CONTAINER, OUTPUT
from ..judgment import Box
from ..outcome import Outcome
from ..pausing import Paused, container_lock
from ..scenario import Scenario, execute
from ..settings import Settings
from ..state import State
from ..tracing import Point
from .commands import BUSY, READING, WRITING, Command, export

NOUN = "stops with a second run"


class Orders:
    """What the first command leaves, and both in either order, with their exit codes."""

    def __init__(self, box: Box, first: Command, second: Command) -> None:
        self.ends: dict[tuple[str, ...], tuple[State, list[int]]] = {}
        commands = {"first": first, "second": second}
        for order in (("first",), ("first", "second"), ("second", "first")):
            with box.copied() as folder:
                codes = [execute(commands[name].argv(box.binary, folder), folder).returncode for name in order]
                self.ends[order] = (content(folder), codes)


def content(folder: Path) -> State:
    """The state without the exports, which are judged one by one."""
    return replace(State.of(folder, None), product=None)


def run(settings: Settings, outcome: Outcome) -> None:
    others = [*WRITING, READING[0]]
    for variant in birdlog.VARIANTS:
        box = Box(Scenario("run", variant), settings.binary, settings.base)
        for first in (*others, export("first.json")):
            for second in (*others, export("second.json")):
                name = f"{first.name} and {second.name} ({variant.name})"
                # Two runs are always tried; of the other pairs the quick sweep takes some.
                is_main = first.name == second.name == "run"
                is_taken = not settings.quick or is_main or settings.offset(name) % 29 == 0
                if is_taken and settings.only in name:
                    sweep(box, first, second, name, settings, outcome)


def sweep(box: Box, first: Command, second: Command, name: str, settings: Settings, outcome: Outcome) -> None:
    orders = Orders(box, first, second)
    with box.copied() as folder:
        calls = pausing.counted(first.argv(box.binary, folder), folder, (*tracing.WRITING, "flock", "openat"))
    points = chosen_points(name, calls, settings, is_full=first.name == second.name == "run")

    def one(point: Point) -> None:
        with box.copied() as folder:
            outcome.judge(f"{name}, the first stopped at {point}", overtake(box, folder, first, second, orders, point))

    settings.each(one, points)
    settings.say(f"{name}: {len(points)} points")


def chosen_points(name: str, calls: dict[str, int], settings: Settings, is_full: bool) -> list[Point]:
    stride = 1 if is_full else 31
    if settings.quick:
        stride = 211 if is_full else 97
    # Near the lock itself no call is left out.
    return pausing.spread(calls, settings.offset(name), lambda call: 1 if call == "flock" and is_full else stride)


def overtake(
    box: Box, folder: Path, first: Command, second: Command, orders: Orders, point: Point
) -> list[str] | None:
    """What is wrong after one stop; None if the first ended before it."""
    with Paused([*first.argv(box.binary, folder), "--json"], folder, point) as paused:
        if not paused.stopped:
            return None
        held = container_lock(paused.trace(), folder / CONTAINER)
        was_taken = "LOCK_EX|LOCK_NB) = 0" in paused.trace() or "LOCK_SH|LOCK_NB) = 0" in paused.trace()
        done = execute([*second.argv(box.binary, folder, "--lock-timeout", "0s"), "--json"], folder)
        paused.go_on()
        ended = paused.end()
    if ended.status is None:
        return ["the first hangs"]
    if second.waits_for(held):
        faults = [] if done.returncode == BUSY else [f"the second exits {done.returncode} while the lock is held"]
        return faults + compare(folder, orders, ("first",), ended.status, None)
    order = ("first", "second") if was_taken and held == "none" else ("second", "first")
    if held != "none":
        # Both only read.
        order = ("first", "second")
    faults = compare(folder, orders, order, ended.status, done.returncode)
    if first.name == second.name == "run":
        faults += faults_of_outcomes(ended.stdout, done.stdout)
    return faults


def compare(folder: Path, orders: Orders, order: tuple[str, ...], first: int, second: int | None) -> list[str]:
    """Compares with the two one after the other: final content, exit codes, nothing left behind."""
    expected, codes = orders.ends[order]
    faults = [f"{name} differs from {' and then '.join(order)}" for name in content(folder).differences(expected)]
    found = {"first": first, "second": second}
    for who, code in zip(order, codes):
        if found[who] != code:
            faults.append(f"the {who} exits {found[who]} instead of {code}")
    for product in (folder / OUTPUT).glob("*.json"):
        try:
            json.loads(product.read_bytes())
        except ValueError:
            faults.append(f"{product.name} is not whole")
    return faults + [f"left behind: {path}" for path in reading.leftovers(folder)]


def faults_of_outcomes(*reports: str) -> list[str]:
    """Of two runs one must do the work, and the other find it done."""
    found = sorted(json.loads(report)["outcome"] for report in reports)
    return [] if found == ["alreadyDone", "done"] else [f"the outcomes are {found}"]
