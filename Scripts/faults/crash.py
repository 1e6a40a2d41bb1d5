"""Kills a command with SIGKILL at every writing call, at random times, and twice.

The call at which the signal comes does not run, so "before call N + 1" is "after call N"; killing at `exit_group` covers
the last state. The sweep judges what a kill leaves, runs the same command again, and judges the result. Of a fleet it
kills the coordinator, and in other points the worker, which costs the fleet one container.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from . import tracing
from .judgment import Box
from .outcome import Outcome
from .scenario import SELF, SOME_FAILED, execute, start
from .scenarios import swept
from .settings import Settings

KILL = "signal=SIGKILL"


def run(settings: Settings) -> Outcome:
    tracing.require_strace()
    outcome = Outcome("crash", "kill points")
    tally = {"single": 0, "random": 0, "double": 0}
    for scenario in swept(settings):
        for box in Box(scenario, settings.binary, settings.base).aimed(tracing.COORDINATOR, tracing.WORKER):
            points = sweep(box, settings, outcome)
            tally["single"] += len(points)
            tally["double"] += kill_twice(box, points, settings, outcome)
            tally["random"] += kill_at_random(box, settings, outcome)
            settings.say(f"{box.name}: {len(points)} calls")
    outcome.notes.append(", ".join(f"{count} {kind}" for kind, count in tally.items()))
    return outcome


def sweep(box: Box, settings: Settings, outcome: Outcome) -> list[tracing.Point]:
    """Kills the command once at each writing call until it completes; returns the points that were reached."""
    # A coordinator makes so few calls that a spread of them would be none.
    stride = min(settings.stride, 3) if box.aim == tracing.COORDINATOR else settings.stride
    fired: list[tracing.Point] = []

    def one(point: tracing.Point) -> bool:
        def judged(folder: Path, ended: tracing.Ending) -> list[str]:
            fired.append(point)
            return faults_of_row(box, folder, ended) + judge(box, folder)

        return outcome.judge(f"{box.name}, killed at {point}", box.inject(point, KILL, judged))

    for call, numbers in box.points().items():
        chosen = numbers[settings.offset(call) % stride::stride]
        hit = settings.each(lambda number: one(tracing.Point(call, number)), chosen)
        if settings.stride == 1 and call not in (*tracing.OPENING, "ioctl", "exit_group"):
            number = numbers[-1] + 1
            while hit and hit[-1] and one(tracing.Point(call, number)):
                number += 1
    return fired


def judge(box: Box, folder: Path) -> list[str]:
    """What is wrong after a kill, and after the next run."""
    return box.faults_whenever(folder) or box.run_again(folder)


def faults_of_row(box: Box, folder: Path, ended: tracing.Ending) -> list[str]:
    """A killed worker costs the fleet one container; a killed coordinator reports nothing."""
    if box.aim != tracing.WORKER:
        return [] if ended.status in (-9, 137) else [f"it was killed, and exits {ended.status}"]
    entries = box.journal(folder).entries(SELF)
    last = entries[-1]["entry"] if entries else {}
    if ended.status != SOME_FAILED or "died of signal 9" not in last.get("error", {}).get("message", ""):
        return [f"its worker was killed, and it exits {ended.status} with the row {last or 'of nothing'}"]
    return []


def kill_twice(box: Box, swept: list[tracing.Point], settings: Settings, outcome: Outcome) -> int:
    """Kills the run after a kill as well, at a writing call of its own; the third run is not disturbed."""
    choice = random.Random(f"{settings.seed} {box.scenario.name}")
    pairs = [(choice.choice(swept), choice.random()) for _ in range(settings.double_kills)] if swept else []

    def one(pair: tuple[tracing.Point, float]) -> bool:
        first, share = pair
        with box.copied() as folder:
            tracing.inject(box.argv(folder), folder, first, KILL, aim=box.aim)
            # The calls of the second run are known only from a run on a copy of what the first has left.
            second = _second_point(box, folder, share)
            hit = second is not None and tracing.inject(box.argv(folder), folder, second, KILL, aim=box.aim).fired
            return hit and outcome.judge(f"{box.name}, killed at {first} and again at {second}", judge(box, folder))

    return sum(settings.each(one, pairs))


def _second_point(box: Box, folder: Path, share: float) -> tracing.Point | None:
    probe = Path(tempfile.mkdtemp(prefix="probe-", dir=box.base))
    shutil.copytree(folder, probe, symlinks=True, dirs_exist_ok=True)
    try:
        points = tracing.flat(dict(sorted(tracing.points(box.argv(probe), probe, aim=box.aim).items())))
    except RuntimeError:
        # It exits with the code of an output that already exists: whole, as the judgment of the first kill shows.
        return None
    finally:
        box.discard(probe)
    return points[int(share * len(points))] if points else None


def kill_at_random(box: Box, settings: Settings, outcome: Outcome) -> int:
    """Kills at random moments, without strace: states that only mapped memory can make."""
    if box.aim == tracing.WORKER:
        # At any moment a worker may be before its first container; `fleet` kills workers at random, and judges that.
        return 0
    choice = random.Random(f"random {settings.seed} {box.name}")
    with box.copied() as folder:
        started = time.monotonic()
        execute(box.argv(folder), folder)
        duration = time.monotonic() - started
    hits = 0
    for _ in range(settings.random_kills):
        delay = choice.uniform(0, duration)
        with box.copied() as folder:
            process = start(box.argv(folder), folder, stdout=subprocess.DEVNULL)
            try:
                process.wait(delay)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
            # A worker holds this pipe as well, and rolls back when it sees that its coordinator is gone.
            process.communicate()
            if process.returncode == -signal.SIGKILL:
                hits += 1
                outcome.judge(f"{box.name}, killed after {delay * 1000:.1f} ms", judge(box, folder))
    return hits
