"""The states a command may stop in: before it, after it, and between two of its commits.

Found by killing it where a commit becomes durable. A command that fails must leave one of these: anything else would be
part of a transaction, or a product that is not whole.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import tracing
from .judgment import Box
from .state import State

#: A commit takes place at one of these: the journal goes, the log is flushed, a file gets its name.
COMMITTING = ("unlink", "fsync", "fdatasync", "rename", "renameat2", "link", "ftruncate")


class Milestones:
    """The states that killing a command leaves it in."""

    def __init__(self, box: Box, jobs: int) -> None:
        # Of a fleet it is the worker that commits; where its coordinator is stopped, it goes back to one.
        self.box = box = box.aimed(tracing.WORKER)[0]
        self.states: list[State] = [box.before, box.after]
        folder = box.copy()
        found = tracing.points(box.argv(folder), folder, COMMITTING, box.aim)
        box.discard(folder)
        points = [tracing.Point(call, number) for call, numbers in found.items() for number in numbers]
        with ThreadPoolExecutor(jobs) as pool:
            for state in pool.map(self._state_after_kill, points):
                if state is not None and state not in self.states:
                    self.states.append(state)

    def _state_after_kill(self, point: tracing.Point) -> State | None:
        folder = self.box.copy()
        try:
            ended = tracing.inject(self.box.argv(folder), folder, point, "signal=SIGKILL", aim=self.box.aim)
            return State.of(folder, self.box.scenario.product) if ended.fired else None
        finally:
            self.box.discard(folder)

    def faults(self, folder: Path) -> list[str]:
        """Whether what is there is one of these states."""
        state = State.of(folder, self.box.scenario.product)
        if state in self.states or self.box.is_way_to_the_end(state):
            return []
        nearest = min((state.differences(other) for other in self.states), key=len)
        return [f"left in a state between two commits: {', '.join(nearest)}"]
