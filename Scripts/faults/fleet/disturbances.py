"""Disturbances of a pass while it works, and the ways it may end."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from .passes import Pass

#: The code of a complete pass in which containers failed.
SOME_FAILED = 1
#: The code of a pass whose worker was killed before it could take a container: no other worker could begin either.
NOT_BEGUN = 70
#: How long a worker is stopped.
STOPPED = 0.05


@dataclass(frozen=True)
class Disturbance:
    """One way to disturb a pass; `act` returns whether it met a process."""

    name: str
    act: Callable[[Pass, random.Random], bool]
    #: How the pass may end, if it was disturbed.
    statuses: frozenset[int]
    #: How many sound containers may fail because of it.
    costs: int = 0
    #: A text that their rows must contain.
    says: str = ""
    #: Whether the next pass begins before the remaining processes of this one have ended.
    is_overtaken: bool = False

    def faults(self, status: int | None, stderr: str, rows: list[dict]) -> list[str]:
        """What is wrong with the end of a pass and with the rows of sound containers that failed."""
        if status is None:
            return ["a process is left"]
        faults = [] if status in self.statuses else [f"it exits {status}: {stderr.strip().splitlines()[-2:]}"]
        if len(rows) > self.costs:
            faults.append(f"{len(rows)} containers failed of it: {[_said(row) for row in rows]}")
        return faults + [f"a row says {_said(row)}" for row in rows[:self.costs] if self.says not in _said(row)]


def _said(row: dict) -> str:
    error = row["entry"].get("error") or {}
    return f"{row['entry']['container']}: {error.get('message', 'nothing')} ({error.get('code')})"


def _coordinator(number: signal.Signals) -> Callable[[Pass, random.Random], bool]:
    return lambda work, _: work.signal(number) or True


def _all(number: signal.Signals) -> Callable[[Pass, random.Random], bool]:
    return lambda work, _: work.signal_all(number) or True


def _worker(*numbers: signal.Signals) -> Callable[[Pass, random.Random], bool]:
    """These signals to one of the workers, with a pause between them."""
    def act(work: Pass, choice: random.Random) -> bool:
        if not (workers := work.workers()):
            return False
        worker = choice.choice(workers)
        for number in numbers:
            work.signal_worker(worker, number)
            time.sleep(STOPPED if len(numbers) > 1 else 0)
        return True
    return act


#: With these a pass is over. A signal that comes before the handlers exist ends a process as it does any other. A signal
#: to all may reach a worker first, which then reports that it was cancelled before the coordinator knows.
ENDING = (
    Disturbance("SIGKILL to the coordinator", _coordinator(signal.SIGKILL), frozenset({-9})),
    Disturbance("SIGKILL to all", _all(signal.SIGKILL), frozenset({-9})),
    Disturbance("SIGTERM to the coordinator", _coordinator(signal.SIGTERM), frozenset({143, -15})),
    Disturbance("SIGINT to all", _all(signal.SIGINT), frozenset({130, -2}), 2, "(130)"),
)
#: With these a fleet goes on, and loses at most one container.
GOING_ON = (
    Disturbance("SIGKILL to a worker", _worker(signal.SIGKILL), frozenset({SOME_FAILED, NOT_BEGUN}), 1,
                "died of signal 9"),
    Disturbance("SIGTERM to a worker", _worker(signal.SIGTERM), frozenset({SOME_FAILED}), 1, "(143)"),
    Disturbance("a worker stopped for a while", _worker(signal.SIGSTOP, signal.SIGCONT), frozenset({SOME_FAILED})),
    Disturbance("SIGKILL to the coordinator and the next pass at once", _coordinator(signal.SIGKILL), frozenset({-9}),
                is_overtaken=True),
)


def sequence(number: int, count: int, choice: random.Random) -> list[Disturbance]:
    """The disturbances of one fleet: some that end its passes, and last, in turn, one that does not."""
    return [*choice.choices(ENDING, k=count - 1), GOING_ON[number % len(GOING_ON)]]
