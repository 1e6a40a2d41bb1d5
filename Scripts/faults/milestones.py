"""The states a command may stop in: before it, after it, and between two of its commits.

They are found by killing the command where a commit becomes durable. A command that fails must leave one of these
states: any other is a part of a transaction, or a product that is not whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Iterable, Iterator

from . import tracing
from .judgment import Box
from .outcome import Outcome
from .scenario import Scenario
from .settings import Settings
from .state import State

#: A commit takes place at one of these: the journal goes, the log is flushed, a file gets its name.
COMMITTING = ("unlink", "fsync", "fdatasync", "rename", "renameat2", "link", "ftruncate")


class Milestones:
    """The states that killing a command leaves it in."""

    def __init__(self, box: Box, settings: Settings) -> None:
        # The worker of a fleet commits; if its coordinator is stopped, it rolls back to one of the states.
        self.box = box = box.aimed(tracing.WORKER)[0]
        self.states: list[State] = [box.before, box.after]
        for state in settings.each(self._state_after_kill, tracing.flat(box.points(COMMITTING))):
            if state is not None and state not in self.states:
                self.states.append(state)

    def _state_after_kill(self, point: tracing.Point) -> State | None:
        return self.box.inject(
            point, "signal=SIGKILL", lambda folder, _: State.of(folder, self.box.scenario.product))

    def faults(self, folder: Path) -> list[str]:
        """Whether the state of a folder is one of these."""
        state = State.of(folder, self.box.scenario.product)
        if state in self.states or self.box.is_way_to_the_end(state):
            return []
        nearest = min((state.differences(other) for other in self.states), key=len)
        return [f"left in a state between two commits: {', '.join(nearest)}"]


def boxes(scenarios: Iterable[Scenario], settings: Settings) -> Iterator[tuple[Box, Milestones]]:
    """The box of each scenario with its milestones; of a fleet one for each kind of process."""
    for scenario in scenarios:
        whole = Box(scenario, settings.binary, settings.base)
        milestones = Milestones(whole, settings)
        for box in whole.aimed(tracing.COORDINATOR, tracing.WORKER):
            yield box, milestones


@dataclass
class Sweep:
    """The disturbances of one box; each result is judged against the milestones."""

    box: Box
    milestones: Milestones
    settings: Settings
    outcome: Outcome
