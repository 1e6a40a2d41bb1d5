"""What is done to a pass while it is at work, and what may come of that."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from .passes import Pass

#: Of a fleet that has come to its end, where containers are damaged.
SOME_FAILED = 1
#: What a pass ends with whose worker was killed before it could take a container: then none can be trusted to begin.
NOT_BEGUN = 70
#: How long a worker is stopped.
STOPPED = 0.05


@dataclass(frozen=True)
class Disturbance:
    """One way to disturb; whether it has met anybody is what it gives back."""

    name: str
    act: Callable[[Pass, random.Random], bool]
    #: How the pass may end, if it was met.
    statuses: frozenset[int]
    #: How many containers that could be done may fail of it.
    costs: int = 0
    #: What the rows of those must say.
    says: str = ""
    #: Whether the next pass is begun before those that are left of this one have ended.
    is_overtaken: bool = False

    def faults(self, status: int | None, stderr: str, rows: list[dict]) -> list[str]:
        """What is wrong with the way a pass ended and with the rows of what failed though it could be done."""
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
    def act(work: Pass, choice: random.Random) -> bool:
        work.tell(number)
        return True
    return act


def _all(number: signal.Signals) -> Callable[[Pass, random.Random], bool]:
    def act(work: Pass, choice: random.Random) -> bool:
        work.tell_all(number)
        return True
    return act


def _worker(number: signal.Signals) -> Callable[[Pass, random.Random], bool]:
    def act(work: Pass, choice: random.Random) -> bool:
        if not (workers := work.workers()):
            return False
        work.tell_worker(choice.choice(workers), number)
        return True
    return act


def _stopped(work: Pass, choice: random.Random) -> bool:
    if not (workers := work.workers()):
        return False
    worker = choice.choice(workers)
    work.tell_worker(worker, signal.SIGSTOP)
    time.sleep(STOPPED)
    work.tell_worker(worker, signal.SIGCONT)
    return True


#: With these a pass is over. A signal that comes before the handlers are there ends a process as it does any other. One
#: to all may reach a worker first, which then says that it was cancelled before the coordinator knows of it.
ENDING = (
    Disturbance("SIGKILL to the coordinator", _coordinator(signal.SIGKILL), frozenset({-9})),
    Disturbance("SIGKILL to all", _all(signal.SIGKILL), frozenset({-9})),
    Disturbance("SIGTERM to the coordinator", _coordinator(signal.SIGTERM), frozenset({143, -15})),
    Disturbance("SIGINT to all", _all(signal.SIGINT), frozenset({130, -2}), 2, "(130)"),
)
#: With these a fleet comes through, but for a container that it costs at most.
GOING_ON = (
    Disturbance("SIGKILL to a worker", _worker(signal.SIGKILL), frozenset({SOME_FAILED, NOT_BEGUN}), 1,
                "died of signal 9"),
    Disturbance("SIGTERM to a worker", _worker(signal.SIGTERM), frozenset({SOME_FAILED}), 1, "(143)"),
    Disturbance("a worker stopped for a while", _stopped, frozenset({SOME_FAILED})),
    Disturbance("SIGKILL to the coordinator and the next pass at once", _coordinator(signal.SIGKILL), frozenset({-9}),
                is_overtaken=True),
)


def sequence(number: int, count: int, choice: random.Random) -> list[Disturbance]:
    """What a fleet is put through: what ends its passes, again and again, and last, in turn, what does not."""
    return [*choice.choices(ENDING, k=count - 1), GOING_ON[number % len(GOING_ON)]]
